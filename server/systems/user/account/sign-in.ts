import { createHash } from 'node:crypto'
import { sql } from 'kysely'
import type { NextStep } from '../../../../core/contract/user/user.ts'
import type { Tx } from '../../../db/database.ts'
import { Fault } from '../../../http/fault.ts'
import type { PublicCall, Request } from '../../../http/serve.ts'
import { hashToken, mayEnter, openSession } from '../../../session/session.ts'
import { selfOf } from './self.ts'

/** How long a sign-in may take from one step to the next. */
export const challengeMinutes = 10

/** Where a sign-in comes from: one network and one browser. A challenge is good for nobody else. */
export const clientOf = ({ ip, browser }: Request): string => {
  const address = ip?.replace(/^::ffff:/, '') ?? ''
  const network = address.includes(':')
    ? address.split(':').slice(0, 4).join(':')
    : address.split('.').slice(0, 3).join('.')
  return createHash('sha256')
    .update(`${network} ${browser ?? ''}`)
    .digest('base64url')
}

export const challengeOver = () => new Fault('validation', 'errors.challengeOver')

/** Uses the challenge up, whatever comes of it. */
export const burn = async (tx: Tx, challengeId: string, request: Request): Promise<void> => {
  const burned = await tx.exec(sql`
    update login_challenge set used_time = ${tx.now}, tries = tries + 1
    where challenge_id = ${challengeId} and used_time is null and expires_time > ${tx.now} and client = ${clientOf(request)}`)
  if (burned !== 1) throw challengeOver()
}

export type User = { userNo: string; loginId: string; realName: string; passwordHash: string; mayEnter: boolean }

export const userWhere = (tx: Tx, where: ReturnType<typeof sql>): Promise<User | undefined> =>
  tx.maybe(
    sql<User>`select u.user_no, u.login_id, u.real_name, u.password_hash, ${mayEnter} as may_enter from app_user u where ${where}`,
  )

/** Writes into the audit log what somebody did who is not signed in yet. */
export const note = (tx: Tx, { actor }: Pick<PublicCall, 'actor'>, action: string, loginId: string, user?: User) =>
  tx.append('auditLog', {
    action,
    objectType: 'user',
    objectNo: user?.userNo ?? loginId,
    orderNo: null,
    actor: user?.userNo ?? actor.no,
    actorName: user?.realName ?? loginId,
    at: tx.now,
    requestId: actor.requestId,
    ip: actor.ip,
    before: null,
    after: null,
  })

/** Opens a session; answers its token with who that is and what they may. */
export const enter = async (call: PublicCall, user: User, deviceMark?: string) => {
  const { tx, request } = call
  const token = await openSession(tx, user.userNo, { ...request, deviceMark })
  await tx.exec(
    sql`update app_user set last_login_time = ${tx.now}, last_login_ip = ${request.ip} where user_no = ${user.userNo}`,
  )
  note(tx, call, 'user.login', user.loginId, user)
  const { sessionNo } = await tx.one(
    sql<{ sessionNo: string }>`select session_no from session where token_hash = ${hashToken(token)}`,
  )
  return { token, ...(await selfOf(tx, user.userNo, sessionNo, request.language)) }
}

/** What follows a right password: the session, or the binding of an authenticator where there is none and the organization asks for one. */
export const proceed = async (
  call: PublicCall,
  user: User,
  { challengeId, deviceMark }: { challengeId: string; deviceMark?: string },
): Promise<NextStep> => {
  const { tx } = call
  const { maySkip } = await tx.one(sql<{ maySkip: boolean }>`
    select o.sign_in_unbound or exists (select 1 from user_mfa m where m.user_no = u.user_no and m.mfa_status = 'bound') as may_skip
    from app_user u join dept d using (dept_no) join org o using (org_no) where u.user_no = ${user.userNo}`)
  if (maySkip) return { nextStep: 'done', ...(await enter(call, user, deviceMark)) }
  const expires = new Date(tx.now.getTime() + challengeMinutes * 60_000)
  await tx.exec(sql`
    update login_challenge set user_no = ${user.userNo}, step = 'bind', expires_time = ${expires} where challenge_id = ${challengeId}`)
  return { nextStep: 'bind', expireTime: expires.toISOString() }
}
