import { deflateRawSync, deflateSync } from 'node:zlib'
import sharp from 'sharp'
import { describe, expect, it } from 'vitest'
import { yardsticks } from '../../../../tests/yardstick.ts'
import type { Refusal } from '../store.ts'
import { BadFile } from './bad.ts'
import { inspect } from './inspect.ts'
import {
  cameraNote,
  jpegEnd,
  jpegFrame,
  jpegOf,
  jpegPart,
  jpegScan,
  jpegStart,
  noise,
  pdfOf,
  pixels,
  pngChunk,
  pngEnd,
  pngHead,
  pngOf,
  pngStart,
  riffPart,
  vp8,
  vp8x,
  webpOf,
  workbookParts,
  xlsxOf,
  zipOf,
} from './made-files.ts'

const html = Buffer.from(`<!doctype html><script>alert(1)</script>${' '.repeat(1_100)}`)
const svg = Buffer.from(`<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>${' '.repeat(1_100)}`)
const zip = zipOf([{ name: 'a.txt', content: noise(1_200).toString('base64') }])
const zeros = (megabytes: number) => Buffer.alloc(megabytes * 1_048_576)
const png = pngOf()
const jpeg = jpegOf()
const film = await sharp([pngOf(), pngOf({ data: deflateSync(zeros(1).subarray(0, 121 * 30)) })], {
  join: { animated: true },
})
  .webp({ loop: 0, delay: [100, 100] })
  .toBuffer()
const broken = (bytes: Buffer, at: number): Buffer => {
  const copy = Buffer.from(bytes)
  copy[at] = (copy[at] as number) ^ 0xff
  return copy
}
const packedObjects = (inner: string): Buffer => {
  const data = deflateSync(Buffer.from(inner))
  return Buffer.concat([
    Buffer.from(`%PDF-1.5\n1 0 obj\n<< /Type /ObjStm /Filter /FlateDecode /Length ${data.length} >>\nstream\n`),
    data,
    Buffer.from('\nendstream\nendobj\nstartxref\n9\n%%EOF\n'),
  ])
}
/** The list names one file many times. */
const overlapping = (times: number): Buffer => {
  const inner = noise(1_000)
  const one = zipOf([{ name: 'a', content: inner }])
  const end = one.length - 22
  const from = one.readUInt32LE(end + 16)
  const entry = one.subarray(from, end)
  const named = Array.from({ length: times }, (_, index) => {
    const copy = Buffer.from(entry)
    copy.write(String.fromCharCode(97 + index), 46)
    return copy
  })
  const tail = Buffer.from(one.subarray(end))
  tail.writeUInt16LE(times, 8)
  tail.writeUInt16LE(times, 10)
  tail.writeUInt32LE(entry.length * times, 12)
  return Buffer.concat([one.subarray(0, from), ...named, tail])
}

const cases: [what: string, extension: string, bytes: Buffer, refusal: Refusal][] = [
  ['a page called png', 'png', html, 'not_image'],
  ['a drawing with a script called png', 'png', svg, 'not_image'],
  ['a drawing with a script called jpg', 'jpg', svg, 'not_image'],
  ['an archive called png', 'png', zip, 'not_image'],
  ['a program called jpg', 'jpg', Buffer.concat([Buffer.from('MZ'), noise(2_000)]), 'not_image'],
  ['a GIF called png', 'png', Buffer.concat([Buffer.from('GIF89a'), noise(2_000)]), 'not_image'],
  ['a JPEG called png', 'png', jpeg, 'not_image'],
  ['a PNG called jpg', 'jpg', png, 'not_image'],
  ['a sound called webp', 'webp', Buffer.concat([Buffer.from('RIFF\x10\0\0\0WAVE'), noise(2_000)]), 'not_image'],
  ['an image below a kilobyte', 'png', png.subarray(0, 1_023), 'image_size'],
  ['an image above ten megabytes', 'png', Buffer.concat([png, zeros(10)]), 'image_size'],
  [
    'a PNG of 900 megapixels',
    'png',
    Buffer.concat([pngStart, pngHead(30_000, 30_000), pngChunk('IDAT', noise(2_000)), pngEnd]),
    'pixels',
  ],
  [
    'a PNG of one endless line',
    'png',
    Buffer.concat([pngStart, pngHead(30_000_000, 1), pngChunk('IDAT', noise(2_000)), pngEnd]),
    'pixels',
  ],
  [
    'a PNG without pixels',
    'png',
    Buffer.concat([pngStart, pngHead(0, 10), pngChunk('IDAT', noise(2_000)), pngEnd]),
    'damaged',
  ],
  ['a PNG that unpacks to less than it says', 'png', pngOf({ data: deflateSync(pixels(40, 29)) }), 'damaged'],
  ['a PNG whose pixels are no pixels', 'png', pngOf({ data: noise(2_000) }), 'damaged'],
  ['a PNG with an unknown filter', 'png', pngOf({ data: deflateSync(pixels(40, 30).fill(9, 0, 1)) }), 'damaged'],
  ['a PNG cut off', 'png', png.subarray(0, png.length - 20), 'damaged'],
  ['a PNG with a wrong checksum', 'png', broken(png, 60), 'damaged'],
  ['a PNG with two heads', 'png', pngOf({ before: [pngHead(40, 30)] }), 'damaged'],
  [
    'a PNG that begins with another part',
    'png',
    Buffer.concat([pngStart, pngChunk('IDAT', noise(2_000)), pngEnd]),
    'damaged',
  ],
  ['a PNG with an unknown part that matters', 'png', pngOf({ before: [pngChunk('EVIL', noise(20))] }), 'damaged'],
  [
    'a PNG of an impossible depth',
    'png',
    Buffer.concat([pngStart, pngHead(40, 30, [3, 2, 0, 0, 0]), pngChunk('IDAT', noise(2_000)), pngEnd]),
    'damaged',
  ],
  [
    'a PNG of a palette without one',
    'png',
    Buffer.concat([pngStart, pngHead(40, 30, [8, 3, 0, 0, 0]), pngChunk('IDAT', noise(2_000)), pngEnd]),
    'damaged',
  ],
  ['a PNG whose part is longer than the file', 'png', broken(png, 33), 'not_image'],
  ['a JPEG cut off in its picture', 'jpg', jpeg.subarray(0, jpeg.length - 2), 'damaged'],
  [
    'a JPEG cut off in a segment',
    'jpg',
    Buffer.concat([jpegStart, jpegPart(0xe1, noise(2_000)).subarray(0, 1_500)]),
    'damaged',
  ],
  ['a JPEG of 4 billion pixels', 'jpg', jpegOf({ width: 65_000, height: 65_000 }), 'pixels'],
  ['a JPEG of more than any library draws', 'jpg', jpegOf({ width: 65_535, height: 65_535 }), 'damaged'],
  ['a JPEG without a size', 'jpg', jpegOf({ height: 0 }), 'damaged'],
  ['a JPEG with two frames', 'jpg', jpegOf({ before: [jpegFrame(10, 10)] }), 'damaged'],
  ['a JPEG with a script between its segments', 'jpg', Buffer.concat([jpegStart, html, jpegEnd]), 'not_image'],
  ['a JPEG without a picture', 'jpg', Buffer.concat([jpegStart, jpegPart(0xfe, noise(2_000)), jpegEnd]), 'damaged'],
  ['a JPEG whose scan comes before its frame', 'jpg', Buffer.concat([jpegStart, jpegScan(), jpegEnd]), 'damaged'],
  [
    'a lossless JPEG that nothing draws',
    'jpg',
    Buffer.concat([jpegStart, jpegFrame(10, 10, 0xc3), jpegScan(), jpegEnd]),
    'damaged',
  ],
  [
    'a JPEG with a segment of no length',
    'jpg',
    Buffer.concat([jpegStart, Buffer.from([0xff, 0xe1, 0, 0]), noise(2_000)]),
    'damaged',
  ],
  ['a WebP film', 'webp', film, 'not_image'],
  ['a WebP cut off', 'webp', webpOf(vp8(64, 48)).subarray(0, 1_400), 'damaged'],
  ['a WebP of two sizes', 'webp', webpOf(vp8x(5_000, 5_000), vp8(10, 10)), 'damaged'],
  ['a WebP of 268 megapixels', 'webp', webpOf(vp8(16_383, 16_383)), 'pixels'],
  ['a page called pdf', 'pdf', html, 'format'],
  ['an image called pdf', 'pdf', png, 'format'],
  ['a document behind a page', 'pdf', Buffer.concat([html, pdfOf()]), 'format'],
  ['a document cut off', 'pdf', pdfOf().subarray(0, 60), 'damaged'],
  ['a document with an archive behind it', 'pdf', Buffer.concat([pdfOf(), zip]), 'damaged'],
  ['a document that is an archive too', 'pdf', Buffer.concat([zip, pdfOf()]), 'format'],
  ['a document with a script', 'pdf', pdfOf('/OpenAction << /S /JavaScript /JS (app.alert(1)) >>'), 'active'],
  ['a document with a script whose name is spelled', 'pdf', pdfOf('/OpenAction << /S /J#61vaScript >>'), 'active'],
  ['a document that starts a program', 'pdf', pdfOf('/AA << /O << /S /Launch /F (cmd.exe) >> >>'), 'active'],
  ['a document with a file in it', 'pdf', pdfOf('/Names << /EmbeddedFiles 5 0 R >>'), 'active'],
  ['a document with a script in a packed object', 'pdf', packedObjects('<< /S /JavaScript /JS (x) >>'), 'active'],
  [
    'a document whose objects unpack to a hundred megabytes',
    'pdf',
    packedObjects(' '.repeat(100 * 1_048_576)),
    'unpacked',
  ],
  ['a locked document', 'pdf', pdfOf('/Encrypt 9 0 R'), 'active'],
  ['any archive called xlsx', 'xlsx', zip, 'format'],
  ['a page called xlsx', 'xlsx', html, 'format'],
  ['a workbook with macros', 'xlsx', xlsxOf({ name: 'xl/vbaProject.bin', content: noise(40) }), 'active'],
  [
    'a workbook that says it has macros',
    'xlsx',
    zipOf([
      { name: '[Content_Types].xml', content: '<Types ContentType="sheet.macroEnabled.main+xml"/>' },
      ...workbookParts.slice(1),
    ]),
    'active',
  ],
  [
    'a workbook with a program in it',
    'xlsx',
    xlsxOf({ name: 'xl/embeddings/oleObject1.bin', content: noise(40) }),
    'active',
  ],
  ['a workbook with a file for another folder', 'xlsx', xlsxOf({ name: '../../etc/passwd', content: 'x' }), 'active'],
  ['a workbook with a file for the root', 'xlsx', xlsxOf({ name: '/etc/passwd', content: 'x' }), 'active'],
  ['a workbook with a file of another system', 'xlsx', xlsxOf({ name: '..\\..\\evil.xml', content: 'x' }), 'active'],
  ['a workbook with a NUL in a name', 'xlsx', xlsxOf({ name: 'xl/a\0.xml', content: 'x' }), 'active'],
  [
    'a workbook that unpacks to a gigabyte',
    'xlsx',
    xlsxOf(...Array.from({ length: 11 }, (_, n) => ({ name: `xl/s${n}.xml`, content: zeros(10) }))),
    'unpacked',
  ],
  ['a workbook that packs a thousandfold', 'xlsx', xlsxOf({ name: 'xl/s.xml', content: zeros(20) }), 'unpacked'],
  [
    'a workbook whose file says it is small',
    'xlsx',
    xlsxOf({ name: 'xl/s.xml', content: zeros(1), says: 100 }),
    'unpacked',
  ],
  [
    'a workbook of 201 files',
    'xlsx',
    xlsxOf(...Array.from({ length: 198 }, (_, n) => ({ name: `xl/${n}.xml`, content: 'x' }))),
    'unpacked',
  ],
  ['files that lie over each other', 'xlsx', overlapping(20), 'damaged'],
  [
    'a workbook that declares entities',
    'xlsx',
    xlsxOf({ name: 'xl/s.xml', content: '<!DOCTYPE a [<!ENTITY b "c">]><a>&b;</a>' }),
    'active',
  ],
  [
    'a workbook that declares them in two bytes a letter',
    'xlsx',
    xlsxOf({
      name: 'xl/s.xml',
      content: Buffer.from('\ufeff<!DOCTYPE a [<!ENTITY b SYSTEM "file:///etc/passwd">]>', 'utf16le'),
    }),
    'active',
  ],
  ['a workbook with two files of one name', 'xlsx', xlsxOf({ name: 'XL/workbook.xml', content: 'x' }), 'damaged'],
  [
    'a workbook whose file has two names',
    'xlsx',
    xlsxOf({ name: 'xl/s.xml', innerName: 'xl/t.exe', content: 'x' }),
    'damaged',
  ],
  ['a workbook behind a program', 'xlsx', zipOf(workbookParts, { before: Buffer.from('MZ program') }), 'format'],
  ['a workbook behind a workbook', 'xlsx', Buffer.concat([xlsxOf(), xlsxOf()]), 'damaged'],
  ['a workbook with something behind it', 'xlsx', zipOf(workbookParts, { after: html }), 'damaged'],
  ['a locked workbook', 'xlsx', xlsxOf({ name: 'xl/s.xml', content: 'x', flags: 1 }), 'damaged'],
  ['a workbook that counts wrongly', 'xlsx', zipOf(workbookParts, { count: 2 }), 'damaged'],
  ['a workbook cut off', 'xlsx', xlsxOf().subarray(0, 200), 'damaged'],
  [
    'a workbook with a broken file',
    'xlsx',
    broken(xlsxOf({ name: 'xl/s.xml', content: noise(500), stored: true }), 700),
    'damaged',
  ],
  ['a page called csv', 'csv', html, 'format'],
  ['a program called csv', 'csv', Buffer.concat([Buffer.from('MZ'), noise(200)]), 'format'],
  ['a workbook called csv', 'csv', xlsxOf(), 'format'],
  ['a table with a NUL', 'csv', Buffer.from('a,b\r\n1,\0'), 'format'],
  ['a table with half a letter', 'csv', Buffer.from('\ufeffa,b', 'utf16le').subarray(0, 7), 'damaged'],
  ['nothing called xlsx', 'xlsx', Buffer.alloc(0), 'format'],
  ['a sound called csv', 'csv', Buffer.concat([Buffer.from([0xff, 0xfb, 0x90, 0x64]), noise(2_000)]), 'format'],
  ['a kind that nobody declared', 'exe', noise(2_000), 'format'],
]

describe('refuses', () => {
  it.each(cases)('%s', async (_, extension, bytes, refusal) => {
    const error = await inspect(extension, bytes).catch((thrown: unknown) => thrown)
    expect(error).toBeInstanceOf(BadFile)
    expect((error as BadFile).refusal, (error as BadFile).message).toBe(refusal)
  })

  it('each of them with little work, in little room', async () => {
    const before = process.memoryUsage().rss
    for (const [what, extension, bytes] of cases)
      expect(await yardsticks(() => inspect(extension, bytes).catch(() => undefined)), what).toBeLessThan(30)
    expect(process.memoryUsage().rss - before).toBeLessThan(256 * 1_048_576)
  })
})

const harmless: [what: string, extension: string, bytes: Buffer][] = [
  ['a PNG', 'png', png],
  ['a JPEG', 'jpg', jpeg],
  ['a JPEG called jpeg', 'jpeg', jpeg],
  ['a JPEG of a phone', 'jpg', jpegOf({ before: [cameraNote(6)] })],
  ['a WebP', 'webp', webpOf(vp8(64, 48))],
  ['a WebP with its head', 'webp', webpOf(vp8x(64, 48, 0x0c), riffPart('ICCP', noise(40)), vp8(64, 48))],
  ['a document', 'pdf', pdfOf()],
  ['a document with packed objects', 'pdf', packedObjects('<< /Type /Page >>')],
  ['a workbook', 'xlsx', xlsxOf()],
  ['a workbook with a picture', 'xlsx', xlsxOf({ name: 'xl/media/image1.png', content: png, stored: true })],
  ['a table', 'csv', Buffer.from('a,b\r\n1,2\r\n')],
  ['a table with a mark', 'csv', Buffer.from('\ufeff名字,b\n')],
  ['a table of two bytes a letter', 'csv', Buffer.from('\ufeffa,b\r\n', 'utf16le')],
  ['a table of an older encoding', 'csv', Buffer.from([0xd0, 0xd5, 0xc3, 0xfb, 0x2c, 0x61, 0x0a])],
  ['a table with formulas, which are text', 'csv', Buffer.from('=1+1,@x\r\n')],
]

it.each(harmless)('takes %s', async (_, extension, bytes) => {
  const { fileType } = await inspect(extension, bytes)
  expect(fileType).toMatch(/^(image|application|text)\//)
})

it('keeps unpacked bytes of an archive that is deflated twice within its budget', async () => {
  const inner = deflateRawSync(zeros(100))
  await expect(inspect('xlsx', xlsxOf({ name: 'xl/s.xml', content: inner }))).resolves.toBeDefined()
})
