import { codes } from '../../core/contract/codes.ts'
import type { Database, Tx } from '../db/database.ts'
import { isLockTimeout, isUnstorable, TransactionConflict } from '../db/faults.ts'
import type { Log } from '../log.ts'
import type { Actor } from '../rights/actor.ts'
import { provenIn } from '../rights/rights.ts'
import { actorOf, type Session } from '../session/session.ts'
import { refusal } from './envelope.ts'
import { Fault } from './fault.ts'
import { type Claim, finish, resume } from './idempotency.ts'
import type { Call, Request } from './serve.ts'

/** An answer as it is stored under its key; `replayed` when it was stored by an earlier call. */
export type Answered = { body: string; replayed: boolean }
export type Deps = { db: Database; log: Log }
/** Who calls, and what was sent. */
export type Held = { session?: Session; request: Request; input: unknown }

/** Refusals that are not kept under a key: the same call may yet succeed. */
export const notKept: ReadonlySet<number> = new Set([
  codes.keyReused,
  codes.keyRunning,
  codes.needsConfirmation,
  codes.stepUp,
])

/** Who acts in a call; one without a session is anonymous. */
export const actorIn = ({ session, request }: { session?: Session; request: Request }): Actor =>
  session
    ? actorOf(session, request)
    : { no: 'anonymous', name: 'anonymous', requestId: request.requestId, ip: request.ip }

/** A call of a handler whose audit lines are not kept. */
export const callIn = (held: Held, tx: Tx) =>
  ({
    ...held,
    tx,
    actor: actorIn(held),
    audit: () => undefined,
    proven: provenIn(tx, held),
  }) as unknown as Call<never>

/** Keeps a refusal under the key of its command, so that the same call is answered the same; what may yet succeed is not kept. */
export const keeping =
  ({ db, log }: Deps) =>
  async (request: Request, key: Claim | null, error: unknown): Promise<Answered> => {
    if (isLockTimeout(error) || error instanceof TransactionConflict) throw new Fault('stateConflict', 'errors.busy')
    const fault = isUnstorable(error) ? new Fault('validation', 'validation.wrongValue') : error
    if (fault !== error) log.warn({ err: error, requestId: request.requestId }, 'a value cannot be stored')
    if (!(fault instanceof Fault) || !key || notKept.has(fault.code)) throw fault
    const body = JSON.stringify(refusal(request.language, fault))
    return db.withTx(async tx => {
      const stored = await resume(tx, key)
      if (stored) return { body: stored, replayed: true }
      await finish(tx, key, body)
      return { body, replayed: false }
    })
  }
export type Kept = ReturnType<typeof keeping>
