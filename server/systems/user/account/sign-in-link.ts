import { createHash, randomBytes } from 'node:crypto'
import { sql } from 'kysely'
import { user as contract } from '../../../../core/contract/user/user.ts'
import type { Tx } from '../../../db/database.ts'
import { endTokens } from '../../../embed/token.ts'
import { Fault, invalid } from '../../../http/fault.ts'
import { servePublicWork } from '../../../http/serve.ts'
import { hashPassword, passwordFlaw } from '../../../session/password.ts'
import { burn, note, proceed, userWhere } from './sign-in.ts'

/** For so long a link is good. */
export const linkHours = 24

/** It has 256 bits of chance, so a plain hash keeps it. */
const hashOf = (link: string) => createHash('sha256').update(link).digest('hex')

/** Makes a link for somebody to set the own password with; links before it are void. Answers it, kept nowhere. */
export const makeLink = async (tx: Tx, userNo: string, channel: 'email' | 'phone' | null = null): Promise<string> => {
  const link = `mkopo_link_${randomBytes(32).toString('base64url')}`
  await tx.exec(sql`update sign_in_link set used_time = ${tx.now} where user_no = ${userNo} and used_time is null`)
  await tx.exec(sql`
    insert into sign_in_link (link_hash, user_no, channel, created_time, expires_time)
    values (${hashOf(link)}, ${userNo}, ${channel}, ${tx.now}, ${new Date(tx.now.getTime() + linkHours * 3_600_000)})`)
  return link
}

const over = () => new Fault('validation', 'errors.linkOver')

type Owner = { userNo: string; loginId: string; realName: string; userName: string; companyName: string }

const ownerOf = async (tx: Tx, link: string): Promise<Owner> => {
  const owner = await tx.maybe(sql<Owner>`
    select u.user_no, u.login_id, u.real_name, u.user_name, co.company_name
    from sign_in_link l join app_user u using (user_no) join dept d using (dept_no) join org o using (org_no) join company co using (company_code)
    where l.link_hash = ${hashOf(link)} and l.used_time is null and l.expires_time > ${tx.now}`)
  if (!owner) throw over()
  return owner
}

/** A person sets the password with the link that was given to them, and goes on as with a right password. */
export const openLink = servePublicWork(contract.openLink, {
  async before({ tx, input, request }) {
    await burn(tx, input.challengeId, request)
    const { loginId, realName, userName, companyName } = await ownerOf(tx, input.link)
    const words = [loginId, realName, userName, companyName]
    const flaw = passwordFlaw({ oldPassword: '', newPassword: input.newPassword, words })
    if (flaw) throw invalid('newPassword', flaw)
    return input.newPassword
  },
  work: hashPassword,
  async after(call, hash) {
    const { tx, input, actor } = call
    const used = await tx.maybe(sql<{ userNo: string; channel: 'email' | 'phone' | null }>`
      update sign_in_link set used_time = ${tx.now}
      where link_hash = ${hashOf(input.link)} and used_time is null and expires_time > ${tx.now} returning user_no, channel`)
    const user = used && (await userWhere(tx, sql`u.user_no = ${used.userNo}`))
    if (!user?.mayEnter) throw over()
    await tx.exec(
      sql`update app_user set password_hash = ${hash}, password_update_status = 0, version = version + 1,
        email_verified = email_verified or ${used?.channel === 'email'}, phone_verified = phone_verified or ${used?.channel === 'phone'}
        where user_no = ${user.userNo}`,
    )
    await tx.exec(
      sql`update session set ended_time = ${tx.now}, ended_reason = 'password.changed' where user_no = ${user.userNo} and ended_time is null`,
    )
    await endTokens(tx, { userNo: user.userNo }, 'password.changed', actor)
    note(tx, call, 'user.passwordSet', user.loginId, user)
    return proceed(call, user, input)
  },
})
