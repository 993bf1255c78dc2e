import { type RawBuilder, sql } from 'kysely'
import type { SharedMark } from '../../core/contract/common/approval.ts'
import type { Tx } from '../db/database.ts'
import { Fault } from '../http/fault.ts'

type Frag = RawBuilder<unknown>

/** How long a device shared by two accounts counts as shared. */
const deviceDays = 30

/** The last digits of a phone number, equal however its country code is written. */
const phoneOf = (person: string): Frag => sql`right(regexp_replace(${sql.ref(`${person}.phone`)}, '\\D', '', 'g'), 9)`
const emailOf = (person: string): Frag => sql`lower(trim(${sql.ref(`${person}.email`)}))`

/** What an account has in common with any of the accounts in the array `others`: marks of one person behind several accounts. */
export const sharedWith = (tx: Tx, userNo: string, others: Frag): RawBuilder<SharedMark[]> => {
  const since = new Date(tx.now.getTime() - deviceDays * 86_400_000)
  const alike = (same: Frag): Frag => sql`exists (
    select 1 from app_user x join app_user y on y.user_no <> x.user_no
    where x.user_no = ${userNo} and y.user_no = any(${others}) and ${same})`
  return sql<SharedMark[]>`array_remove(array[
    case when ${alike(sql`length(${phoneOf('x')}) = 9 and ${phoneOf('x')} = ${phoneOf('y')}`)} then 'phone' end,
    case when ${alike(sql`${emailOf('x')} <> '' and ${emailOf('x')} = ${emailOf('y')}`)} then 'email' end,
    case when exists (
      select 1 from session s join session t on t.device = s.device
      where s.user_no = ${userNo} and t.user_no <> s.user_no and t.user_no = any(${others}) and s.created_time >= ${since} and t.created_time >= ${since}
    ) then 'device' end], null)`
}

/** The same for somebody who is about to decide what others made. */
export const sharedMarks = async (tx: Tx, userNo: string, others: readonly string[]): Promise<SharedMark[]> =>
  (await tx.one(sql<{ marks: SharedMark[] }>`select ${sharedWith(tx, userNo, sql`${[...others]}::text[]`)} as marks`))
    .marks

/** Why a second account of the same person does not agree to money. Return it rather than throw it where the refusal is to stay in the log. */
export const samePersonFault = (marks: readonly SharedMark[]): Fault =>
  new Fault('forbidden', `errors.samePerson.${marks[0] ?? 'device'}`, {}, { sharedWithMaker: marks })
