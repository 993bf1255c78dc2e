const basic = new Set(
  '@£$¥èéùìòÇ\nØø\rÅåΔ_ΦΓΛΩΠΨΣΘΞÆæßÉ !"#¤%&\'()*+,-./0123456789:;<=>?¡ABCDEFGHIJKLMNOPQRSTUVWXYZÄÖÑÜ§¿abcdefghijklmnopqrstuvwxyzäöñüà',
)
/** Characters of the extension table: each takes the room of two. */
const extended = new Set('^{}\\[~]|€\f')
const room = { gsm7: [160, 153], ucs2: [70, 67] } as const

/** How a text travels: its alphabet, and in how many parts it is sent and paid for. */
export type SmsParts = { encoding: keyof typeof room; parts: number }

/** Parts of a text message (3GPP TS 23.038): 160 characters in one part and 153 in each of several, or 70 and 67 once a character is not of GSM-7. */
export const smsParts = (text: string): SmsParts => {
  const isBasic = [...text].every(letter => basic.has(letter) || extended.has(letter))
  const encoding = isBasic ? 'gsm7' : 'ucs2'
  const length = isBasic ? [...text].reduce((sum, letter) => sum + (extended.has(letter) ? 2 : 1), 0) : text.length
  const [single, each] = room[encoding]
  return { encoding, parts: length <= single ? 1 : Math.ceil(length / each) }
}
