import { createInflate } from 'node:zlib'
import { must } from './bad.ts'

/** What a document does by itself, or carries along: names so long that no packed picture has them by chance. */
const active =
  /\/(?:JavaScript|Launch|EmbeddedFiles?|RichMedia|Rendition|SubmitForm|ImportData|GoToE|Encrypt|XFA(?=\s*[[\d]))(?![A-Za-z])/
const most = 50 * 1_048_576

/** Names may be written with the numbers of their letters. */
const spelled = (text: string): string =>
  text.replace(/#([0-9a-f]{2})/gi, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)))

/** What a packed stream holds; as much of it as can be read. */
const inflated = async (packed: Buffer, left: number): Promise<string> => {
  const pieces: Buffer[] = []
  let length = 0
  try {
    for await (const piece of createInflate().end(packed) as AsyncIterable<Buffer>) {
      length += piece.length
      must(length <= left, 'unpacks to too much', 'unpacked')
      pieces.push(piece)
    }
  } catch (error) {
    if (error instanceof Error && error.name === 'BadFile') throw error
  }
  return Buffer.concat(pieces).toString('latin1')
}

/** Streams whose contents are objects themselves. */
const objectStreams = function* (bytes: Buffer, text: string) {
  for (const found of text.matchAll(/\/Type\s*\/ObjStm[\s\S]{0,400}?stream\r?\n/g)) {
    const from = found.index + found[0].length
    const to = text.indexOf('endstream', from)
    if (to > from) yield bytes.subarray(from, to)
  }
}

/** A document to be read: whole, not locked, with nothing in it that acts, and with nothing behind it. */
export const pdf = async (bytes: Buffer): Promise<void> => {
  const text = bytes.toString('latin1')
  must(/^%PDF-[12]\.\d/.test(text), 'no document', 'format')
  must(/%%EOF\s{0,64}$/.test(text.slice(-80)), 'the document is cut off, or something follows it')
  must(!text.includes('PK\x05\x06', Math.max(0, text.length - 66_000)), 'a document that is an archive too', 'format')
  must(!active.test(spelled(text)), 'a document that acts', 'active')
  let left = most
  for (const packed of objectStreams(bytes, text)) {
    const inner = await inflated(packed, left)
    left -= inner.length
    must(!active.test(spelled(inner)), 'a document that acts', 'active')
  }
}
