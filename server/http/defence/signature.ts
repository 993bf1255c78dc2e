import { createHmac, timingSafeEqual } from 'node:crypto'

const toleranceMs = 5 * 60_000

/** What a merchant's system sends to prove a request its own: HMAC-SHA256 in hex over `timestamp.rawBody`. */
export const signatureOf = (secret: string, timestamp: string, rawBody: string): string =>
  createHmac('sha256', secret).update(`${timestamp}.${rawBody}`).digest('hex')

/** Milliseconds, or seconds as many systems send them; NaN where it is neither. */
const millisecondsOf = (timestamp: string): number =>
  /^\d{13}$/.test(timestamp) ? Number(timestamp) : /^\d{10}$/.test(timestamp) ? Number(timestamp) * 1000 : Number.NaN

/** Whether a time of signing is at most five minutes from one of the clocks that count. */
export const isFresh = (timestamp: string, ...clocks: readonly number[]): boolean =>
  clocks.some(now => Math.abs(now - millisecondsOf(timestamp)) <= toleranceMs)

/** Compares in constant time; a malformed signature is compared with itself, so that it takes as long. */
export const isSignature = (given: string, expected: string): boolean => {
  const [mine, theirs] = [Buffer.from(expected), Buffer.from(given.toLowerCase())]
  const sameLength = mine.length === theirs.length
  return timingSafeEqual(mine, sameLength ? theirs : mine) && sameLength
}
