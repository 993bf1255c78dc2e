import { crc32, deflateRawSync, deflateSync } from 'node:zlib'

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
const tables = [
  jpegPart(0xdb, Buffer.alloc(65, 1)),
  jpegPart(0xc4, Buffer.concat([Buffer.alloc(17), Buffer.from([0])])),
]
export const jpegScan = (data = Buffer.alloc(2_000, 0x55)): Buffer =>
  Buffer.concat([jpegPart(0xda, Buffer.from([3, 1, 0, 2, 0x11, 3, 0x11, 0, 63, 0])), data])
export const jpegStart = Buffer.from([0xff, 0xd8])
export const jpegEnd = Buffer.from([0xff, 0xd9])
/** The parts of a JPEG in order; its compressed data is not that of a picture. */
export const jpegOf = (
  o: { width?: number; height?: number; before?: Buffer[]; after?: Buffer[]; scan?: Buffer } = {},
) =>
  Buffer.concat([
    jpegStart,
    ...(o.before ?? []),
    ...tables,
    jpegFrame(o.width ?? 64, o.height ?? 48),
    o.scan ?? jpegScan(),
    jpegEnd,
    ...(o.after ?? []),
  ])

const small = (value: number, bytes: number): Buffer => {
  const made = Buffer.alloc(bytes)
  made.writeUIntLE(value, 0, bytes)
  return made
}
export const riffPart = (name: string, data: Buffer): Buffer =>
  Buffer.concat([text(name), small(data.length, 4), data, Buffer.alloc(data.length % 2)])
export const vp8 = (width: number, height: number): Buffer =>
  riffPart(
    'VP8 ',
    Buffer.concat([Buffer.from([0x10, 0, 0, 0x9d, 1, 0x2a]), small(width, 2), small(height, 2), noise(1_500)]),
  )
export const vp8x = (width: number, height: number, flags = 0): Buffer =>
  riffPart('VP8X', Buffer.concat([Buffer.from([flags, 0, 0, 0]), small(width - 1, 3), small(height - 1, 3)]))
export const webpOf = (...parts: Buffer[]): Buffer => {
  const body = Buffer.concat([text('WEBP'), ...parts])
  return Buffer.concat([text('RIFF'), small(body.length, 4), body])
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
