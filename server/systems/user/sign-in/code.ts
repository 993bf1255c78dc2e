import { sql } from 'kysely'
import { type CodeChannel, signIn } from '../../../../core/contract/user/sign-in.ts'
import type { Language } from '../../../../core/i18n/language.ts'
import { mask, maskEmail } from '../../../../core/rules/mask.ts'
import type { Tx } from '../../../db/database.ts'
import { Fault, invalid } from '../../../http/fault.ts'
import { type Served, servePublic } from '../../../http/serve.ts'
import { codeMinutes, codesOf, limitsOf } from '../../operation/verify-code/index.ts'
import { actorOf, note, openChallenge, step, type User, userOf } from './challenge.ts'
import { refuseLocked, wrongCode } from './enter.ts'

type Reach = { email: string | null; phone: string | null }

/** Where a person may be sent a code: only to what is known to be theirs. */
const reachOf = (tx: Tx, userNo: string): Promise<Reach> =>
  tx.one(sql<Reach>`
    select case when email_verified then email end as email, case when phone_verified then phone end as phone
    from app_user where user_no = ${userNo}`)

/** The same as a page shows it to somebody who has shown no more than a password. */
export const channelsOf = async (tx: Tx, userNo: string): Promise<{ channel: CodeChannel; maskedTarget: string }[]> => {
  const { email, phone } = await reachOf(tx, userNo)
  return [
    ...(email ? [{ channel: 'email' as const, maskedTarget: maskEmail(email) }] : []),
    ...(phone ? [{ channel: 'phone' as const, maskedTarget: mask(phone) }] : []),
  ]
}

/** The code by e-mail or text, where the policy of the organization wants one after the password. */
export const codeServed = (secretKey: Buffer): Served[] => {
  const codes = codesOf(secretKey)

  const send = servePublic(signIn.sendCode, async call => {
    const { tx, input, request } = call
    const row = await openChallenge(call, input.challengeId, 'code.send')
    const user = await userOf(tx, row)
    const to = (await reachOf(tx, user.userNo))[input.channel]
    if (!to) throw invalid('channel', 'errors.channelUnverified')
    const actor = actorOf(call, user)
    const sent = await codes.send(
      tx,
      {
        ...{ scene: 'staff_login', channel: input.channel, to, challengeId: row.challengeId, userNo: user.userNo },
        ...{ language: request.language as Language, ip: request.ip },
      },
      actor,
    )
    if (sent instanceof Fault) return sent
    await step(tx, row, { event: 'code.send' }, actor)
    note(tx, call, 'user.codeSent', user.loginId, user)
    const maskedTarget = input.channel === 'email' ? maskEmail(to) : mask(to)
    const { secondsBetween } = await limitsOf(tx)
    return { channel: input.channel, maskedTarget, resendAfter: secondsBetween, minutes: codeMinutes }
  })

  const verify = servePublic(signIn.verifyCode, async call => {
    const { tx, input } = call
    const event = 'code.verify'
    const row = await openChallenge(call, input.challengeId, event)
    const user: User = await userOf(tx, row)
    const locked = await refuseLocked(call, { row, user }, event)
    if (locked) return locked
    const actor = actorOf(call, user)
    const found = await codes.check(tx, input, actor)
    if (found === 'none') throw invalid('code', 'errors.codeNotSent')
    if (found === 'right') {
      const as = user.isBound ? ('mfa' as const) : ('bind' as const)
      const { expiresTime } = await step(tx, row, { event, as, set: { tries: 0 } }, actor)
      note(tx, call, 'user.codeShown', user.loginId, user)
      return { nextStep: as, expireTime: new Date(expiresTime).toISOString() }
    }
    const left = await wrongCode(call, { row, user, tries: row.tries + 1 }, event)
    if (left instanceof Fault) return left
    const key = 'validation.codeWrong' as const
    return new Fault('validation', key, { n: left }, { fields: [{ path: 'code', key, params: { n: left } }] })
  })

  return [send, verify]
}
