import { smsParts } from '../../../../core/rules/text/sms-parts.ts'

/** One part of a text as it is submitted: its alphabet, its words, and its header where there are several. */
export type Part = { dataCoding: 0 | 8; udh: Buffer | null; message: string }

const alphabet = {
  gsm7: { dataCoding: 0, single: 160, each: 153 },
  ucs2: { dataCoding: 8, single: 70, each: 67 },
} as const
const doubled = new Set('^{}\\[~]|€\f')

/** The words of each part: neither a letter of two places nor a pair of one character is torn in two. */
const split = (text: string, most: number, lengthOf: (letter: string) => number): string[] => {
  const parts: string[] = []
  let [part, used] = ['', 0]
  for (const letter of text) {
    const length = lengthOf(letter)
    if (used + length > most) {
      parts.push(part)
      part = ''
      used = 0
    }
    part += letter
    used += length
  }
  return [...parts, part]
}

/** The parts of a text; those of several carry a header (UDH) with a number that they share, how many they are, and which one this is. */
export const partsOf = (text: string, shared: number): Part[] => {
  const { encoding, length } = smsParts(text)
  const { dataCoding, single, each } = alphabet[encoding]
  if (length <= single) return [{ dataCoding, udh: null, message: text }]
  const lengthOf = (letter: string) => (encoding === 'ucs2' ? letter.length : doubled.has(letter) ? 2 : 1)
  const words = split(text, each, lengthOf)
  return words.map((message, at) => ({
    dataCoding,
    udh: Buffer.from([5, 0, 3, shared & 255, words.length, at + 1]),
    message,
  }))
}
