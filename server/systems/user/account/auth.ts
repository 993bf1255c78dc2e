import { randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import { contract } from '../../../../core/contract/contract.ts'
import type { Tx } from '../../../db/database.ts'
import { endTokens } from '../../../embed/token.ts'
import { limitOf } from '../../../http/defence/limit.ts'
import { Fault, invalid } from '../../../http/fault.ts'
import { serve, servePublic, servePublicWork, serveWork } from '../../../http/serve.ts'
import type { Deps, Module } from '../../../module.ts'
import { isOwn, refuseWrong, tryOwn } from '../../../session/own-password.ts'
import { hashPassword, isPassword, passwordFlaw } from '../../../session/password.ts'
import { countTry, takeBack } from '../../../session/throttle.ts'
import { burn, challengeMinutes, clientOf, note, proceed, userWhere } from './sign-in.ts'
import { signInBind } from './sign-in-bind.ts'
import { openLink } from './sign-in-link.ts'

const knownDays = 30

/**
 * What may be tried: sign-ins that one client begins for one account in a minute, all that an address begins in a minute, and those
 * from an address that fail in ten.
 */
export type Limits = { challenges: number; perAddress: number; failures: number }
const usual: Limits = { challenges: 30, perAddress: 600, failures: 50 }

/** Whether somebody signed in from an address lately: what others there do wrong does not shut them out. */
const isKnownAt = async (tx: Tx, userNo: string, ip: string | null): Promise<boolean> =>
  (await tx.maybe(sql<object>`
    select 1 from session where user_no = ${userNo} and ip = ${ip} and created_time > ${new Date(tx.now.getTime() - knownDays * 86_400_000)} limit 1`)) !==
  undefined

type Counted = ReturnType<typeof limitOf>

/** Begins a sign-in. */
const challengeServed = ({ begun, begunAt }: Record<'begun' | 'begunAt', Counted>) =>
  servePublic(contract.user.challenge, async ({ tx, input, request }) => {
    const account = input.username?.toLowerCase()
    const tooMany =
      (await begun.take(request.ip, ...(account ? [account] : [null, request.browser]))) ??
      (await begunAt.take(request.ip))
    if (tooMany) throw tooMany
    const challengeId = randomUUID()
    const expires = new Date(tx.now.getTime() + challengeMinutes * 60_000)
    await tx.exec(
      sql`insert into login_challenge (challenge_id, created_time, expires_time, client) values (${challengeId}, ${tx.now}, ${expires}, ${clientOf(request)})`,
    )
    return { challengeId, slideRequired: false, expireTime: expires.toISOString() }
  })

/** Unknown, wrong, frozen, left and locked take the same way, the same time and get the same words. */
const loginServed = (failed: Counted) =>
  servePublicWork(contract.user.login, {
    async before({ tx, input, request }) {
      await burn(tx, input.challengeId, request)
      const loginId = input.username.toLowerCase()
      const counted = await countTry(tx, loginId)
      const user = await userWhere(tx, sql`lower(u.login_id) = ${loginId}`)
      const tooMany = await failed.over(request.ip)
      const isShut = counted.isLocked || (tooMany && !(user && (await isKnownAt(tx, user.userNo, request.ip))))
      return { loginId, counted, hash: isShut ? undefined : user?.passwordHash, given: input.password }
    },
    work: async tried => ({ ...tried, matches: await isPassword(tried.given, tried.hash) }),
    async after(call, { loginId, counted, hash, matches }) {
      const { tx, input, request } = call
      const user = await userWhere(tx, sql`lower(u.login_id) = ${loginId}`)
      if (!matches || !user?.mayEnter || user.passwordHash !== hash) {
        note(tx, call, 'user.loginFailed', loginId)
        return (await failed.take(request.ip)) ?? new Fault('validation', 'errors.loginFailed')
      }
      await takeBack(tx, counted)
      return proceed(call, user, input)
    },
  })

const signOut = serve(contract.user.signOut, async ({ tx, session }) => {
  await tx.exec(
    sql`update session set ended_time = ${tx.now}, ended_reason = 'signed_out' where session_no = ${session.sessionNo} and ended_time is null`,
  )
  return {}
})

const changePwd = serveWork(contract.user.changePwd, {
  async before(call) {
    const { tx, input, session } = call
    const own = await tryOwn(call, input.oldPassword)
    const names = await tx.one(sql<{ userName: string; companyName: string }>`
      select u.user_name, co.company_name from app_user u join dept d using (dept_no) join org o using (org_no) join company co using (company_code)
      where u.user_no = ${session.userNo}`)
    const words = [session.loginId, session.realName, names.userName, names.companyName]
    return { own, flaw: passwordFlaw({ ...input, words }), newPassword: input.newPassword }
  },
  async work({ own, flaw, newPassword }) {
    const isRight = await isOwn(own)
    return { own, isRight, flaw, hash: isRight && !flaw ? await hashPassword(newPassword) : null }
  },
  async after(call, { own, isRight, flaw, hash }) {
    const { tx, session, actor, audit } = call
    const wrong = await refuseWrong(call, own, { field: 'oldPassword', isRight })
    if (wrong) return wrong
    if (flaw) return invalid('newPassword', flaw)
    await tx.exec(
      sql`update app_user set password_hash = ${hash}, password_update_status = 0, version = version + 1 where user_no = ${session.userNo}`,
    )
    const ended = await tx.exec(sql`
      update session set ended_time = ${tx.now}, ended_reason = 'password.changed' where user_no = ${session.userNo} and session_no <> ${session.sessionNo} and ended_time is null`)
    const tokens = await endTokens(tx, { userNo: session.userNo }, 'password.changed', actor)
    audit({ objectType: 'user', objectNo: session.userNo, after: { sessionsEnded: ended, tokensEnded: tokens } })
    return { ended }
  },
})

/** Signing in and out, and the own password. */
export const authModule = ({ secretKey }: Pick<Deps, 'secretKey'>, limits: Partial<Limits> = {}): Module => {
  const { challenges, perAddress, failures } = { ...usual, ...limits }
  const begun = limitOf(challenges, 60)
  const begunAt = limitOf(perAddress, 60)
  const failed = limitOf(failures, 600)

  return {
    served: [
      challengeServed({ begun, begunAt }),
      loginServed(failed),
      openLink,
      ...signInBind(secretKey),
      signOut,
      changePwd,
    ],
  }
}
