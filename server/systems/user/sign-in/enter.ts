import { sql } from 'kysely'
import type { Fault } from '../../../http/fault.ts'
import type { PublicCall } from '../../../http/serve.ts'
import { hashToken, openSession } from '../../../session/session.ts'
import { throttleOf } from '../../../session/throttle.ts'
import { selfOf } from '../account/index.ts'
import { actorOf, type Challenge, challengeFailed, note, step, type User } from './challenge.ts'
import { countAndTell } from './locked.ts'

/** How many wrong codes a step takes before the sign-in is over. */
export const triesAllowed = 5

/** Opens a session; answers its token with who that is and what they may. */
export const enter = async (call: PublicCall, user: User, deviceMark?: string) => {
  const { tx, request } = call
  const token = await openSession(tx, user.userNo, { ...request, deviceMark })
  await tx.exec(
    sql`
      update app_user set last_login_time = ${tx.now}, last_login_ip = ${request.ip}, language = ${request.language} where user_no = ${user.userNo}`,
  )
  await (await throttleOf(tx, user.loginId.toLowerCase())).reset()
  note(tx, call, 'user.login', user.loginId, user)
  const { sessionNo } = await tx.one(
    sql<{ sessionNo: string }>`select session_no from session where token_hash = ${hashToken(token)}`,
  )
  return { nextStep: 'done' as const, token, ...(await selfOf(tx, user.userNo, sessionNo, request.language)) }
}

/** While the name is locked nothing is looked at: neither the password nor a code. */
export const refuseLocked = async (
  call: PublicCall,
  { row, user }: { row: Challenge; user: User },
  event: string,
): Promise<Fault | null> => {
  if (!(await throttleOf(call.tx, user.loginId.toLowerCase())).isLocked) return null
  await step(call.tx, row, { event, as: 'burned' }, actorOf(call, user))
  note(call.tx, call, 'user.loginFailed', user.loginId, user)
  return challengeFailed()
}

/** What follows the last factor: the session, or another password where the one that was used must not stay. */
export const proven = async (
  call: PublicCall,
  { row, user }: { row: Challenge; user: User },
  o: { event: string; deviceMark?: string },
) => {
  const { tx } = call
  const as = user.passwordUpdateStatus === 0 ? 'right' : 'change'
  await step(tx, row, { event: o.event, as }, actorOf(call, user))
  if (as === 'right') return enter(call, user, o.deviceMark)
  note(tx, call, 'user.factorShown', user.loginId, user)
  return { nextStep: 'change' as const, expireTime: row.expiresTime }
}

/**
 * A wrong code: it is counted with the sign-in, and the fifth one with the name, as a wrong password is.
 * @returns the refusal where the sign-in is over, else how many tries are left
 */
export const wrongCode = async (
  call: PublicCall,
  { row, user, tries }: { row: Challenge; user: User; tries: number },
  event: string,
) => {
  const { tx } = call
  const left = triesAllowed - tries
  if (left > 0) {
    await step(tx, row, { event, as: 'wrong', set: { tries } }, actorOf(call, user))
    note(tx, call, 'user.factorFailed', user.loginId, user)
    return left
  }
  await step(tx, row, { event, as: 'burned', set: { tries } }, actorOf(call, user))
  await countAndTell(tx, user.loginId.toLowerCase())
  note(tx, call, 'user.loginFailed', user.loginId, user)
  return challengeFailed()
}
