import { createHash, randomBytes } from 'node:crypto'
import { sql } from 'kysely'
import { signIn } from '../../../../core/contract/user/sign-in.ts'
import type { Tx } from '../../../db/database.ts'
import { Fault, invalid } from '../../../http/fault.ts'
import { servePublicWork } from '../../../http/serve.ts'
import { hashPassword, passwordFlaw } from '../../../session/password.ts'
import { actorOf, note, openChallenge, type User, userWhere } from './challenge.ts'
import { setPassword, wordsOf } from './change.ts'
import { accepted, tried } from './login.ts'

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

const ownerOf = async (tx: Tx, link: string): Promise<User> => {
  const live = sql`select user_no from sign_in_link where link_hash = ${hashOf(link)} and used_time is null and expires_time > ${tx.now}`
  const user = await userWhere(tx, sql`u.user_no = (${live})`)
  if (!user?.mayEnter) throw over()
  return user
}

/** A person sets the password with the link that was given to them, and goes on as with a right password. */
export const openLink = servePublicWork(signIn.openLink, {
  async before(call) {
    const { tx, input } = call
    await tried(call, input.challengeId)
    const words = wordsOf(await ownerOf(tx, input.link))
    const flaw = passwordFlaw({ oldPassword: '', newPassword: input.newPassword, words })
    if (flaw) throw invalid('newPassword', flaw)
    return input.newPassword
  },
  work: hashPassword,
  async after(call, hash) {
    const { tx, input } = call
    const row = await openChallenge(call, input.challengeId, 'logon.login')
    const user = await ownerOf(tx, input.link)
    const used = await tx.maybe(sql<{ channel: 'email' | 'phone' | null }>`
      update sign_in_link set used_time = ${tx.now}
      where link_hash = ${hashOf(input.link)} and used_time is null and expires_time > ${tx.now} returning channel`)
    if (!used) throw over()
    await setPassword(tx, user, hash, actorOf(call, user))
    await tx.exec(sql`
      update app_user set email_verified = email_verified or ${used.channel === 'email'}, phone_verified = phone_verified or ${used.channel === 'phone'}
      where user_no = ${user.userNo}`)
    note(tx, call, 'user.passwordSet', user.loginId, user)
    return accepted(call, row, user)
  },
})
