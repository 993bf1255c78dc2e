import { HOTP, Secret, TOTP } from 'otpauth'

const stepSeconds = 30
const digits = 6
/** Tolerance for the clock of an authenticator, in steps either way. */
const drift = 1

const secretOf = (bytes: Buffer): Secret => new Secret({ buffer: Uint8Array.from(bytes).buffer })

/** The 30 seconds that an instant lies in, counted from 1970. */
export const stepAt = (at: Date): number => TOTP.counter({ period: stepSeconds, timestamp: at.getTime() })

/** When the code of a step is no longer shown. */
export const endOfStep = (step: number): Date => new Date((step + 1) * stepSeconds * 1000)

/** RFC 4226: what the authenticator shows for a counter. */
export const hotp = (secret: Buffer, counter: number, length = digits): string =>
  HOTP.generate({ secret: secretOf(secret), counter, digits: length })

/**
 * RFC 6238: the step whose code this is, at most one off from now.
 * @returns null where it is none of them, and `used` where it is one that is not newer than the last one used
 */
export const stepOf = (secret: Buffer, code: string, at: Date, last: number): number | 'used' | null => {
  if (!/^\d+$/.test(code)) return null
  const now = stepAt(at)
  const steps = Array.from({ length: 2 * drift + 1 }, (_, index) => now - drift + index)
  const held = secretOf(secret)
  const found = steps.filter(
    counter => HOTP.validate({ token: code, secret: held, counter, digits, window: 0 }) !== null,
  )
  if (found.length === 0) return null
  return found.find(step => step > last) ?? 'used'
}

/** RFC 4648: a secret as authenticator apps take it, five bits a letter. */
export const fromBase32 = (text: string): Buffer => Buffer.from(Secret.fromBase32(text).bytes)

/** Bytes as authenticator apps take them; of a multiple of five bytes. */
export const toBase32 = (bytes: Buffer): string => secretOf(bytes).base32

/** The address of a secret that authenticator apps open, and read from a QR code. */
export const addressOf = (secret: Buffer, { issuer, account }: { issuer: string; account: string }): string =>
  new TOTP({ issuer, label: account, secret: secretOf(secret), digits, period: stepSeconds }).toString()
