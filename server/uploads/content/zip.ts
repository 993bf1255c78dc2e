import { crc32, createInflateRaw } from 'node:zlib'
import { BadFile, must } from './bad.ts'

/** What an archive may hold. */
export type ZipLimits = { entries: number; unpacked: number; ratio: number }
export type ZipEntry = { name: string; packed: Buffer; isDeflated: boolean; size: number; crc: number }

const [local, listed, ending] = [0x04034b50, 0x02014b50, 0x06054b50]
const encrypted = 0x0001
const streamed = 0x0008

/** The end of the list stands at the very end: what follows it would be something else in the same file. */
const endOf = (bytes: Buffer): number => {
  const at = bytes.length - 22
  must(at >= 0 && bytes.readUInt32LE(at) === ending && bytes.readUInt16LE(at + 20) === 0, 'no archive')
  return at
}

const isSafeName = (name: string) => name !== '' && !name.includes('\0') && !/[\\:]|^\/|(^|\/)\.\.?(\/|$)/.test(name)

/** The files of an archive as its list and their own heads agree on them. Nothing is unpacked yet. */
export const zipEntries = (bytes: Buffer, { entries: most }: Pick<ZipLimits, 'entries'>): ZipEntry[] => {
  const end = endOf(bytes)
  const count = bytes.readUInt16LE(end + 10)
  must(count > 0 && bytes.readUInt16LE(end + 8) === count && bytes.readUInt32LE(end + 4) === 0, 'an archive of several')
  must(count <= most, `${count} files`, 'unpacked')
  const list = bytes.readUInt32LE(end + 16)
  must(list + bytes.readUInt32LE(end + 12) === end, 'the list')
  const found: (ZipEntry & { from: number; to: number })[] = []
  let at = list
  for (let index = 0; index < count; index++) {
    must(at + 46 <= end && bytes.readUInt32LE(at) === listed, 'the list is cut off')
    const [flags, method] = [bytes.readUInt16LE(at + 8), bytes.readUInt16LE(at + 10)]
    const [crc, packed, size] = [bytes.readUInt32LE(at + 16), bytes.readUInt32LE(at + 20), bytes.readUInt32LE(at + 24)]
    const [nameLength, from] = [bytes.readUInt16LE(at + 28), bytes.readUInt32LE(at + 42)]
    const name = bytes.toString('utf8', at + 46, at + 46 + nameLength)
    must((flags & encrypted) === 0 && (method === 0 || method === 8), `${name} cannot be read`)
    must(isSafeName(name), 'a name that leads elsewhere', 'active')
    must(from + 30 <= list && bytes.readUInt32LE(from) === local, 'a file is not there')
    const begin = from + 30 + bytes.readUInt16LE(from + 26) + bytes.readUInt16LE(from + 28)
    const to = begin + packed
    must(to <= list, 'a file is cut off')
    must(bytes.toString('utf8', from + 30, from + 30 + bytes.readUInt16LE(from + 26)) === name, 'two names of one file')
    must(method === 8 || packed === size, 'a length')
    found.push({
      name,
      packed: bytes.subarray(begin, to),
      isDeflated: method === 8,
      size,
      crc,
      from,
      to: flags & streamed ? to + 12 : to,
    })
    at += 46 + nameLength + bytes.readUInt16LE(at + 30) + bytes.readUInt16LE(at + 32)
  }
  must(at === end, 'the list')
  must(new Set(found.map(({ name }) => name.toLowerCase())).size === count, 'two files of one name')
  const inOrder = [...found].sort((a, b) => a.from - b.from)
  must(inOrder[0]?.from === 0, 'something stands before the archive')
  must(
    inOrder.every(({ to }, index) => to <= (inOrder[index + 1]?.from ?? list)),
    'files lie over each other',
    'unpacked',
  )
  return found
}

/** Bytes that may yet be unpacked. */
export type Budget = { left: number }
export const budgetOf = (bytes: Buffer, { unpacked, ratio }: ZipLimits): Budget => ({
  left: Math.min(unpacked, Math.max(bytes.length, 4_096) * ratio),
})

/** What a file holds, a piece at a time. What it says of its size is not believed: it ends when the budget does. */
export async function* unpacked({ packed, isDeflated, size, crc }: ZipEntry, budget: Budget): AsyncGenerator<Buffer> {
  let [length, sum] = [0, 0]
  const pieces = isDeflated ? createInflateRaw().end(packed) : [packed]
  try {
    for await (const piece of pieces as AsyncIterable<Buffer>) {
      length += piece.length
      budget.left -= piece.length
      must(budget.left >= 0, 'unpacks to too much', 'unpacked')
      must(length <= size, 'unpacks to more than it says', 'unpacked')
      sum = crc32(piece, sum)
      yield piece
    }
  } catch (error) {
    throw error instanceof BadFile ? error : new BadFile('damaged', 'cannot be unpacked')
  }
  must(length === size && sum === crc, 'unpacks to something else')
}
