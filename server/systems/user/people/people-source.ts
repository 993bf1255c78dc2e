import { type RawBuilder, type Selectable, sql } from 'kysely'
import { people } from '../../../../core/contract/user/people.ts'
import type { Tx } from '../../../db/database.ts'
import type { DB } from '../../../db/types.gen.ts'
import { notFound } from '../../../http/fault.ts'
import { peopleScope } from '../../../rights/people-scope.ts'
import type { Session } from '../../../session/session.ts'

export type Person = Selectable<DB['appUser']>

/** Code of the page whose data rule decides about people. */
export const pagePerm = people.page.perm as string

/** The data rule on people `u`. */
export const peopleRule = (session: Session): RawBuilder<unknown> => peopleScope(session, pagePerm)

/** A person within the data rule of the caller, locked. @throws {Fault} 40401 for a person out of it as for one that there is not */
export const lockPerson = async (tx: Tx, session: Session, userNo: string): Promise<Person> => {
  const person = await tx.maybe(sql<Person>`
    select u.* from app_user u where u.user_no = ${userNo} and ${peopleRule(session)} for update`)
  if (!person) throw notFound()
  return person
}

/** A person whom an agreed request is about, locked. */
export const lockAny = (tx: Tx, userNo: string): Promise<Person> =>
  tx.one(sql<Person>`select u.* from app_user u where u.user_no = ${userNo} for update`)

/** Those who may change roles, and sign in: the last of them is never shut out. */
export const managers = sql`(
  select distinct held.user_no from user_role held join role_menu rm using (role_no) join live_menu m using (menu_no) join app_user a on a.user_no = held.user_no
  where m.perms = 'role:manage' and a.user_status = 'normal' and a.employee_status = 'on_job')`

/** Why a person can be reached, and how: by e-mail where there is one. */
export const channelOf = ({
  email,
  phone,
}: Pick<Person, 'email' | 'phone'>): { channel: 'email' | 'phone'; to: string } | null => {
  if (email) return { channel: 'email', to: email }
  return phone ? { channel: 'phone', to: phone } : null
}
