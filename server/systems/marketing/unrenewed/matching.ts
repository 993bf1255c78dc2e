import { sql } from 'kysely'
import type { UnrenewedDay } from '../../../../core/contract/marketing/unrenewed.ts'
import { mul } from '../../../../core/rules/money.ts'
import { smsParts } from '../../../../core/rules/text/sms-parts.ts'
import { addDays } from '../../../../core/rules/time.ts'
import type { Tx } from '../../../db/database.ts'
import { costOfPart } from '../../operation/message-template/index.ts'
import type { ListValues } from '../../risk/name-list/index.ts'
import { composer, type Recipient } from '../sms-task/compose.ts'
import { leftOut, type Reason } from '../sms-task/left-out.ts'

/** Days after a loan was settled on which its customer gets a text. */
export type Step = { daysAfter: number; templateNo: string }
/** Whom a rule means. */
export type Target = {
  configNo?: string | undefined
  merchantNos: readonly string[]
  loanKind: string
  memberLevels?: readonly string[] | null | undefined
  sendDays: readonly Step[]
  maxOverdueDays: number
  perCustomerMax: number
}

/** Most customers of a rule on one day. */
const mostADay = 50_000

/**
 * Customers whose last loan was settled exactly so many days before a day, who did not apply since, owe nothing late, and have not had
 * too many texts of the rule since; a number stands once.
 */
export const matchedOn = (tx: Tx, target: Target, date: string): Promise<Recipient[]> => {
  const { merchantNos, loanKind, memberLevels, sendDays, maxOverdueDays, perCustomerMax, configNo = null } = target
  const days = sendDays.map(({ daysAfter }) => addDays(date, -daysAfter))
  const levels = memberLevels?.length ? sql`c.member_level = any(${[...memberLevels]})` : sql`true`
  return tx.rows(sql<Recipient>`
    select distinct on (mc.phone) o.order_no, o.customer_no, o.merchant_no, mc.phone, f.template_no
    from unnest(${days}::date[], ${sendDays.map(one => one.templateNo)}::text[]) f (day, template_no)
      join loan_order o on o.order_status = 'settled' and o.settled_time >= (f.day::timestamp at time zone 'Africa/Kampala') and o.settled_time < ((f.day + 1)::timestamp at time zone 'Africa/Kampala')
      join customer c on c.customer_no = o.customer_no
      join merchant_customer mc on mc.customer_no = o.customer_no and mc.merchant_no = o.merchant_no
    where o.merchant_no = any(${[...merchantNos]}) and o.loan_kind = ${loanKind} and not exists (select 1 from repay_plan b where b.order_no = o.order_no and b.settled_date - b.due_date > ${maxOverdueDays}) and ${levels} and not c.technical
      and not exists (select 1 from loan_order n where n.customer_no = o.customer_no and n.order_no <> o.order_no
        and (n.apply_time >= o.settled_time or n.settled_time > o.settled_time or n.order_status not in ('settled', 'cancelled', 'machine_refused', 'approval_rejected')))
      and not exists (select 1 from credit k where k.customer_no = o.customer_no and k.credit_expiry < ${date}::date)
      and (select count(*) from message m join sms_task t on t.task_no = m.object_no where m.object_type = 'sms_task' and t.config_no = ${configNo}
        and m.customer_no = o.customer_no and m.begun_time >= o.settled_time) < ${perCustomerMax}
    order by mc.phone, o.settled_time desc limit ${mostADay}`)
}

/** What a rule would do on a day, as things stand now: whom it means, who is left out and why, and what it costs. */
export const dayOf = async (tx: Tx, lists: ListValues, target: Target, date: string): Promise<UnrenewedDay> => {
  const matched = await matchedOn(tx, target, date)
  const why = await leftOut(tx, lists, matched, date)
  const each = await costOfPart(tx)
  const textFor = await composer(tx, matched)
  let segmentsTotal = 0
  for (const one of matched) {
    if (why.has(one.phone)) continue
    const text = textFor(one)
    if (text.body === null) why.set(one.phone, 'missing_value')
    else segmentsTotal += smsParts(text.body).parts
  }
  const counts = new Map<Reason, number>()
  for (const reason of why.values()) counts.set(reason, (counts.get(reason) ?? 0) + 1)
  return {
    ...{ businessDate: date, customersMatched: matched.length, customersLeftOut: why.size, segmentsTotal },
    recipientCount: matched.length - why.size,
    blocks: [...counts].map(([blockReason, count]) => ({ blockReason, count })),
    costEstimate: each && mul(each, String(segmentsTotal)),
  }
}

/** Which of some customers still are ones whom a text to those who did not borrow again is for, by their numbers. */
export const stillUnrenewed = async (tx: Tx, list: readonly Recipient[]): Promise<ReadonlySet<string>> => {
  const back = await tx.rows(sql<{ no: string }>`
    select o.order_no as no from loan_order o where o.order_no = any(${list.flatMap(one => one.orderNo ?? [])})
      and exists (select 1 from loan_order n where n.customer_no = o.customer_no and n.order_no <> o.order_no and n.apply_time >= o.settled_time)`)
  const gone = new Set(back.map(({ no }) => no))
  return new Set(list.filter(one => one.orderNo === null || !gone.has(one.orderNo)).map(one => one.phone))
}
