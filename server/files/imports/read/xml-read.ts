import { SaxesParser, type SaxesTagPlain } from 'saxes'
import { bounds, Unreadable } from './unreadable.ts'

/** What a document consists of, as it comes by. Prefixes of names are left out. */
export type XmlEvents = {
  open?: (name: string, attribute: (name: string) => string | undefined) => void
  close?: (name: string) => void
  text?: (text: string) => void
}

const local = (name: string) => name.slice(name.indexOf(':') + 1)

const attributeOf = (attributes: Record<string, string>, wanted: string): string | undefined => {
  if (Object.hasOwn(attributes, wanted)) return attributes[wanted]
  const name = Object.keys(attributes).find(one => local(one) === wanted)
  return name === undefined ? undefined : attributes[name]
}

/** A document type is refused, so that nothing in it can name a file or multiply itself. */
const parserOf = (events: XmlEvents): SaxesParser => {
  const parser = new SaxesParser({ position: false })
  const refuse = () => {
    throw new Unreadable('unreadable')
  }
  parser.on('error', refuse)
  parser.on('doctype', refuse)
  parser.on('opentag', tag => {
    const { name, attributes } = tag as SaxesTagPlain
    events.open?.(local(name), wanted => attributeOf(attributes, wanted))
  })
  parser.on('closetag', ({ name }) => events.close?.(local(name)))
  if (events.text) {
    parser.on('text', events.text)
    parser.on('cdata', events.text)
  }
  return parser
}

/** Reads XML piece by piece without ever building it. @throws {Unreadable} */
export async function* readXml(pieces: AsyncIterable<Buffer>, events: XmlEvents): AsyncGenerator<void> {
  const decoder = new TextDecoder('utf-8', { fatal: true })
  const parser = parserOf(events)
  const read = (bytes?: Buffer): string => {
    try {
      return bytes ? decoder.decode(bytes, { stream: true }) : decoder.decode()
    } catch {
      throw new Unreadable('unreadable')
    }
  }
  for await (const piece of pieces) {
    parser.write(read(piece))
    yield
  }
  parser.write(read()).close()
}

/** Reads a document to its end. */
export const wholeXml = async (pieces: AsyncIterable<Buffer>, events: XmlEvents): Promise<void> => {
  for await (const _ of readXml(pieces, events));
}

/** Text that grows no longer than a cell may be. */
export const grown = (text: string, more: string): string => {
  if (text.length + more.length > bounds.cell) throw new Unreadable('cell_long', { line: 0 })
  return text + more
}
