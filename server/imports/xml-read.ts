import { bounds, Unreadable } from './unreadable.ts'

/** What a document consists of, as it comes by. Prefixes of names are left out. */
export type XmlEvents = {
  open?: (name: string, attribute: (name: string) => string | undefined) => void
  close?: (name: string) => void
  text?: (text: string) => void
}

const entities: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" }

const entity = (whole: string, name: string): string => {
  if (!name.startsWith('#')) return entities[name] ?? whole
  const code = name[1] === 'x' ? Number.parseInt(name.slice(2), 16) : Number.parseInt(name.slice(1), 10)
  return code > 0 && code <= 0x10ffff ? String.fromCodePoint(code) : ''
}
const unescaped = (text: string) => (text.includes('&') ? text.replace(/&(#?\w{1,10});/g, entity) : text)

const local = (name: string) => name.slice(name.indexOf(':') + 1)

/** Longest tag: no part of a workbook comes near it. */
const longestTag = 16_384

const attributeOf = (tag: string, wanted: string): string | undefined => {
  for (const [, name = '', , value = ''] of tag.matchAll(/(?<=\s)([\w:.-]+)\s*=\s*(["'])(.*?)\2/gs))
    if (name === wanted || local(name) === wanted) return unescaped(value)
  return undefined
}

/** Where a tag that begins at `from` ends: the first `>` outside of quotes; -1 while it is not all there. */
const endOfTag = (text: string, from: number): number => {
  let quote = ''
  for (let at = from; at < text.length; at++) {
    const letter = text[at] as string
    if (quote) {
      if (letter === quote) quote = ''
    } else if (letter === '"' || letter === "'") quote = letter
    else if (letter === '>') return at
  }
  return -1
}

const tagged = (tag: string, events: XmlEvents): void => {
  if (tag.startsWith('?')) return
  if (tag.startsWith('!')) throw new Unreadable('unreadable')
  if (tag.startsWith('/')) {
    events.close?.(local(tag.slice(1).trim()))
    return
  }
  const name = local(/^[^\s/]+/.exec(tag)?.[0] ?? '')
  events.open?.(name, wanted => attributeOf(tag, wanted))
  if (tag.endsWith('/')) events.close?.(name)
}

const specials = [
  { begin: '<!--', end: '-->' },
  { begin: '<![CDATA[', end: ']]>', isText: true },
] as const

/** Takes in what of the text is complete; answers what is left for the next piece. */
const taken = (text: string, events: XmlEvents): string => {
  let at = 0
  for (;;) {
    const begin = text.indexOf('<', at)
    if (begin < 0) {
      const half = text.lastIndexOf('&')
      const until = half >= at && text.length - half < 12 ? half : text.length
      if (until > at) events.text?.(unescaped(text.slice(at, until)))
      return text.slice(until)
    }
    if (begin > at) events.text?.(unescaped(text.slice(at, begin)))
    const special = specials.find(one => text.startsWith(one.begin, begin))
    const couldBe = text.length - begin < 9 && specials.some(one => one.begin.startsWith(text.slice(begin)))
    if (couldBe) return text.slice(begin)
    const end = special ? text.indexOf(special.end, begin + special.begin.length) : endOfTag(text, begin + 1)
    if ((end < 0 ? text.length : end) - begin > (special ? bounds.cell * 2 : longestTag))
      throw new Unreadable('unreadable')
    if (end < 0) return text.slice(begin)
    if (!special) tagged(text.slice(begin + 1, end), events)
    else if ('isText' in special) events.text?.(text.slice(begin + special.begin.length, end))
    at = end + (special?.end.length ?? 1)
  }
}

/**
 * Reads XML piece by piece without ever building it. A document type is refused, so that nothing in it can name
 * a file or multiply itself. @throws {Unreadable}
 */
export async function* readXml(pieces: AsyncIterable<Buffer>, events: XmlEvents): AsyncGenerator<void> {
  const decoder = new TextDecoder('utf-8', { fatal: true })
  let rest = ''
  const feed = (bytes?: Buffer) => {
    try {
      rest = taken(rest + (bytes ? decoder.decode(bytes, { stream: true }) : decoder.decode()), events)
    } catch (error) {
      throw error instanceof TypeError ? new Unreadable('unreadable') : error
    }
  }
  for await (const piece of pieces) {
    feed(piece)
    yield
  }
  feed()
  if (rest.trim() !== '') throw new Unreadable('unreadable')
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
