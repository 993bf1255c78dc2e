import { must } from './bad.ts'

/** How text begins that is made to act, however it is called. */
const others = /^\s*(?:<(?:!doctype|html|script|svg|\?xml|\?php|body|iframe)|#!)/i
const utf16 = { le: Buffer.from([0xff, 0xfe]), be: Buffer.from([0xfe, 0xff]) }

/** Signs that no table holds. */
const isControl = (unit: number) => unit < 0x20 && unit !== 0x09 && unit !== 0x0a && unit !== 0x0d

const units = (bytes: Buffer, bigEnd: boolean): string => {
  must(bytes.length % 2 === 0, 'half a letter')
  const swapped = bigEnd ? Buffer.from(bytes).swap16() : bytes
  return swapped.toString('utf16le', 2)
}

/** Text of any encoding, and nothing but text: its table is read by the import. */
export const csv = (bytes: Buffer): void => {
  const mark = bytes.subarray(0, 2)
  const wide = mark.equals(utf16.le) || mark.equals(utf16.be)
  const text = wide ? units(bytes, mark.equals(utf16.be)) : bytes.toString('latin1').replace(/^\xef\xbb\xbf/, '')
  must(!others.test(text), 'something else than a table', 'format')
  for (let at = 0; at < text.length; at++) must(!isControl(text.charCodeAt(at)), 'signs that no table holds', 'format')
}

/** A message of a bank: a document without a document type, and nothing of a page. */
export const xml = (bytes: Buffer): void => {
  const text = bytes.toString('latin1').replace(/^\xef\xbb\xbf/, '')
  must(/^\s*<(?:\?xml\s|Document[\s>])/.test(text), 'no message', 'format')
  must(!/<!(?:doctype|entity)/i.test(text), 'a document type', 'format')
  for (let at = 0; at < text.length; at++)
    must(!isControl(text.charCodeAt(at)), 'signs that no message holds', 'format')
}
