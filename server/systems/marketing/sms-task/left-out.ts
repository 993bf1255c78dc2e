import { sql } from 'kysely'
import type { ValueOf } from '../../../../core/contract/fields.ts'
import type { messageBlocks } from '../../../../core/contract/operation/message-event.ts'
import { addDays, startOfEatDay } from '../../../../core/rules/time.ts'
import type { Tx } from '../../../db/database.ts'
import { contactBlocksOf } from '../../merchant/contact-block/index.ts'
import { contactCaps } from '../../operation/message-engine/index.ts'
import type { ListValues } from '../../risk/name-list/index.ts'
import type { Recipient } from './compose.ts'

/** Why somebody gets no text. */
export type Reason = ValueOf<typeof messageBlocks>
type Capped = { phone: string; today: number; in7Days: number }

/** What lists say of the numbers of each merchant. */
const listed = async (tx: Tx, lists: ListValues, list: readonly Recipient[], why: Map<string, Reason>) => {
  for (const merchantNo of new Set(list.map(one => one.merchantNo))) {
    const phones = list.filter(one => one.merchantNo === merchantNo).map(one => one.phone)
    const asked = { phones, merchantNo, kind: 'marketing', medium: 'text' } as const
    for (const { phone, reason } of await contactBlocksOf(tx, lists, asked)) why.set(phone, reason)
  }
}

/**
 * Why each of some recipients would be left out on a day, as far as that is known before: the reasons of the contact guard, which is asked
 * again when a text goes.
 */
export const leftOut = async (
  tx: Tx,
  lists: ListValues,
  list: readonly Recipient[],
  date: string,
): Promise<Map<string, Reason>> => {
  const why = new Map<string, Reason>()
  await listed(tx, lists, list, why)
  const late = await tx.rows(sql<{ no: string }>`
    select distinct customer_no as no from loan_order where customer_no = any(${list.map(one => one.customerNo)}) and overdue and order_status = 'funds_disbursed'`)
  const owing = new Set(late.map(({ no }) => no))
  for (const { phone, customerNo } of list) if (owing.has(customerNo) && !why.has(phone)) why.set(phone, 'not_needed')
  const caps = await contactCaps(tx)
  const capped = await tx.rows(sql<Capped>`
    select m.recipient as phone, (count(*) filter (where m.begun_time >= ${startOfEatDay(date)}))::int as today, count(*)::int as in7_days
    from message m where m.contact_kind = 'marketing' and m.recipient = any(${list.map(one => one.phone)}) and m.begun_time > ${startOfEatDay(addDays(date, -6))}
      and m.message_status not in ('failed', 'blocked', 'cancelled') group by m.recipient`)
  for (const { phone, today, in7Days } of capped)
    if (!why.has(phone) && (today >= caps.textsADay || in7Days >= caps.textsIn7Days)) why.set(phone, 'cap_reached')
  return why
}
