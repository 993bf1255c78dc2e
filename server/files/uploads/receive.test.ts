import { randomUUID } from 'node:crypto'
import { writeFileSync } from 'node:fs'
import path from 'node:path'
import { describe, expect, it } from 'vitest'
import { noise, pngOf, xlsxOf } from './content/made-files.ts'
import { plainName } from './receive.ts'
import { each, sha256, uploadKit } from './upload-fixture.ts'

const at = uploadKit()
const { announce, begun, piece, put, putAll, complete, sent, statusOf } = at

/** A PNG of twelve pieces. */
const long = pngOf({ width: 500, height: 500 })
const photo = pngOf({ width: 60, height: 40 })

describe('an announcement', () => {
  it.each([
    ['a name of 201 letters', { fileName: `${'a'.repeat(197)}.png` }, 'File name too long'],
    ['an extension that the purpose does not take', { fileName: 'photo.png.exe' }, 'The uploaded file is not an image'],
    ['a name without an extension', { fileName: 'photo' }, 'The uploaded file is not an image'],
    ['a drawing that could run', { fileName: 'photo.svg' }, 'The uploaded file is not an image'],
    [
      'a document where a table is wanted',
      { purpose: 'import', fileName: 'a.pdf' },
      'Only the accepted formats (xlsx, csv) are supported, please reselect',
    ],
    [
      'a workbook with macros by its name',
      { purpose: 'import', fileName: 'a.xlsm' },
      'Only the accepted formats (xlsx, csv) are supported, please reselect',
    ],
    ['an image below a kilobyte', { size: 1_023 }, 'The image size is out of range (1 KB to 10 MB)'],
    ['an image above ten megabytes', { size: 10_485_761 }, 'The image size is out of range (1 KB to 10 MB)'],
    [
      'a document above its limit',
      { purpose: 'attachment', fileName: 'a.pdf', size: 20_971_521 },
      'File exceeds 20 MB, please reselect',
    ],
    ['an empty file', { purpose: 'import', fileName: 'a.csv', size: 0 }, 'The file is empty, please reselect'],
  ] as const)('of %s is refused in words', async (_, more, msg) => {
    expect(await announce(photo, more)).toMatchObject({ code: 40001, msg, data: { fields: [{ msg }] } })
  })

  it.each([
    ['../../etc/passwd.png', 'passwd.png'],
    ['/etc/cron.d/x.png', 'x.png'],
    ['C:\\Windows\\x.png', 'x.png'],
    ['..%2f..%2fx.png', '..%2f..%2fx.png'],
    ['report.php.png', 'report.php.png'],
    ['gnp\u202egpj.png', 'gnpgpj.png'],
    ['line\nbreak.png', 'linebreak.png'],
    ['名字 ya picha.png', '名字 ya picha.png'],
    ['CON.png', 'CON.png'],
  ])('keeps the name %j as text only', async (given, kept) => {
    expect(plainName(given)).toBe(kept)
    const bytes = pngOf({ width: 40 + kept.length, height: 31 })
    const { answer } = await sent(bytes, { fileName: given })
    expect(answer.data).toMatchObject({ fileName: kept })
    expect(at.names().every(name => /^[0-9a-f]{48}(\.\d+\.[0-9a-f]{64})?$/.test(name))).toBe(true)
  })

  it('refuses more than a person may have lying about', async () => {
    const person = await at.kit.person({ perms: ['common:upload'] })
    const most = { purpose: 'import' as const, fileName: 'a.xlsx', size: 20 * 1_048_576 }
    for (let n = 0; n < 10; n++) await begun(noise(64 + n), most, person)
    expect(await announce(noise(9), most, person)).toMatchObject({ code: 41001 })
    expect(await announce(noise(9), { ...most, size: 1 }, at.grace)).toMatchObject({ code: 0 })
  })
})

describe('a token', () => {
  it('is good for its upload, its person and ten minutes', async () => {
    const [mine, other] = [await begun(photo), await begun(pngOf({ width: 61 }))]
    const theirs = await begun(photo, {}, at.hassan)
    expect(await put({ ...mine, token: other.token }, 0, photo)).toMatchObject({ code: 40301 })
    expect(await put({ ...mine, token: theirs.token }, 0, photo)).toMatchObject({ code: 40301 })
    expect(await put({ ...mine, token: `${mine.token.slice(0, -2)}xx` }, 0, photo)).toMatchObject({ code: 40301 })
    expect(await put({ ...mine, token: '' }, 0, photo)).toMatchObject({ code: 40301 })
    expect(await put(mine, 0, photo, { as: at.hassan })).toMatchObject({ code: 40401 })
    at.kit.clock.advance(10 * 60_000)
    expect(await put(mine, 0, photo)).toMatchObject({ code: 40301 })
    const resumed = await begun(photo)
    expect(resumed.uploadNo).toBe(mine.uploadNo)
    expect(await put(resumed, 0, photo)).toMatchObject({ code: 0 })
  })
})

describe('a piece', () => {
  it('is refused where it is not the one that was announced, and leaves nothing', async () => {
    const bytes = pngOf({ width: 501, height: 500 })
    const ticket = await begun(bytes)
    const before = at.names().length
    const first = piece(bytes, 0)
    const wrong = 'This part of the file was damaged during the upload, please try again'
    expect(await put(ticket, 0, noise(each), { sha256: sha256(first) })).toMatchObject({ code: 40001, msg: wrong })
    expect(await put(ticket, 0, first.subarray(1))).toMatchObject({ code: 40001, msg: wrong })
    expect(await put(ticket, 0, Buffer.concat([first, first]))).toMatchObject({ code: 40001, msg: wrong })
    expect(await put(ticket, 0, first, { sha256: 'x' })).toMatchObject({ code: 40001, msg: wrong })
    expect(await put(ticket, 0, Buffer.alloc(0))).toMatchObject({ code: 40001, msg: wrong })
    expect(await put(ticket, ticket.chunkCount, first)).toMatchObject({ code: 40001 })
    expect(at.names()).toHaveLength(before)
    expect(await statusOf(ticket.uploadNo)).toBe('token_issued')
  })

  it('may be sent again; another one in its place is a conflict', async () => {
    const bytes = pngOf({ width: 502, height: 500 })
    const ticket = await begun(bytes)
    expect((await put(ticket, 3, piece(bytes, 3))).data).toMatchObject({ uploadStatus: 'receiving', chunks: [3] })
    expect((await put(ticket, 3, piece(bytes, 3))).data).toMatchObject({ chunks: [3] })
    expect(await put(ticket, 3, noise(each))).toMatchObject({ code: 40902 })
    expect((await put(ticket, 1, piece(bytes, 1))).data).toMatchObject({ chunks: [1, 3] })
  })

  it('is stored once, however often it is sent at the same time', async () => {
    const bytes = pngOf({ width: 503, height: 500 })
    const ticket = await begun(bytes)
    const answers = await Promise.all(Array.from({ length: 6 }, () => put(ticket, 0, piece(bytes, 0))))
    expect(answers.map(answer => answer.code)).toEqual([0, 0, 0, 0, 0, 0])
    await putAll(ticket, bytes)
    expect(await complete(ticket.uploadNo)).toMatchObject({ code: 0 })
  })
})

describe('an upload', () => {
  it('goes on where it was interrupted, at piece 7 of 12', async () => {
    const first = await begun(long)
    expect(first.chunkCount).toBe(12)
    for (let no = 0; no < 7; no++) await put(first, no, piece(long, no))
    expect(await complete(first.uploadNo)).toMatchObject({ code: 40001, msg: '5 pieces of the file have not arrived' })
    const again = await begun(long)
    expect(again).toMatchObject({ uploadNo: first.uploadNo, chunks: [0, 1, 2, 3, 4, 5, 6] })
    for (let no = 7; no < 12; no++) await put(again, no, piece(long, no))
    const { data } = await complete(again.uploadNo)
    expect(data).toMatchObject({ uploadStatus: 'ready', width: 500, height: 500 })
    expect(sha256(Buffer.from(await (await at.fetched(again.uploadNo)).arrayBuffer()))).toBe(data.sha256)
  })

  it('starts over where the file is another one', async () => {
    const one = await begun(long, { fileName: 'one.png' })
    expect((await begun(long, { fileName: 'two.png' })).uploadNo).not.toBe(one.uploadNo)
    expect((await begun(long, { fileName: 'one.png' }, at.hassan)).uploadNo).not.toBe(one.uploadNo)
  })

  it('of a workbook is kept byte by byte', async () => {
    const book = xlsxOf()
    const { uploadNo, answer } = await sent(book, { purpose: 'import', fileName: 'list.xlsx' })
    expect(answer.data).toMatchObject({ sha256: sha256(book), fileSize: book.length, width: null })
    expect(Buffer.from(await (await at.fetched(uploadNo)).arrayBuffer()).equals(book)).toBe(true)
  })

  it('is refused as a whole where it is not what was announced, and nothing of it stays', async () => {
    const ticket = await begun(photo, { sha256: sha256(noise(5)), fileName: 'other.png' })
    await putAll(ticket, photo)
    const before = at.names().length
    expect(await complete(ticket.uploadNo)).toMatchObject({
      code: 40001,
      msg: 'The file that arrived is not the file you chose, please upload it again',
    })
    expect(await statusOf(ticket.uploadNo)).toBe('rejected')
    await expect.poll(() => at.names().length).toBe(before - 1)
    expect(await complete(ticket.uploadNo)).toMatchObject({ code: 40901 })
  })

  it('of something else than its name says is refused, in words', async () => {
    const { answer, uploadNo } = await sent(Buffer.from('<script>alert(1)</script>'.repeat(60)), { fileName: 'x.png' })
    expect(answer).toMatchObject({ code: 40001, msg: 'The uploaded file is not an image' })
    expect(await statusOf(uploadNo)).toBe('rejected')
    expect((await at.fetched(uploadNo)).headers.get('content-type')).toMatch(/json/)
  })

  it('ends once, and answers the same under the same key', async () => {
    const ticket = await begun(pngOf({ width: 70 }))
    await putAll(ticket, pngOf({ width: 70 }))
    const key = randomUUID()
    const first = await complete(ticket.uploadNo, at.grace, key)
    expect(first.code).toBe(0)
    expect(await complete(ticket.uploadNo, at.grace, key)).toEqual(first)
    expect(await complete(ticket.uploadNo)).toMatchObject({ code: 40901 })
    expect(await put(ticket, 0, pngOf({ width: 70 }))).toMatchObject({ code: 40901 })
  })
})

it('breaks no invariant, and says which file was changed on disk', async () => {
  expect(await at.broken()).toEqual([])
  const { uploadNo, answer } = await sent(pngOf({ width: 80 }), { fileName: 'kept.png' })
  expect(answer.code).toBe(0)
  const stored = at.names().find(name => !name.includes('.')) as string
  writeFileSync(path.join(at.dir, stored), 'something else')
  expect(await at.broken()).toMatchObject([{ name: 'V14b', rows: [{ found: sha256(Buffer.from('something else')) }] }])
  expect(uploadNo).toMatch(/^UP/)
})
