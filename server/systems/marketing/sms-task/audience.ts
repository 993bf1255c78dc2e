import { type RawBuilder, sql } from 'kysely'
import type { AskedTask } from '../../../../core/contract/marketing/sms-task.ts'
import type { Tx } from '../../../db/database.ts'
import type { Recipient } from './compose.ts'

type Frag = RawBuilder<unknown>

/** Whom a task is for. */
export type Audience = Pick<
  AskedTask,
  | 'merchantNo'
  | 'audienceSource'
  | 'userGroupNo'
  | 'audienceStatuses'
  | 'loanKind'
  | 'memberLevels'
  | 'settledFrom'
  | 'settledTo'
>

/** How the last order of a customer stands, by its status. */
const standing = sql`case when o.order_status = 'settled' then 'settled' when o.order_status = 'funds_disbursed' then 'on_loan'
  when o.order_status in ('machine_refused', 'approval_rejected') then 'refused' when o.order_status = 'cancelled' then 'cancelled' else 'applying' end`

/** Days since the last loan was settled, as Kampala counts them. */
const settledDays = (tx: Tx): Frag => sql`(${tx.today}::date - (o.settled_time at time zone 'Africa/Kampala')::date)`

const fits = (tx: Tx, of: Audience): Frag => {
  const { audienceStatuses, loanKind, memberLevels, settledFrom, settledTo } = of
  const all: Frag[] = [sql`not c.technical`]
  if (audienceStatuses?.length) all.push(sql`${standing} = any(${audienceStatuses})`)
  if (loanKind) all.push(sql`o.loan_kind = ${loanKind}`)
  if (memberLevels?.length) all.push(sql`c.member_level = any(${memberLevels})`)
  if (settledFrom !== undefined) all.push(sql`o.order_status = 'settled' and ${settledDays(tx)} >= ${settledFrom}`)
  if (settledTo !== undefined) all.push(sql`o.order_status = 'settled' and ${settledDays(tx)} <= ${settledTo}`)
  return sql.join(all, sql` and `)
}

/** Customers from a number on, some at a time, or those of some numbers. */
type Which = { after: string; limit: number } | { phones: readonly string[] }

/** Customers whom an audience means, by their numbers, each number once. */
export const matched = (tx: Tx, of: Audience & { templateNo: string }, which: Which): Promise<Recipient[]> => {
  const { merchantNo, audienceSource, userGroupNo } = of
  const members =
    audienceSource === 'group'
      ? sql`join user_group_member g on g.user_group_no = ${userGroupNo ?? ''} and g.merchant_no = mc.merchant_no and g.phone = mc.phone and g.customer_no = mc.customer_no`
      : sql``
  const where = 'phones' in which ? sql`mc.phone = any(${[...which.phones]})` : sql`mc.phone > ${which.after}`
  return tx.rows(sql<Recipient>`
    select distinct on (mc.phone) mc.phone, mc.customer_no, mc.merchant_no, o.order_no, ${of.templateNo}::text as template_no
    from merchant_customer mc ${members} join customer c on c.customer_no = mc.customer_no
      left join lateral (select l.order_no, l.order_status, l.loan_kind, l.settled_time from loan_order l
        where l.customer_no = mc.customer_no and l.merchant_no = mc.merchant_no order by l.apply_time desc, l.order_no desc limit 1) o on true
    where mc.merchant_no = ${merchantNo} and ${where} and ${fits(tx, of)}
    order by mc.phone, mc.customer_no limit ${'phones' in which ? which.phones.length : which.limit}`)
}

/** Customers that are looked at together. */
export const chunkSize = 1_000

/** Goes over an audience, some customers at a time: it may be larger than what fits into memory. */
export const eachChunk = async (
  tx: Tx,
  of: Audience & { templateNo: string },
  act: (chunk: readonly Recipient[]) => Promise<void>,
): Promise<void> => {
  for (let after = ''; ; ) {
    const chunk = await matched(tx, of, { after, limit: chunkSize })
    if (chunk.length) await act(chunk)
    const last = chunk.at(-1)
    if (!last || chunk.length < chunkSize) return
    after = last.phone
  }
}
