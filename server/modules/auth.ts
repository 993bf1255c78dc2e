import { createHash, randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import { RateLimiterMemory, type RateLimiterRes } from 'rate-limiter-flexible'
import { contract } from '../../core/contract/contract.ts'
import type { Tx } from '../db/database.ts'
import { endTokens } from '../embed/token.ts'
import { Fault, invalid } from '../fault.ts'
import type { Module } from '../module.ts'
import { refuseWrongPassword } from '../own-password.ts'
import { hashPassword, isPassword, passwordFlaw } from '../password.ts'
import { type PublicCall, type Request, serve, servePublic } from '../serve.ts'
import { hashToken, openSession } from '../session.ts'
import { throttleOf } from '../throttle.ts'
import { selfOf } from './self.ts'

const challengeMinutes = 10

/** Where a sign-in comes from: one network and one browser. A challenge is good for nobody else. */
const clientOf = ({ ip, browser }: Request): string => {
  const address = ip?.replace(/^::ffff:/, '') ?? ''
  const network = address.includes(':')
    ? address.split(':').slice(0, 4).join(':')
    : address.split('.').slice(0, 3).join('.')
  return createHash('sha256')
    .update(`${network} ${browser ?? ''}`)
    .digest('base64url')
}

/** Null, or the refusal when an address asks too often. */
const take = async (limiter: RateLimiterMemory, request: Request): Promise<Fault | null> => {
  try {
    await limiter.consume(request.ip ?? 'unknown')
    return null
  } catch (limit) {
    return new Fault('tooMany', 'errors.tooManyAttempts', {
      seconds: Math.ceil((limit as RateLimiterRes).msBeforeNext / 1000),
    })
  }
}

/** Uses the challenge up, whatever comes of it. */
const burn = async (tx: Tx, challengeId: string, client: string): Promise<boolean> => {
  const burned = await tx.exec(sql`
    update login_challenge set used_time = ${tx.now}, tries = tries + 1
    where challenge_id = ${challengeId} and used_time is null and expires_time > ${tx.now} and client = ${client}`)
  return burned === 1
}

type User = {
  userNo: string
  loginId: string
  realName: string
  passwordHash: string
  userStatus: string
  employeeStatus: string
}

const userBy = (tx: Tx, loginId: string) =>
  tx.maybe(
    sql<User>`select user_no, login_id, real_name, password_hash, user_status, employee_status from app_user where lower(login_id) = ${loginId}`,
  )

const note = (tx: Tx, { actor }: Pick<PublicCall, 'actor'>, action: string, loginId: string, user?: User) =>
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

/** What one address may do: sign-ins begun in a minute, and failed in ten. */
export type Limits = { challenges: number; failures: number }

/** Signing in and out, and the own password. */
export const authModule = (limits: Limits = { challenges: 30, failures: 50 }): Module => {
  const challenges = new RateLimiterMemory({ points: limits.challenges, duration: 60 })
  const failures = new RateLimiterMemory({ points: limits.failures, duration: 600 })

  const challenge = servePublic(contract.user.challenge, async ({ tx, request }) => {
    const tooMany = await take(challenges, request)
    if (tooMany) throw tooMany
    const challengeId = randomUUID()
    const expires = new Date(tx.now.getTime() + challengeMinutes * 60_000)
    await tx.exec(
      sql`insert into login_challenge (challenge_id, created_time, expires_time, client) values (${challengeId}, ${tx.now}, ${expires}, ${clientOf(request)})`,
    )
    return { challengeId, slideRequired: false, expireTime: expires.toISOString() }
  })

  /** Unknown, wrong, frozen, left and locked take the same way, the same time and get the same words. */
  const login = servePublic(contract.user.login, async call => {
    const { tx, input, request } = call
    if (!(await burn(tx, input.challengeId, clientOf(request)))) throw new Fault('validation', 'errors.challengeOver')
    const loginId = input.username.toLowerCase()
    const throttle = await throttleOf(tx, loginId)
    const user = await userBy(tx, loginId)
    const matches = await isPassword(input.password, throttle.isLocked ? undefined : user?.passwordHash)
    if (!user || !matches || user.userStatus !== 'normal' || user.employeeStatus !== 'on_job') {
      await throttle.fail()
      note(tx, call, 'user.loginFailed', loginId)
      return (await take(failures, request)) ?? new Fault('validation', 'errors.loginFailed')
    }
    await throttle.reset()
    const token = await openSession(tx, user.userNo, request)
    await tx.exec(
      sql`update app_user set last_login_time = ${tx.now}, last_login_ip = ${request.ip} where user_no = ${user.userNo}`,
    )
    note(tx, call, 'user.login', loginId, user)
    const { sessionNo } = await tx.one(
      sql<{ sessionNo: string }>`select session_no from session where token_hash = ${hashToken(token)}`,
    )
    return { nextStep: 'done' as const, token, ...(await selfOf(tx, user.userNo, sessionNo, request.language)) }
  })

  const signOut = serve(contract.user.signOut, async ({ tx, session }) => {
    await tx.exec(
      sql`update session set ended_time = ${tx.now}, ended_reason = 'signed_out' where session_no = ${session.sessionNo} and ended_time is null`,
    )
    return {}
  })

  const changePwd = serve(contract.user.changePwd, async ({ tx, input, session, actor, audit }) => {
    const user = await tx.one(sql<{ passwordHash: string; userName: string; companyName: string }>`
      select u.password_hash, u.user_name, co.company_name from app_user u join dept d using (dept_no) join org o using (org_no) join company co using (company_code)
      where u.user_no = ${session.userNo} for update of u`)
    const given = { field: 'oldPassword', given: input.oldPassword, hash: user.passwordHash }
    const wrong = await refuseWrongPassword({ tx, session }, given)
    if (wrong) return wrong
    const flaw = passwordFlaw({ ...input, words: [session.loginId, session.realName, user.userName, user.companyName] })
    if (flaw) throw invalid('newPassword', flaw)
    await tx.exec(
      sql`update app_user set password_hash = ${await hashPassword(input.newPassword)}, password_update_status = 0, version = version + 1 where user_no = ${session.userNo}`,
    )
    const ended = await tx.exec(sql`
      update session set ended_time = ${tx.now}, ended_reason = 'password.changed' where user_no = ${session.userNo} and session_no <> ${session.sessionNo} and ended_time is null`)
    const tokens = await endTokens(tx, { userNo: session.userNo }, 'password.changed', actor)
    audit({ objectType: 'user', objectNo: session.userNo, after: { sessionsEnded: ended, tokensEnded: tokens } })
    return { ended }
  })

  return { served: [challenge, login, signOut, changePwd] }
}
