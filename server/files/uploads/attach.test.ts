import { utimesSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { sql } from 'kysely'
import { describe, expect, it } from 'vitest'
import { contract } from '../../../core/contract/contract.ts'
import { text } from '../../../core/i18n/server.ts'
import { pdfOf, pngOf, xlsxOf } from './content/made-files.ts'
import { keepAsEvidence, readyUpload } from './stored.ts'
import { perms, uploadKit } from './upload-fixture.ts'

const { attach } = contract
const at = uploadKit()
const { begun, sent, save, statusOf, fetched, broken, collect } = at

let width = 40
const photo = async (as = at.grace) => (await sent(pngOf({ width: ++width }), {}, as)).uploadNo
const listed = (as = at.grace, objectNo = 'LO1') => at.kit.call(attach.list, { objectType: 'order', objectNo }, { as })
const removed = (uploadNo: string, as = at.grace) => at.kit.call(attach.remove, { uploadNo }, { as })
const day = 24 * 60 * 60_000

describe('a file of a record', () => {
  it('is seen by those who may see the record, as what cannot run', async () => {
    const uploadNo = await photo()
    expect(await save(uploadNo)).toMatchObject({
      code: 0,
      data: { uploadNo, attachType: 'income', uploadedByName: 'Grace' },
    })
    expect(await statusOf(uploadNo)).toBe('attached')
    const reader = await at.kit.person({ perms: ['order:detail:view'], merchants: ['M1'], limit: 'own_merchants' })
    expect((await listed(reader)).data.list).toMatchObject([{ uploadNo, fileName: 'photo.png', hidden: false }])
    const answer = await fetched(uploadNo, reader)
    expect(answer.status).toBe(200)
    expect(Object.fromEntries(answer.headers)).toMatchObject({
      'content-type': 'image/png',
      'content-disposition': expect.stringMatching(/^attachment; filename="photo\.png"/),
      'content-security-policy': "default-src 'none'; sandbox",
      'x-content-type-options': 'nosniff',
      'cache-control': 'no-store',
    })
    const lines = await at.kit.db.read(tx =>
      tx.rows(sql`select user_no, access_kind, object_no from access_log where object_no = ${uploadNo}`),
    )
    expect(lines).toEqual([{ userNo: reader.userNo, accessKind: 'download', objectNo: uploadNo }])
  })

  it('D13: is not there for anybody else', async () => {
    const uploadNo = await photo()
    const before = await (await fetched(uploadNo, at.hassan)).json()
    expect(before).toMatchObject({ code: 40401 })
    await save(uploadNo)
    expect(await (await fetched(uploadNo, at.hassan)).json()).toMatchObject({ code: 40401 })
    expect(await listed(at.hassan)).toMatchObject({ code: 40401 })
    expect(await removed(uploadNo, at.hassan)).toMatchObject({ code: 40401 })
    const clerk = await at.kit.person({ perms: ['common:upload'] })
    expect(await (await fetched(uploadNo, clerk)).json()).toMatchObject({ code: 40301 })
  })

  it('of a face is shown to those who may see faces', async () => {
    const uploadNo = await photo()
    await save(uploadNo, 'LO1', at.grace, 'selfie')
    const [clerk, auditor] = await Promise.all([
      at.kit.person({ perms: ['order:detail:view'], sensitive: [] }),
      at.kit.person({ perms: ['order:detail:view'], sensitive: ['pii:reveal:face'] }),
    ])
    expect((await listed(clerk)).data.list.find(row => row.uploadNo === uploadNo)).toMatchObject({ hidden: true })
    expect(await (await fetched(uploadNo, clerk)).json()).toMatchObject({ code: 40301 })
    expect((await fetched(uploadNo, auditor)).headers.get('content-type')).toBe('image/png')
  })

  it('is only what its owner sent for this, once, to a record within reach', async () => {
    const uploadNo = await photo()
    expect(await save(uploadNo, 'LO2', at.hassan)).toMatchObject({ code: 40401 })
    expect(await save(uploadNo, 'LO9')).toMatchObject({ code: 40401 })
    const theirs = await photo(at.hassan)
    expect(await save(theirs, 'LO1', at.hassan)).toMatchObject({ code: 40401 })
    const { uploadNo: book } = await sent(xlsxOf(), { purpose: 'import', fileName: 'a.xlsx' })
    expect(await save(book)).toMatchObject({ code: 40001 })
    const { uploadNo: unfinished } = await begun(pngOf({ width: 400 }))
    expect(await save(unfinished)).toMatchObject({ code: 40901, data: { status: 'token_issued' } })
    expect(await save(uploadNo)).toMatchObject({ code: 0 })
    expect(await save(uploadNo)).toMatchObject({ code: 40901, data: { status: 'attached' } })
  })

  it('is taken away by who sent it or may take those of others away, and its history stays', async () => {
    const { uploadNo } = await sent(pdfOf('/A 1'), { purpose: 'attachment', fileName: 'a.pdf' })
    await save(uploadNo)
    const clerk = await at.kit.person({ perms: perms.filter(perm => perm !== 'common:attach:delete') })
    expect(await removed(uploadNo, clerk)).toMatchObject({ code: 40301 })
    const keptFor = async (as: typeof clerk) =>
      (await listed(as)).data.list.find(row => row.uploadNo === uploadNo)?.kept
    expect([await keptFor(clerk), await keptFor(at.grace)]).toEqual(['others', null])
    const own = await photo(clerk)
    await save(own, 'LO1', clerk)
    expect(await removed(own, clerk)).toMatchObject({ code: 0 })
    expect(await removed(uploadNo)).toMatchObject({ code: 0 })
    expect((await listed()).data.list.some(row => row.uploadNo === uploadNo)).toBe(false)
    expect(await removed(uploadNo)).toMatchObject({ code: 40401 })
    const kept = await at.kit.db.read(tx =>
      tx.one(sql`select removed_by from attachment where upload_no = ${uploadNo}`),
    )
    expect(kept).toEqual({ removedBy: at.grace.userNo })
    expect(await save(uploadNo)).toMatchObject({ code: 0 })
    expect(await broken()).toEqual([])
  })
})

describe('a file that a decision rests on', () => {
  it('stays with its record, for everybody and whatever is written to the tables', async () => {
    const uploadNo = await photo()
    await save(uploadNo)
    await at.kit.db.withTx(tx => keepAsEvidence(tx, { objectType: 'order', objectNo: 'LO1', decision: 'audit.submit' }))
    expect((await listed()).data.list.find(row => row.uploadNo === uploadNo)).toMatchObject({ kept: 'evidence' })
    expect(await removed(uploadNo)).toMatchObject({ code: 40901, msg: text('en', 'errors.fileIsEvidence') })
    const written = (statement: ReturnType<typeof sql>) => at.kit.db.withTx(tx => tx.exec(statement))
    for (const statement of [
      sql`update attachment set removed_time = now() where upload_no = ${uploadNo}`,
      sql`update attachment set rests_on = null where upload_no = ${uploadNo}`,
      sql`delete from attachment where upload_no = ${uploadNo}`,
      sql`update upload set file_sha256 = 'other' where upload_no = ${uploadNo}`,
    ])
      await expect(written(statement)).rejects.toThrow('is evidence')
    const later = await photo()
    await save(later)
    expect(await removed(later)).toMatchObject({ code: 0 })
  })

  it('of what was taken away the log keeps name, content and who had sent it', async () => {
    const uploadNo = await photo(at.grace)
    await save(uploadNo)
    await removed(uploadNo)
    const logged = await at.kit.db.read(tx =>
      tx.rows(
        sql<{
          before: object
        }>`select before from audit_log where action = 'attach.delete' order by audit_no desc limit 1`,
      ),
    )
    expect(logged).toMatchObject([
      {
        before: { fileName: 'photo.png', sha256: expect.stringMatching(/^[0-9a-f]{64}$/), uploadedBy: at.grace.userNo },
      },
    ])
  })
})

describe('a command that takes a file', () => {
  const given = (uploadNo: string, purpose: 'import' | 'image', userNo = at.grace.userNo) =>
    at.kit.db.withTx(tx => readyUpload(tx, uploadNo, { purpose, userNo, dir: at.dir }))

  it('is given one that is ready, sent for this, by this person', async () => {
    const { uploadNo } = await sent(xlsxOf(), { purpose: 'import', fileName: 'leads.xlsx' })
    expect(await given(uploadNo, 'import')).toMatchObject({ uploadNo, fileName: 'leads.xlsx', size: xlsxOf().length })
    await expect(given(uploadNo, 'image')).rejects.toMatchObject({ code: 40001 })
    await expect(given(uploadNo, 'import', at.hassan.userNo)).rejects.toMatchObject({ code: 40401 })
    const { uploadNo: begunOnly } = await begun(pngOf({ width: 300 }))
    await expect(given(begunOnly, 'image')).rejects.toMatchObject({ code: 40901 })
  })
})

describe('after a day', () => {
  it('what belongs to nothing is gone, with its bytes; what belongs to a record stays', async () => {
    const [kept, ready] = [await photo(), await photo()]
    await save(kept)
    const half = pngOf({ width: 200, height: 200 })
    const ticket = await begun(half)
    await at.put(ticket, 0, at.piece(half, 0))
    await collect()
    expect(await statusOf(ready)).toBe('ready')
    at.kit.clock.advance(day)
    await collect()
    expect(await Promise.all([kept, ready, ticket.uploadNo].map(statusOf))).toEqual(['attached', 'purged', 'purged'])
    const attached = await at.kit.db.read(tx =>
      tx.rows(sql<{ fileId: string }>`select file_id from upload where upload_status = 'attached'`),
    )
    await expect.poll(() => at.names().sort()).toEqual(attached.map(row => row.fileId).sort())
    expect(await broken()).toEqual([])
  })

  it('bytes that no row answers for are said, and swept', async () => {
    const left = path.join(at.dir, `${'a'.repeat(48)}.draft`)
    const young = path.join(at.dir, `${'b'.repeat(48)}.draft`)
    for (const file of [left, young]) writeFileSync(file, 'half a piece')
    const before = new Date(Date.now() - day - 60_000)
    utimesSync(left, before, before)
    expect(await broken()).toMatchObject([{ name: 'V14c', rows: [{ name: path.basename(left) }] }])
    await collect()
    await expect.poll(broken).toEqual([])
    expect(at.names()).toContain(path.basename(young))
  })
})
