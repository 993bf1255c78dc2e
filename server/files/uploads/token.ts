import { createHmac, timingSafeEqual } from 'node:crypto'

/** Minutes for which a token is good. */
export const tokenMinutes = 10

/** What a token is bound to. */
export type Bound = { uploadNo: string; userNo: string; purpose: string; size: number }

/** Makes and reads the tokens of uploads, by a key of their own. */
export const uploadTokens = (secret: Buffer) => {
  const key = createHmac('sha256', secret).update('upload token').digest()
  const sign = ({ uploadNo, userNo, purpose, size }: Bound, until: string) =>
    createHmac('sha256', key).update([uploadNo, userNo, purpose, size, until].join('\n')).digest()

  return {
    make: (bound: Bound, now: Date): { token: string; expireTime: string } => {
      const until = now.getTime() + tokenMinutes * 60_000
      const token = `${until.toString(36)}.${sign(bound, String(until)).toString('base64url')}`
      return { token, expireTime: new Date(until).toISOString() }
    },
    /** Whether a token was made for exactly this, and is still good. */
    holds: (token: string, bound: Bound, now: Date): boolean => {
      const [time = '', signature = ''] = token.split('.')
      const until = Number.parseInt(time, 36)
      const [given, expected] = [Buffer.from(signature, 'base64url'), sign(bound, String(until))]
      return given.length === expected.length && timingSafeEqual(given, expected) && until > now.getTime()
    },
  }
}
/** Makes and checks the tokens of uploads. */
export type UploadTokens = ReturnType<typeof uploadTokens>
