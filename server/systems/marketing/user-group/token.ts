import type { Sealer } from '../../../session/seal.ts'

/** Says that something was shown to somebody at a time, in a way that nobody else can say it. */
export const seenToken = (sealer: Sealer, userNo: string, at: Date, seen: unknown): string =>
  sealer.seal(Buffer.from(JSON.stringify({ at: at.getTime(), seen })), userNo)

/** What a token says was shown, if it was to this person and not too long ago; null otherwise. */
export const seenBy = <S>(
  sealer: Sealer,
  userNo: string,
  token: string,
  o: { now: Date; minutes: number },
): S | null => {
  try {
    const { at, seen } = JSON.parse(sealer.open(token, userNo).toString()) as { at: number; seen: S }
    return at + o.minutes * 60_000 >= o.now.getTime() ? seen : null
  } catch {
    return null
  }
}
