import { sql } from 'kysely'
import type { Tx } from '../db/database.ts'
import { endTokens } from '../embed/token.ts'
import type { Actor } from '../rights/actor.ts'
import { begin, transition } from '../states/transition.ts'

/** No password matches it: the person sets one with a link. */
export const noPassword = 'none'

/** Writes a person of the staff, by the columns of `app_user`, who may sign in and works here. */
export const writePerson = async (
  tx: Tx,
  { merchantNos = [], ...values }: Record<string, unknown> & { userNo: string; merchantNos?: readonly string[] },
  actor: Actor,
): Promise<void> => {
  const row = { passwordHash: noPassword, createdTime: tx.now, ...values }
  await begin(
    tx,
    [
      ['userAccount', { event: 'user.add' }],
      ['employee', { event: 'employee.add' }],
    ],
    row,
    actor,
  )
  for (const merchantNo of merchantNos)
    await tx.exec(sql`insert into user_merchant values (${values.userNo}, ${merchantNo})`)
}

/** Ends the sessions of a person and the tokens that partners' pages have of them; answers how many there were. */
export const endAccess = async (tx: Tx, userNo: string, reason: string, actor: Actor): Promise<number> => {
  const ended = await tx.exec(
    sql`update session set ended_time = ${tx.now}, ended_reason = ${reason} where user_no = ${userNo} and ended_time is null`,
  )
  return ended + (await endTokens(tx, { userNo }, reason, actor))
}

/** What decides about a person, as it is read and locked. */
export type PersonState = { userNo: string; userStatus: string; employeeStatus: string; version: number }

export type FreezeReason = 'manual' | 'left' | 'expired' | 'security'

/** Locks a person by number. */
export const lockState = (tx: Tx, userNo: string): Promise<PersonState> =>
  tx.one(sql<PersonState>`
    select user_no, user_status, employee_status, version from app_user where user_no = ${userNo} for update`)

/** Stops a locked person from signing in, and ends every session and token at once. */
export const freezePerson = async <P extends PersonState>(
  tx: Tx,
  person: P,
  why: { reason: FreezeReason; remark?: string },
  actor: Actor,
): Promise<{ person: P; ended: number }> => {
  const move = {
    event: 'user.freeze',
    as: why.reason === 'manual' ? 'person' : 'system',
    set: { freezeTime: tx.now, freezeReason: why.reason },
    payload: why,
  }
  const frozen = await transition(tx, 'userAccount', person, move, actor)
  return { person: frozen, ended: await endAccess(tx, person.userNo, 'user.freeze', actor) }
}

/** Notes that a locked person has left, who is frozen with it. */
export const leavePerson = async <P extends PersonState>(
  tx: Tx,
  person: P,
  lastDay: string,
  actor: Actor,
): Promise<{ person: P; ended: number }> => {
  const left = await transition(tx, 'employee', person, { event: 'employee.leave', set: { lastDay } }, actor)
  if (left.userStatus === 'normal') return freezePerson(tx, left, { reason: 'left' }, actor)
  return { person: left, ended: await endAccess(tx, person.userNo, 'employee.leave', actor) }
}
