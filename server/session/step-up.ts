import { randomBytes } from 'node:crypto'
import { sql } from 'kysely'
import { eatDateTime } from '../../core/rules/time.ts'
import type { Tx } from '../db/database.ts'
import { Fault } from '../http/fault.ts'
import type { Request } from '../http/serve.ts'
import { hashToken, type Session } from './session.ts'

/** How long a proof is good for. */
export const proofMinutes = 10

/** Whose proof it is: of a session of the console, or of the page of a partner, whose renewed tokens are one chain. */
export type Prover = Pick<Session, 'sessionNo' | 'embed'>

/** Records that the person of a session has just shown a code. @returns the proof, which is not stored */
export const openProof = async (
  tx: Tx,
  { sessionNo, embed }: Prover,
): Promise<{ stepUp: string; expireTime: string }> => {
  const stepUp = randomBytes(32).toString('base64url')
  const expires = new Date(tx.now.getTime() + proofMinutes * 60_000)
  await tx.exec(sql`
    insert into step_up (token_hash, session_no, chain_no, created_time, expires_time)
    values (${hashToken(stepUp)}, ${embed ? null : sessionNo}, ${embed?.chainNo ?? null}, ${tx.now}, ${expires})`)
  return { stepUp, expireTime: expires.toISOString() }
}

/** Uses a proof. In the console it is good for one operation code until its time; a page of a partner needs a new one for each call. */
const use = (tx: Tx, { sessionNo, embed }: Prover, proof: string, perm: string): Promise<number> =>
  embed
    ? tx.exec(sql`
        delete from step_up where token_hash = ${hashToken(proof)} and chain_no = ${embed.chainNo} and expires_time > ${tx.now}`)
    : tx.exec(sql`
        update step_up set perm = ${perm}
        where token_hash = ${hashToken(proof)} and session_no = ${sessionNo} and expires_time > ${tx.now} and coalesce(perm, ${perm}) = ${perm}`)

/**
 * Refuses with 40302 unless the call carries a proof of its own session that is not over and was given for no other code than `perm`,
 * and people with an authenticator bound after a reset until its first day is over.
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
  if (given && (await use(tx, session, given, perm)) === 1) return
  throw new Fault('stepUp', 'errors.stepUp', {}, { perm, bound: binding?.mfaStatus === 'bound' })
}
