import { sql } from 'kysely'
import { contract } from '../../../../core/contract/contract.ts'
import { eatDateTime } from '../../../../core/rules/time.ts'
import { endTokens } from '../../../embed/token.ts'
import { invalid } from '../../../http/fault.ts'
import { serve, serveWork } from '../../../http/serve.ts'
import type { Module } from '../../../module.ts'
import { postToStaff } from '../../../outgoing/post.ts'
import { isOwn, refuseWrong, tryOwn } from '../../../session/own-password.ts'
import { hashPassword, passwordFlaw } from '../../../session/password.ts'

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
    await postToStaff(tx, session.userNo, 'passwordChanged', { time: eatDateTime(tx.now) })
    audit({ objectType: 'user', objectNo: session.userNo, after: { sessionsEnded: ended, tokensEnded: tokens } })
    return { ended }
  },
})

/** Signing out, and the own password. */
export const authModule = (): Module => ({ served: [signOut, changePwd] })
