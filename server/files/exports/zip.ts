import { crc32, deflateRawSync } from 'node:zlib'

/** A file inside of an archive, as its directory lists it. */
export type Entry = { name: string; crc: number; packed: number; size: number; offset: number }

/** 1980-01-01 00:00, the earliest that the format knows: the same content makes the same file. */
const dosDate = 0x0021
const deflated = 8
/** Names are UTF-8; with `streamed` the sizes stand behind the contents. */
const utf8 = 0x0800
const streamed = 0x0008

const fixed = (flags: number, { crc, packed, size, name }: Omit<Entry, 'offset'>): Buffer => {
  const head = Buffer.alloc(26)
  head.writeUInt16LE(20, 0)
  head.writeUInt16LE(flags, 2)
  head.writeUInt16LE(deflated, 4)
  head.writeUInt16LE(0, 6)
  head.writeUInt16LE(dosDate, 8)
  head.writeUInt32LE(crc, 10)
  head.writeUInt32LE(packed, 14)
  head.writeUInt32LE(size, 18)
  head.writeUInt16LE(Buffer.byteLength(name), 22)
  return head
}

const signature = (value: number): Buffer => {
  const bytes = Buffer.alloc(4)
  bytes.writeUInt32LE(value)
  return bytes
}

const local = (flags: number, entry: Omit<Entry, 'offset'>): Buffer =>
  Buffer.concat([signature(0x04034b50), fixed(flags, entry), Buffer.from(entry.name)])

/** A whole file at a place of the archive. */
export const packedFile = (name: string, content: string, offset: number): { bytes: Buffer; entry: Entry } => {
  const plain = Buffer.from(content)
  const contents = deflateRawSync(plain)
  const entry = { name, crc: crc32(plain), packed: contents.length, size: plain.length, offset }
  return { bytes: Buffer.concat([local(utf8, entry), contents]), entry }
}

/** The head of a file whose contents are yet to come. */
export const streamedHead = (name: string): Buffer => local(utf8 | streamed, { name, crc: 0, packed: 0, size: 0 })

/** What stands behind the contents of such a file. */
export const streamedTail = ({ crc, packed, size }: Entry): Buffer => {
  const tail = Buffer.alloc(16)
  tail.writeUInt32LE(0x08074b50, 0)
  tail.writeUInt32LE(crc, 4)
  tail.writeUInt32LE(packed, 8)
  tail.writeUInt32LE(size, 12)
  return tail
}

const listed = (entry: Entry, isStreamed: boolean): Buffer => {
  const rest = Buffer.alloc(14)
  rest.writeUInt32LE(entry.offset, 10)
  const madeBy = Buffer.from([20, 0])
  const flags = isStreamed ? utf8 | streamed : utf8
  return Buffer.concat([signature(0x02014b50), madeBy, fixed(flags, entry), rest, Buffer.from(entry.name)])
}

/** The end of an archive: the list of its files, the streamed one last. */
export const directory = (whole: readonly Entry[], last: Entry, offset: number): Buffer => {
  const list = Buffer.concat([...whole.map(entry => listed(entry, false)), listed(last, true)])
  const end = Buffer.alloc(22)
  end.writeUInt32LE(0x06054b50, 0)
  end.writeUInt16LE(whole.length + 1, 8)
  end.writeUInt16LE(whole.length + 1, 10)
  end.writeUInt32LE(list.length, 12)
  end.writeUInt32LE(offset, 16)
  return Buffer.concat([list, end])
}
