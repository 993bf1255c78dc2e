import { type RawBuilder, sql } from 'kysely'
import { businessConfigs } from '../../../../core/contract/common/business-config.ts'
import type { ValueOf } from '../../../../core/contract/fields.ts'
import type { phoneBillRefusals } from '../../../../core/contract/operation/phone-bill.ts'
import { add, gt, isWhole, lt, type Money, money } from '../../../../core/rules/money.ts'
import { addDays } from '../../../../core/rules/time.ts'
import type { Tx } from '../../../db/database.ts'
import { Fault, invalid } from '../../../http/fault.ts'
import type { Session } from '../../../session/session.ts'
import { businessValue } from '../../common/index.ts'
import { phoneBillSeen } from './phone-bill-store.ts'

type Frag = RawBuilder<unknown>
export type Refusal = ValueOf<typeof phoneBillRefusals>

const [least, most] = ['500.00', '100000.00'] as const
/** What takes up the cap of a month. */
export const counted = sql`('pending', 'paying', 'success')`

/** What of airtime is the same for everybody whom it is asked for. */
export const checkAsked = (tx: Tx, { amount, purposeMonth }: { amount: string; purposeMonth: string }): Money => {
  const value = money(amount)
  if (!isWhole(value) || lt(value, least) || gt(value, most)) throw invalid('amount', 'validation.airtimeAmount')
  const middle = `${tx.today.slice(0, 7)}-15`
  const [before, after] = [addDays(middle, -30).slice(0, 7), addDays(middle, 30).slice(0, 7)]
  if (purposeMonth < before || purposeMonth > after) throw invalid('purposeMonth', 'validation.airtimeMonth')
  return value
}

/** Somebody of the staff as far as airtime of a month goes. */
export type Recipient = {
  userNo: string
  realName: string
  phone: string | null
  present: boolean
  /** The post with the highest cap, and that cap; null for who has none. */
  post: string | null
  monthCap: Money | null
  used: Money
  /** Something of the month waits or is on its way. */
  open: boolean
}

/** The month of people `u` where `condition` holds, by their names. */
export const recipients = async (tx: Tx, month: string, condition: Frag): Promise<Recipient[]> => {
  const caps = (await businessValue(tx, 'PHONE_BILL_CAPS')) ?? businessConfigs.PHONE_BILL_CAPS.plain
  const own = sql`from phone_recharge x where x.user_no = u.user_no and x.purpose_month = ${month}`
  return tx.rows(sql<Recipient>`
    select u.user_no, u.real_name, u.phone, u.user_status = 'normal' and u.employee_status = 'on_job' as present, p.post, p.cap as month_cap,
      coalesce((select sum(x.amount) ${own} and x.phone_bill_status in ${counted}), 0)::numeric(18,2) as used,
      exists (select 1 ${own} and x.phone_bill_status in ('pending', 'paying')) as open
    from app_user u left join lateral (
      select r.post, c.cap from user_role ur join role r using (role_no)
        join (select key as post, value::numeric(18,2) as cap from jsonb_each_text(${JSON.stringify(caps)}::jsonb)) c on c.post = r.post
      where ur.user_no = u.user_no order by c.cap desc, r.post limit 1) p on true
    where ${condition} order by u.real_name, u.user_no`)
}

/** People whom the reader sees, locked so that what their month comes to does not change meanwhile. */
export const lockRecipients = async (
  tx: Tx,
  session: Session | null,
  { userNos, month }: { userNos: readonly string[]; month: string },
): Promise<Recipient[]> => {
  const named = sql`u.user_no = any(${[...userNos]})`
  await tx.exec(sql`select 1 from app_user u where ${named} order by u.user_no for no key update`)
  return recipients(tx, month, session ? sql`${named} and ${phoneBillSeen(session)}` : named)
}

/** Why somebody gets no airtime of an amount; null where they may. What is asked for already is not open a second time. */
export const refusalOf = (
  person: Recipient,
  { amount, remark, phone, again }: { amount: Money; remark?: string | undefined; phone: string | null; again?: true },
): Refusal | null => {
  if (!person.present) return 'away'
  if (!phone) return 'no_phone'
  if (!person.post || person.monthCap === null || !gt(person.monthCap, '0.00')) return 'no_cap'
  if (person.open && !remark && !again) return 'open'
  return gt(add(person.used, amount), person.monthCap) ? 'over_cap' : null
}

/** A refusal in words. */
export const refusalFault = (refusal: Refusal): Fault =>
  new Fault('stateConflict', `errors.phoneBillRefused.${refusal}`)
