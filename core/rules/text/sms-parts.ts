const basic = new Set(
  '@£$¥èéùìòÇ\nØø\rÅåΔ_ΦΓΛΩΠΨΣΘΞÆæßÉ !"#¤%&\'()*+,-./0123456789:;<=>?¡ABCDEFGHIJKLMNOPQRSTUVWXYZÄÖÑÜ§¿abcdefghijklmnopqrstuvwxyzäöñüà',
)
/** Characters of the extension table: each takes the room of two. */
const extended = new Set('^{}\\[~]|€\f')
const room = { gsm7: [160, 153], ucs2: [70, 67] } as const

/** Most parts of one text. */
export const maxParts = 4

/** How a text travels: its alphabet, its length in it, in how many parts it is sent and paid for, and which characters make it dear. */
export type SmsParts = {
  encoding: keyof typeof room
  length: number
  /** What fits into the parts that it takes. */
  room: number
  parts: number
  /** Characters outside of GSM-7, each once. */
  forced: string[]
}

const isUcs2 = (letter: string) => !basic.has(letter) && !extended.has(letter)

/** Parts of a text message (3GPP TS 23.038): 160 characters in one part and 153 in each of several, or 70 and 67 once a character is not of GSM-7. */
export const smsParts = (text: string): SmsParts => {
  const forced = [...new Set([...text].filter(isUcs2))]
  const encoding = forced.length ? 'ucs2' : 'gsm7'
  const length = forced.length ? text.length : [...text].reduce((sum, one) => sum + (extended.has(one) ? 2 : 1), 0)
  const [single, each] = room[encoding]
  const parts = length <= single ? 1 : Math.ceil(length / each)
  return { encoding, length, room: parts === 1 ? single : parts * each, parts, forced }
}
