import { RateLimiterMemory, type RateLimiterRes } from 'rate-limiter-flexible'
import type { Endpoint } from '../../core/contract/endpoint.ts'
import type { Database } from '../db/database.ts'
import { twoTokens } from '../http/defence/two-tokens.ts'
import { Fault } from '../http/fault.ts'
import { tokenOf } from '../http/request.ts'
import type { Request } from '../http/serve.ts'
import { admitted, type Session } from '../session/session.ts'
import { covers, isNamed } from './coverage.ts'
import { authenticateEmbed, isEmbedToken } from './token.ts'

const callsPerMinute = 60

/** What a token of these elements and commands on money is not for, in the words of the security log. */
const trespass = (widgets: readonly string[], named: readonly string[], endpoint: Endpoint) => {
  if (!covers(widgets, endpoint)) return 'embed.endpoint'
  return isNamed(named, endpoint) ? null : 'embed.money'
}

type Admit = (request: Request, endpoint: Endpoint) => Promise<Session>

/**
 * Lets a caller in by either kind of token. One of a partner's page is good at its own origin and for the calls of its elements only:
 * anything else is refused, never signed out, and written down.
 */
export const admitter = (db: Database, perMinute = callsPerMinute): Admit => {
  const limiter = new RateLimiterMemory({ points: perMinute, duration: 60 })
  const refuseTwo = twoTokens(db)

  const note = (session: Session, request: Request, path: string, kind: string) =>
    db.withTx(async tx =>
      tx.append('securityLog', {
        at: tx.now,
        securityKind: kind,
        partnerNo: session.embed?.partnerNo,
        userNo: session.userNo,
        objectNo: session.embed?.tokenNo,
        origin: request.headers.get('origin')?.slice(0, 200),
        path,
        ip: request.ip,
        requestId: request.requestId,
      }),
    )

  return async (request, endpoint) => {
    await refuseTwo(request, endpoint.path)
    const token = tokenOf(request.headers)
    if (!isEmbedToken(token)) {
      const session = await admitted(db, token, request.language, { listens: request.atPartner })
      if (request.atPartner) throw new Fault('forbidden', 'errors.embedOutside')
      return session
    }
    const session = await db.withTx(tx => authenticateEmbed(tx, token, request.language))
    const { origin = '', widgets = [], moneyCommands = [], chainNo = '' } = session.embed ?? {}
    const kind = request.headers.get('origin') !== origin ? 'embed.origin' : trespass(widgets, moneyCommands, endpoint)
    if (kind) {
      await note(session, request, endpoint.path, kind)
      throw new Fault('forbidden', 'errors.embedOutside')
    }
    try {
      await limiter.consume(chainNo)
    } catch (limit) {
      const seconds = Math.ceil((limit as RateLimiterRes).msBeforeNext / 1000)
      throw new Fault('tooMany', 'errors.tooManyAttempts', { seconds })
    }
    return session
  }
}
