import { randomBytes } from 'node:crypto'
import { sql } from 'kysely'
import { eatDateTime } from '../core/rules/time.ts'
import type { Tx } from './db/database.ts'
import { Fault } from './fault.ts'
import type { Request } from './serve.ts'
import { hashToken, type Session } from './session.ts'

/** How long a proof is good for. */
export const proofMinutes = 10

/** Notes that the person of a session has just shown a code; answers the proof, which is kept nowhere. */
export const openProof = async (tx: Tx, sessionNo: string): Promise<{ stepUp: string; expireTime: string }> => {
  const stepUp = randomBytes(32).toString('base64url')
  const expires = new Date(tx.now.getTime() + proofMinutes * 60_000)
  await tx.exec(sql`
    insert into step_up (token_hash, session_no, created_time, expires_time) values (${hashToken(stepUp)}, ${sessionNo}, ${tx.now}, ${expires})`)
  return { stepUp, expireTime: expires.toISOString() }
}

/**
 * Refuses with 40302 unless the call carries a proof of its own session that is not over and was given for no other code than `perm`,
 * and whoever has bound an authenticator in the place of one that was taken away until its first day is over.
 */
export const checkProof = async (
  tx: Tx,
  { session, request, perm }: { session: Session; request: Request; perm: string },
): Promise<void> => {
  const binding = await tx.maybe(
    sql<{
      mfaStatus: string
      moneyFrom: string | null
    }>`select mfa_status, money_from from user_mfa where user_no = ${session.userNo}`,
  )
  if (binding?.moneyFrom && Date.parse(binding.moneyFrom) > tx.now.getTime())
    throw new Fault('forbidden', 'errors.mfaSleeping', { time: eatDateTime(binding.moneyFrom) })
  const given = request.headers.get('x-step-up')
  const proven = given
    ? await tx.exec(sql`
        update step_up set perm = ${perm}
        where token_hash = ${hashToken(given)} and session_no = ${session.sessionNo} and expires_time > ${tx.now} and coalesce(perm, ${perm}) = ${perm}`)
    : 0
  if (proven === 1) return
  throw new Fault('stepUp', 'errors.stepUp', {}, { perm, bound: binding?.mfaStatus === 'bound' })
}
