import { sql } from 'kysely'
import { signIn } from '../../../../core/contract/user/sign-in.ts'
import type { Tx } from '../../../db/database.ts'
import { endTokens } from '../../../embed/token.ts'
import { Fault, invalid } from '../../../http/fault.ts'
import { servePublicWork } from '../../../http/serve.ts'
import type { Actor } from '../../../rights/actor.ts'
import { hashPassword, isPassword, passwordFlaw } from '../../../session/password.ts'
import { actorOf, note, openChallenge, step, type User, userOf } from './challenge.ts'
import { enter } from './enter.ts'

/** Words that a password must not contain. */
export const wordsOf = ({ loginId, realName, userName, companyName }: User): string[] => [
  loginId,
  realName,
  userName,
  companyName,
]

/** Puts a password in the place of the one before, and ends every session and token that was opened with that one. */
export const setPassword = async (tx: Tx, { userNo }: User, hash: string, by: Actor): Promise<void> => {
  await tx.exec(sql`
    update app_user set password_hash = ${hash}, password_update_status = 0, version = version + 1 where user_no = ${userNo}`)
  await tx.exec(sql`
    update session set ended_time = ${tx.now}, ended_reason = 'password.changed' where user_no = ${userNo} and ended_time is null`)
  await endTokens(tx, { userNo }, 'password.changed', by)
}

/** The last step of a sign-in whose password must not stay. */
export const changeServed = servePublicWork(signIn.changePwd, {
  async before(call) {
    const { tx, input } = call
    const user = await userOf(tx, await openChallenge(call, input.challengeId, 'changePwd'))
    const flaw = passwordFlaw({ oldPassword: '', newPassword: input.newPassword, words: wordsOf(user) })
    if (flaw) throw invalid('newPassword', flaw)
    return { old: user.passwordHash, given: input.newPassword }
  },
  work: async ({ old, given }) => ((await isPassword(given, old)) ? null : hashPassword(given)),
  async after(call, hash) {
    const { tx, input } = call
    if (hash === null) return invalid('newPassword', 'validation.pwdSame')
    const row = await openChallenge(call, input.challengeId, 'changePwd')
    const user = await userOf(tx, row)
    if (user.passwordUpdateStatus === 0) throw new Fault('stateConflict', 'errors.busy')
    const actor = actorOf(call, user)
    await setPassword(tx, user, hash, actor)
    await step(tx, row, { event: 'changePwd' }, actor)
    note(tx, call, 'user.passwordSet', user.loginId, user)
    return enter(call, user, input.deviceMark)
  },
})
