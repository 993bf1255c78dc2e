import { RateLimiterMemory } from 'rate-limiter-flexible'
import type { Database } from '../../db/database.ts'
import { signedOut } from '../../session/session.ts'
import { hasTwoTokens } from '../request.ts'

/** Lines of the security log that one address can cause without a token. */
const notesPerMinute = 10

type From = { headers: Headers; ip: string | null; requestId: string }

/**
 * Refuses a call whose two header names carry different tokens, as one that nobody is signed in for, and writes it down: somebody
 * may hope that one is checked and the other used.
 */
export const twoTokens = (db: Database) => {
  const noted = new RateLimiterMemory({ points: notesPerMinute, duration: 60 })
  return async ({ headers, ip, requestId }: From, path: string): Promise<void> => {
    if (!hasTwoTokens(headers)) return
    const isFew = await noted.consume(ip ?? 'unknown').then(
      () => true,
      () => false,
    )
    const origin = headers.get('origin')?.slice(0, 200)
    if (isFew)
      await db.withTx(async tx =>
        tx.append('securityLog', { at: tx.now, securityKind: 'session.twoTokens', origin, path, ip, requestId }),
      )
    throw signedOut()
  }
}
