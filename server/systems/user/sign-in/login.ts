import { sql } from 'kysely'
import { type NextStep, signIn } from '../../../../core/contract/user/sign-in.ts'
import type { Tx } from '../../../db/database.ts'
import type { limitOf } from '../../../http/defence/limit.ts'
import { Fault } from '../../../http/fault.ts'
import { type PublicCall, type Served, servePublicWork } from '../../../http/serve.ts'
import { isPassword } from '../../../session/password.ts'
import { giveBack } from '../../../session/throttle.ts'
import { actorOf, type Challenge, challengeOver, note, openChallenge, step, type User, userWhere } from './challenge.ts'
import { channelsOf } from './code.ts'
import { countAndTell } from './locked.ts'
import { asksCode, asksSlide } from './policy.ts'
import { hashOf } from './puzzle.ts'

const knownDays = 30

/** Whether somebody signed in from an address lately: what others there do wrong does not shut them out. */
const isKnownAt = async (tx: Tx, userNo: string, ip: string | null): Promise<boolean> =>
  (await tx.maybe(sql<object>`
    select 1 from session where user_no = ${userNo} and ip = ${ip} and created_time > ${new Date(tx.now.getTime() - knownDays * 86_400_000)} limit 1`)) !==
  undefined

/** The sign-in whose password or link is tried now: once, whatever comes of it. */
export const tried = async (call: PublicCall, challengeId: string): Promise<Challenge> => {
  const row = await openChallenge(call, challengeId, 'logon.login')
  const taken = await call.tx.exec(sql`
    update login_challenge set used_time = ${call.tx.now} where challenge_id = ${challengeId} and used_time is null`)
  if (taken !== 1) throw challengeOver()
  return row
}

/** Whether the slide that is asked for was shown, with the token of its answer. */
const isSlid = async (tx: Tx, row: Challenge, o: { username: string; slideToken?: string }): Promise<boolean> => {
  if (row.challengeStatus === 'issued') return !row.slideRequired && !(await asksSlide(tx, o.username))
  const { slideTokenHash, slideTokenUntil } = row
  if (slideTokenHash === null || slideTokenUntil === null || o.slideToken === undefined) return false
  return slideTokenHash === hashOf(o.slideToken) && Date.parse(slideTokenUntil) > tx.now.getTime()
}

/** What follows a right password where the policy wants a code: nothing is sent before the person asks for it. */
const askCode = async (call: PublicCall, row: Challenge, user: User) => {
  const next = { event: 'logon.login', as: 'code', set: { userNo: user.userNo } }
  const { expiresTime } = await step(call.tx, row, next, actorOf(call, user))
  note(call.tx, call, 'user.passwordShown', user.loginId, user)
  const channels = await channelsOf(call.tx, user.userNo)
  return { nextStep: 'code' as const, expireTime: new Date(expiresTime).toISOString(), channels }
}

/** What follows a right password, or a link: the authenticator, or its binding. */
export const accepted = async (
  call: PublicCall,
  row: Challenge,
  user: User,
): Promise<Exclude<NextStep, { nextStep: 'done' }>> => {
  const as = user.isBound ? 'mfa' : 'bind'
  const next = { event: 'logon.login', as, set: { userNo: user.userNo } }
  const { expiresTime } = await step(call.tx, row, next, actorOf(call, user))
  note(call.tx, call, 'user.passwordShown', user.loginId, user)
  return { nextStep: as, expireTime: new Date(expiresTime).toISOString() }
}

/** Whether the password belongs to the hash; or why that was not looked at, as too many others wait. */
const looked = async (given: string, hash: string | undefined): Promise<boolean | Fault> => {
  try {
    return await isPassword(given, hash)
  } catch (error) {
    if (error instanceof Fault) return error
    throw error
  }
}

/** Unknown, wrong, frozen, left, locked and a slide that was left out take the same way, the same time and get the same words. */
export const loginServed = (failed: ReturnType<typeof limitOf>): Served =>
  servePublicWork(signIn.login, {
    async before(call) {
      const { tx, input, request } = call
      const row = await tried(call, input.challengeId)
      const loginId = input.username.toLowerCase()
      const slid = await isSlid(tx, row, input)
      const counted = await countAndTell(tx, loginId)
      const user = await userWhere(tx, sql`lower(u.login_id) = ${loginId}`)
      const tooMany = await failed.over(request.ip)
      const isShut = !slid || counted.isLocked || (tooMany && !(user && (await isKnownAt(tx, user.userNo, request.ip))))
      return { loginId, counted, hash: isShut ? undefined : user?.passwordHash, given: input.password }
    },
    work: async given => ({ ...given, matches: await looked(given.given, given.hash) }),
    async after(call, { loginId, counted, hash, matches }) {
      const { tx, input, request, actor } = call
      const row = await openChallenge(call, input.challengeId, 'logon.login')
      if (matches instanceof Fault) {
        await step(tx, row, { event: 'logon.login', as: 'failed' }, actor)
        await giveBack(tx, counted)
        return matches
      }
      const user = await userWhere(tx, sql`lower(u.login_id) = ${loginId}`)
      if (!matches || !user?.mayEnter || user.passwordHash !== hash) {
        await step(tx, row, { event: 'logon.login', as: 'failed' }, actor)
        note(tx, call, 'user.loginFailed', loginId)
        return (await failed.take(request.ip)) ?? new Fault('validation', 'errors.loginFailed')
      }
      await giveBack(tx, counted)
      return (await asksCode(tx, user.orgNo)) ? askCode(call, row, user) : accepted(call, row, user)
    },
  })
