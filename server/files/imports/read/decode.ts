import { createReadStream } from 'node:fs'
import { open } from 'node:fs/promises'
import { Unreadable } from './unreadable.ts'

/** Encodings of text files that are read. */
export type Encoding = 'utf-8' | 'utf-16le' | 'utf-16be' | 'gbk'

/** Bytes that are enough to detect the encoding of a text without a mark. */
const sampleBytes = 4_096

const marks: readonly [Encoding, readonly number[]][] = [
  ['utf-8', [0xef, 0xbb, 0xbf]],
  ['utf-16le', [0xff, 0xfe]],
  ['utf-16be', [0xfe, 0xff]],
]

const headOf = async (file: string): Promise<Buffer> => {
  const handle = await open(file)
  try {
    const { bytesRead, buffer } = await handle.read(Buffer.alloc(sampleBytes), 0, sampleBytes, 0)
    return buffer.subarray(0, bytesRead)
  } finally {
    await handle.close()
  }
}

/** Text in two bytes a letter has an empty one in most of its pairs, always at the same side. */
const widthOf = (head: Buffer): Encoding | null => {
  const empty = [0, 0]
  for (const [at, byte] of head.entries()) if (byte === 0) empty[at % 2]!++
  const pairs = head.length / 2
  if (empty[1]! > pairs * 0.3 && empty[0]! === 0) return 'utf-16le'
  if (empty[0]! > pairs * 0.3 && empty[1]! === 0) return 'utf-16be'
  return null
}

/** The text of a file piece by piece. @throws {Unreadable} where a byte belongs to no letter */
export async function* textOf(file: string, encoding: Encoding): AsyncGenerator<string> {
  const decoder = new TextDecoder(encoding, { fatal: true })
  const read = (bytes?: Uint8Array) => {
    try {
      return bytes ? decoder.decode(bytes, { stream: true }) : decoder.decode()
    } catch {
      throw new Unreadable('encoding')
    }
  }
  for await (const chunk of createReadStream(file)) {
    const text = read(chunk as Buffer)
    if (text.includes('\0')) throw new Unreadable('encoding')
    yield text
  }
  yield read()
}

const isWhole = async (file: string, encoding: Encoding): Promise<boolean> => {
  try {
    for await (const _ of textOf(file, encoding));
    return true
  } catch (error) {
    if (error instanceof Unreadable) return false
    throw error
  }
}

/** Share of the letters beyond ASCII that must be of the common set for a text to pass for Chinese. */
const confidence = 0.9

/** Western text in one byte a letter often decodes as rare Chinese letters: common ones have two high bytes. */
const isCommonChinese = async (file: string): Promise<boolean> => {
  let [common, rare, lead] = [0, 0, 0]
  for await (const chunk of createReadStream(file))
    for (const byte of chunk as Buffer) {
      if (lead) {
        if (lead >= 0xa1 && lead <= 0xf7 && byte >= 0xa1) common++
        else rare++
        lead = 0
      } else if (byte > 0x80) lead = byte
    }
  return common > 0 && common >= (common + rare) * confidence
}

/** How the text of a file is written: by its mark, else detected from all of it. @throws {Unreadable} when it is none of ours */
export const encodingOf = async (file: string): Promise<Encoding> => {
  const head = await headOf(file)
  const marked = marks.find(([, mark]) => mark.every((byte, at) => head[at] === byte))
  if (marked) return marked[0]
  const wide = widthOf(head)
  if (wide) return wide
  if (await isWhole(file, 'utf-8')) return 'utf-8'
  if ((await isWhole(file, 'gbk')) && (await isCommonChinese(file))) return 'gbk'
  throw new Unreadable('encoding')
}
