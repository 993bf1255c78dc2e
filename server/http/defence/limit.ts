import { RateLimiterMemory, type RateLimiterRes } from 'rate-limiter-flexible'
import { Fault } from '../fault.ts'

/** A rate limit per key; the key names client and account, so that one caller does not block another. */
export type Limit = {
  /** Counts one more. @returns the refusal when that is too many */
  take(...key: (string | null | undefined)[]): Promise<Fault | null>
  /** The refusal when nothing is left, without counting. */
  over(...key: (string | null | undefined)[]): Promise<Fault | null>
}

const refusal = (ms: number) =>
  new Fault('tooMany', 'errors.tooManyAttempts', { seconds: Math.max(1, Math.ceil(ms / 1000)) })

/** At most `points` in `seconds`, in this process. */
export const limitOf = (points: number, seconds: number): Limit => {
  const limiter = new RateLimiterMemory({ points, duration: seconds })
  const keyOf = (parts: readonly (string | null | undefined)[]) => JSON.stringify(parts.map(part => part ?? ''))
  return {
    async take(...parts) {
      try {
        await limiter.consume(keyOf(parts))
        return null
      } catch (limit) {
        return refusal((limit as RateLimiterRes).msBeforeNext)
      }
    },
    async over(...parts) {
      const found = await limiter.get(keyOf(parts))
      return found && found.remainingPoints <= 0 ? refusal(found.msBeforeNext) : null
    },
  }
}
