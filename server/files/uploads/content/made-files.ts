import { crc32, deflateRawSync, deflateSync } from 'node:zlib'
import sharp from 'sharp'

/** Bytes that do not pack well, the same each time. */
export const noise = (length: number): Buffer => {
  const bytes = Buffer.alloc(length)
  for (let at = 0, state = 7; at < length; at++) {
    state = (Math.imul(state, 1_103_515_245) + 12_345) >>> 0
    bytes[at] = state >>> 16
  }
  return bytes
}

const text = (value: string) => Buffer.from(value, 'latin1')
const number = (value: number): Buffer => {
  const bytes = Buffer.alloc(4)
  bytes.writeUInt32BE(value >>> 0)
  return bytes
}

export const pngChunk = (name: string, data: Buffer): Buffer => {
  const inner = Buffer.concat([text(name), data])
  return Buffer.concat([number(data.length), inner, number(crc32(inner))])
}
export const pngHead = (width: number, height: number, rest = [8, 2, 0, 0, 0]): Buffer =>
  pngChunk('IHDR', Buffer.concat([number(width), number(height), Buffer.from(rest)]))
export const pngStart = text('\x89PNG\r\n\x1a\n')
export const pngEnd = pngChunk('IEND', Buffer.alloc(0))

/** Lines of noise in three colours, each with its filter. */
export const pixels = (width: number, height: number): Buffer => {
  const line = width * 3 + 1
  const bytes = noise(line * height)
  for (let row = 0; row < height; row++) bytes[row * line] = 0
  return bytes
}
/** A PNG; `before` and `after` stand around its pixels. */
export const pngOf = (
  o: { width?: number; height?: number; before?: Buffer[]; after?: Buffer[]; data?: Buffer } = {},
) => {
  const { width = 40, height = 30, before = [], after = [] } = o
  const data = o.data ?? deflateSync(pixels(width, height))
  return Buffer.concat([pngStart, pngHead(width, height), ...before, pngChunk('IDAT', data), pngEnd, ...after])
}

export const jpegPart = (marker: number, body: Buffer): Buffer => {
  const head = Buffer.from([0xff, marker, 0, 0])
  head.writeUInt16BE(body.length + 2, 2)
  return Buffer.concat([head, body])
}
/** What a camera notes: which way up, and where. */
export const cameraNote = (orientation: number): Buffer => {
  const body = text('Exif\0\0II*\0\x08\0\0\0\x01\0\x12\x01\x03\0\x01\0\0\0\0\0\0\0\0\0\0\0GPS 0.3136 N 32.5811 E')
  body.writeUInt16LE(orientation, 24)
  return jpegPart(0xe1, body)
}
export const jpegFrame = (width: number, height: number, marker = 0xc0): Buffer => {
  const body = Buffer.from([8, 0, 0, 0, 0, 3, 1, 0x22, 0, 2, 0x11, 1, 3, 0x11, 1])
  body.writeUInt16BE(height, 1)
  body.writeUInt16BE(width, 3)
  return jpegPart(marker, body)
}
/** Packed data that is that of no picture. */
export const jpegScan = (): Buffer =>
  Buffer.concat([jpegPart(0xda, Buffer.from([3, 1, 0, 2, 0x11, 3, 0x11, 0, 63, 0])), Buffer.alloc(2_000, 0x55)])
export const jpegStart = Buffer.from([0xff, 0xd8])
export const jpegEnd = Buffer.from([0xff, 0xd9])

/** A picture of noise, as a program of today writes it. */
const noisy = (width: number, height: number) =>
  sharp(noise(width * height * 3), { raw: { width, height, channels: 3 } })
const [realJpeg, realWebp, realGif] = [
  await noisy(64, 48).jpeg().toBuffer(),
  await noisy(64, 48).webp().toBuffer(),
  await noisy(40, 30).gif().toBuffer(),
]

/** A JPEG of 64 by 48 pixels that may say another size; `before` and `after` stand around its parts. */
export const jpegOf = (o: { width?: number; height?: number; before?: Buffer[]; after?: Buffer[] } = {}) => {
  const parts = Buffer.from(realJpeg.subarray(2))
  const frame = parts.indexOf(Buffer.from([0xff, 0xc0]))
  parts.writeUInt16BE(o.height ?? 48, frame + 5)
  parts.writeUInt16BE(o.width ?? 64, frame + 7)
  return Buffer.concat([jpegStart, ...(o.before ?? []), parts, ...(o.after ?? [])])
}

const small = (value: number, bytes: number): Buffer => {
  const made = Buffer.alloc(bytes)
  made.writeUIntLE(value, 0, bytes)
  return made
}
export const riffPart = (name: string, data: Buffer): Buffer =>
  Buffer.concat([text(name), small(data.length, 4), data, Buffer.alloc(data.length % 2)])
/** The picture of a WebP of 64 by 48 pixels that may say another size. */
export const vp8 = (width: number, height: number): Buffer => {
  const data = Buffer.from(realWebp.subarray(20, 20 + realWebp.readUInt32LE(16)))
  data.writeUInt16LE(width, 6)
  data.writeUInt16LE(height, 8)
  return riffPart('VP8 ', data)
}
export const vp8x = (width: number, height: number, flags = 0): Buffer =>
  riffPart('VP8X', Buffer.concat([Buffer.from([flags, 0, 0, 0]), small(width - 1, 3), small(height - 1, 3)]))
export const webpOf = (...parts: Buffer[]): Buffer => {
  const body = Buffer.concat([text('WEBP'), ...parts])
  return Buffer.concat([text('RIFF'), small(body.length, 4), body])
}

/** Data blocks of a GIF, with the empty one that closes them. */
const gifBlocks = (data: Buffer): Buffer => {
  const parts: Buffer[] = []
  for (let at = 0; at < data.length; at += 255) {
    const part = data.subarray(at, at + 255)
    parts.push(Buffer.from([part.length]), part)
  }
  return Buffer.concat([...parts, Buffer.from([0])])
}
export const gifNote = (label: number, data: Buffer): Buffer =>
  Buffer.concat([Buffer.from([0x21, label]), gifBlocks(data)])
/** What a program notes, behind the eleven letters of its name. */
export const gifOwnNote = (data: Buffer): Buffer =>
  Buffer.concat([Buffer.from([0x21, 0xff, 11]), text('PRIVATE 1.0'), gifBlocks(data)])
export const gifControl = gifNote(0xf9, Buffer.from([1, 0, 0, 0]))
const gifTable = 3 * 2 ** (((realGif[10] as number) & 7) + 1)
const gifHead = realGif.subarray(0, 13 + gifTable)
/** The picture of a GIF of 40 by 30 pixels that may lie elsewhere, or say another size. */
export const gifImage = (width: number, height: number, left = 0): Buffer => {
  const image = Buffer.from(realGif.subarray(realGif.indexOf(0x2c, gifHead.length), -1))
  for (const [at, value] of [left, 0, width, height].entries()) image.writeUInt16LE(value, 1 + at * 2)
  return image
}
/** The blocks of a GIF in order. */
export const gifOf = (width: number, height: number, ...blocks: Buffer[]): Buffer => {
  const head = Buffer.from(gifHead)
  head.writeUInt16LE(width, 6)
  head.writeUInt16LE(height, 8)
  return Buffer.concat([head, ...blocks, Buffer.from([0x3b])])
}

export type Packed = {
  name: string
  content: Buffer | string
  says?: number
  flags?: number
  innerName?: string
  stored?: boolean
}

/** An archive that may lie about what it holds. */
export const zipOf = (
  files: readonly Packed[],
  o: { before?: Buffer; after?: Buffer; count?: number } = {},
): Buffer => {
  const bodies: Buffer[] = [o.before ?? Buffer.alloc(0)]
  const list: Buffer[] = []
  let offset = bodies[0]?.length ?? 0
  for (const { name, content, says, flags = 0x0800, innerName = name, stored } of files) {
    const plain = Buffer.from(content as string)
    const data = stored ? plain : deflateRawSync(plain)
    const about = (called: string) =>
      Buffer.concat([
        small(20, 2),
        small(flags, 2),
        small(stored ? 0 : 8, 2),
        small(0, 4),
        small(crc32(plain), 4),
        small(data.length, 4),
        small(says ?? plain.length, 4),
        small(Buffer.byteLength(called), 2),
      ])
    const local = Buffer.concat([small(0x04034b50, 4), about(innerName), small(0, 2), Buffer.from(innerName), data])
    list.push(
      Buffer.concat([
        small(0x02014b50, 4),
        small(20, 2),
        about(name),
        Buffer.alloc(12),
        small(offset, 4),
        Buffer.from(name),
      ]),
    )
    bodies.push(local)
    offset += local.length
  }
  const directory = Buffer.concat(list)
  const count = small(o.count ?? files.length, 2)
  const end = Buffer.concat([
    small(0x06054b50, 4),
    Buffer.alloc(4),
    count,
    count,
    small(directory.length, 4),
    small(offset, 4),
    Buffer.alloc(2),
  ])
  return Buffer.concat([...bodies, directory, end, o.after ?? Buffer.alloc(0)])
}

const types = '<?xml version="1.0"?><Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types"/>'
export const workbookParts: readonly Packed[] = [
  { name: '[Content_Types].xml', content: types },
  { name: 'xl/workbook.xml', content: '<?xml version="1.0"?><workbook/>' },
  {
    name: 'xl/worksheets/sheet1.xml',
    content: '<worksheet><sheetData><row><c><v>1</v></c></row></sheetData></worksheet>',
  },
]
export const xlsxOf = (...more: Packed[]): Buffer => zipOf([...workbookParts, ...more])

export const pdfOf = (inner = '', after = '\n'): Buffer =>
  text(
    `%PDF-1.4\n1 0 obj\n<< /Type /Catalog /Pages 2 0 R ${inner} >>\nendobj\ntrailer << /Root 1 0 R >>\nstartxref\n9\n%%EOF${after}`,
  )
