import { type RawBuilder, sql } from 'kysely'
import type { Personnel } from '../../core/contract/common/personnel.ts'
import type { Tx } from '../db/database.ts'
import { notFound } from '../http/fault.ts'
import { peopleScope } from '../rights/people-scope.ts'
import { limitFor } from '../rights/scope.ts'
import type { Session } from '../session/session.ts'

type Frag = RawBuilder<unknown>

/** A personnel record with the account it belongs to. */
export type PersonRecord = Record<string, unknown> & {
  userNo: string
  realName: string
  standing: string
  principalMerchantNo: string | null
  associatedMerchantNos: string[]
  version: number
}

/** Whether work may be given to the person of record `x` and account `u`. */
export const standing: Frag = sql`case when u.employee_status <> 'on_job' then 'left' when u.user_status <> 'normal' then 'frozen' when x.gone_time is not null then 'gone' else 'at_work' end`

/** Whether user `u` holds a role of the post. */
export const holdsPost = ({ post }: Pick<Personnel, 'post'>): Frag =>
  sql`exists (select 1 from user_role held join role r using (role_no) where held.user_no = u.user_no and r.post = ${post})`

type Ruled = Pick<Personnel, 'table' | 'perms' | 'row'>
/** Person `u` is in a group that the caller is the head of. */
const inGroupOf = ({ userNo }: Session, { table }: Ruled): Frag => sql`exists (
  select 1 from ${sql.table(table)} head join ${sql.table(table)} one on lower(one.group_no) = lower(head.group_no)
  where head.user_no = ${userNo} and head.group_head and head.gone_time is null and one.user_no = u.user_no)`

/** The data rule on people: that of the list, whichever command is asked. Where groups have heads, one who sees only their own sees their group. */
export const personRule = (session: Session, of: Ruled): Frag => {
  const rule = peopleScope(session, of.perms.page)
  const heads = 'groupHead' in of.row.shape && limitFor(session, of.perms.page) === 'own'
  return heads ? sql`(${rule} or ${inGroupOf(session, of)})` : rule
}

/** A record within the data rule of the caller, locked. @throws {Fault} 40401 for one out of it as for one that there is not */
export const lockPerson = async (tx: Tx, session: Session, of: Ruled, userNo: string): Promise<PersonRecord> => {
  const person = await tx.maybe(sql<PersonRecord>`
    select x.*, u.real_name, ${standing} as standing from ${sql.table(of.table)} x join app_user u using (user_no)
    where x.user_no = ${userNo} and ${personRule(session, of)} for update of x`)
  if (!person) throw notFound()
  return person
}
