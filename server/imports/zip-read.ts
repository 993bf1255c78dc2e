import { createReadStream } from 'node:fs'
import { type FileHandle, open } from 'node:fs/promises'
import { createInflateRaw } from 'node:zlib'
import { bounds, Unreadable } from './unreadable.ts'

type Packed = { name: string; method: number; packed: number; size: number; offset: number }

const endSignature = 0x06054b50
const listSignature = 0x02014b50
const localSignature = 0x04034b50
const stored = 0
const deflated = 8
const encrypted = 0x0001

const damaged = () => new Unreadable('unreadable')
const bomb = () => new Unreadable('too_big', { max: bounds.unpacked / 1_048_576 })

const bytesAt = async (file: FileHandle, offset: number, length: number): Promise<Buffer> => {
  if (offset < 0 || length < 0) throw damaged()
  const { bytesRead, buffer } = await file.read(Buffer.alloc(length), 0, length, offset)
  if (bytesRead < length) throw damaged()
  return buffer
}

/** The end of the archive, which says where its list is. */
const endOf = async (file: FileHandle, size: number): Promise<{ entries: number; list: number; length: number }> => {
  const length = Math.min(size, 22 + 0xffff)
  const tail = await bytesAt(file, size - length, length)
  for (let at = tail.length - 22; at >= 0; at--)
    if (tail.readUInt32LE(at) === endSignature && at + 22 + tail.readUInt16LE(at + 20) === tail.length)
      return {
        entries: tail.readUInt16LE(at + 10),
        length: tail.readUInt32LE(at + 12),
        list: tail.readUInt32LE(at + 16),
      }
  throw damaged()
}

const listed = (list: Buffer, entries: number): Packed[] => {
  const found: Packed[] = []
  for (let at = 0; found.length < entries; ) {
    if (at + 46 > list.length || list.readUInt32LE(at) !== listSignature) throw damaged()
    if (list.readUInt16LE(at + 8) & encrypted) throw new Unreadable('locked')
    const nameLength = list.readUInt16LE(at + 28)
    found.push({
      name: list.subarray(at + 46, at + 46 + nameLength).toString(),
      method: list.readUInt16LE(at + 10),
      packed: list.readUInt32LE(at + 20),
      size: list.readUInt32LE(at + 24),
      offset: list.readUInt32LE(at + 42),
    })
    at += 46 + nameLength + list.readUInt16LE(at + 30) + list.readUInt16LE(at + 32)
  }
  return found
}

/** Refuses what an honest archive never is: too many, too great or too dense parts, two of a name, parts that share bytes. */
const check = (parts: readonly Packed[]): void => {
  if (new Set(parts.map(part => part.name)).size !== parts.length) throw damaged()
  if (parts.some(part => part.method !== stored && part.method !== deflated)) throw damaged()
  if (parts.reduce((sum, part) => sum + part.size, 0) > bounds.unpacked) throw bomb()
  if (parts.some(part => part.size > part.packed * bounds.ratio + 1_024)) throw bomb()
  const inOrder = [...parts].sort((a, b) => a.offset - b.offset)
  for (const [at, part] of inOrder.entries()) {
    const next = inOrder[at + 1]
    if (next && part.offset + 30 + part.packed > next.offset) throw damaged()
  }
}

export type Archive = {
  has: (name: string) => boolean
  names: readonly string[]
  /** A part, unpacked piece by piece; what is unpacked of all parts together is counted. */
  read: (name: string) => AsyncGenerator<Buffer>
  close: () => Promise<void>
}

/** Opens an archive and looks at its list, before anything in it is unpacked. @throws {Unreadable} */
export const openArchive = async (path: string): Promise<Archive> => {
  const file = await open(path)
  let unpacked = 0
  try {
    const { size } = await file.stat()
    if (size > bounds.bytes) throw bomb()
    const end = await endOf(file, size)
    if (end.entries === 0xffff || end.list === 0xffffffff) throw damaged()
    if (end.entries > bounds.entries) throw new Unreadable('too_big', { max: bounds.unpacked / 1_048_576 })
    const parts = listed(await bytesAt(file, end.list, end.length), end.entries)
    check(parts)
    const byName = new Map(parts.map(part => [part.name, part]))

    const read = async function* (name: string): AsyncGenerator<Buffer> {
      const part = byName.get(name)
      if (!part) throw damaged()
      const head = await bytesAt(file, part.offset, 30)
      if (head.readUInt32LE(0) !== localSignature) throw damaged()
      const start = part.offset + 30 + head.readUInt16LE(26) + head.readUInt16LE(28)
      if (part.packed === 0) return
      const bytes = createReadStream(path, { start, end: start + part.packed - 1 })
      const plain = part.method === deflated ? bytes.pipe(createInflateRaw()) : bytes
      bytes.on('error', error => plain.destroy(error))
      let size = 0
      try {
        for await (const chunk of plain as AsyncIterable<Buffer>) {
          size += chunk.length
          unpacked += chunk.length
          if (unpacked > bounds.unpacked || size > part.packed * bounds.ratio + 1_024) throw bomb()
          yield chunk
        }
      } catch (error) {
        if (error instanceof Unreadable) throw error
        throw damaged()
      } finally {
        plain.destroy()
        bytes.destroy()
      }
      if (size !== part.size) throw damaged()
    }

    return { has: name => byName.has(name), names: [...byName.keys()], read, close: () => file.close() }
  } catch (error) {
    await file.close()
    if (error instanceof RangeError) throw damaged()
    throw error
  }
}
