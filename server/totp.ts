import { createHmac, timingSafeEqual } from 'node:crypto'

const stepSeconds = 30
const digits = 6
/** How far the clock of an authenticator may be off, in steps either way. */
const drift = 1

/** The 30 seconds that an instant lies in, counted from 1970. */
export const stepAt = (at: Date): number => Math.floor(at.getTime() / 1000 / stepSeconds)

/** When the code of a step is no longer shown. */
export const endOfStep = (step: number): Date => new Date((step + 1) * stepSeconds * 1000)

/** RFC 4226: what the authenticator shows for a counter. */
export const hotp = (secret: Buffer, counter: number, length = digits): string => {
  const message = Buffer.alloc(8)
  message.writeBigUInt64BE(BigInt(counter))
  const mac = createHmac('sha1', secret).update(message).digest()
  const at = (mac.at(-1) as number) & 0xf
  const number = mac.readUInt32BE(at) & 0x7fffffff
  return String(number % 10 ** length).padStart(length, '0')
}

/**
 * RFC 6238: the step whose code this is, at most one off from now.
 * @returns null where it is none of them, and `used` where it is one that is not newer than the last one used
 */
export const stepOf = (secret: Buffer, code: string, at: Date, last: number): number | 'used' | null => {
  const given = Buffer.from(code.padEnd(digits).slice(0, digits))
  const now = stepAt(at)
  const steps = Array.from({ length: 2 * drift + 1 }, (_, index) => now - drift + index)
  const found = steps.filter(step => timingSafeEqual(Buffer.from(hotp(secret, step)), given))
  if (found.length === 0) return null
  return found.find(step => step > last) ?? 'used'
}

const base32 = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567'

/** RFC 4648: a secret as authenticator apps take it, five bits a letter. */
export const fromBase32 = (text: string): Buffer => {
  const bits = [...text].map(letter => base32.indexOf(letter).toString(2).padStart(5, '0')).join('')
  return Buffer.from(bits.match(/.{8}/g)?.map(byte => Number.parseInt(byte, 2)) ?? [])
}

/** Bytes as authenticator apps take them; of a multiple of five bytes. */
export const toBase32 = (bytes: Buffer): string =>
  (
    [...bytes]
      .map(byte => byte.toString(2).padStart(8, '0'))
      .join('')
      .match(/.{5}/g) ?? []
  )
    .map(bits => base32[Number.parseInt(bits, 2)])
    .join('')
