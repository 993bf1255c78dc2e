import { sql } from 'kysely'
import type { OutputOf } from '../../../../core/contract/endpoint.ts'
import { consumption as calls } from '../../../../core/contract/merchant/consumption.ts'
import { addDays } from '../../../../core/rules/time.ts'
import { serve } from '../../../http/serve.ts'
import { journalRows } from '../../after-loan/payout/index.ts'
import { rowOf } from './consumption-source.ts'
import { merchantScope } from './wallet.ts'

const perm = calls.page.perm as string

const detail = serve(calls.detail, async ({ tx, session, input: { consumptionNo } }) => {
  const record = await rowOf({ tx, session }, consumptionNo)
  const byHour = await tx.rows(sql<{ hour: number; quantity: number }>`
    select extract(hour from event_time at time zone 'Africa/Kampala')::int as hour, sum(quantity)::int as quantity
    from consumption_event where consumption_no = ${consumptionNo} group by 1 order by 1`)
  const reversals = await tx.rows(sql<OutputOf<typeof calls.detail>['reversals'][number]>`
    select reversal_no, quantity, amount, reason, maker_name, checker_name, reversed_time from consumption_reversal
    where consumption_no = ${consumptionNo} order by reversed_time, reversal_no`)
  const journals = await journalRows(tx, sql`j.cause = ${`consumption_record:${consumptionNo}`}`)
  return { record, byHour, reversals, journals }
})

const names = {
  day: sql`r.business_date::text`,
  type: sql`t.type_code`,
  merchant: sql`m.merchant_name`,
} as const

const summary = serve(calls.summary, async ({ tx, session, input: { from, to, by } }) => {
  const inScope = merchantScope(session, 'r.merchant_no', perm)
  const worth = sql`(r.consumption_amount - r.reversed_amount)`
  const list = await tx.rows(sql<OutputOf<typeof calls.summary>['list'][number]>`
    select ${names[by]} as name, ${by === 'type' ? sql`min(t.meter)` : sql`null::text`} as meter, sum(r.quantity - r.reversed_quantity)::int as quantity, sum(${worth})::numeric(18,2) as amount
    from consumption_record r join merchant m on m.merchant_no = r.merchant_no join consumption_type t on t.type_no = r.type_no
    where r.business_date between ${from} and ${to} and ${inScope} group by 1 order by ${by === 'day' ? sql`1` : sql`4 desc, 1`} limit 200`)
  const week = (last: string) => sql`
    coalesce(sum(${worth}) filter (where r.business_date between ${addDays(last, -6)} and ${last}), 0)`
  const { perDay, thisWeek, lastWeek } = await tx.one(sql<{ perDay: string; thisWeek: string; lastWeek: string }>`
    select round(coalesce(sum(${worth}) filter (where r.business_date between ${from} and ${to}), 0) / (${to}::date - ${from}::date + 1), 2)::numeric(18,2) as per_day,
      ${week(to)}::numeric(18,2) as this_week, ${week(addDays(to, -7))}::numeric(18,2) as last_week
    from consumption_record r where r.business_date between least(${from}::date, ${addDays(to, -13)}::date) and ${to} and ${inScope}`)
  return { list, perDay, thisWeek, lastWeek }
})

/** Services are noted by what they were for: an order, or a payout of one, or a text about one. */
const dearest = serve(calls.dearest, async ({ tx, session }) => ({
  list: await tx.rows(sql<OutputOf<typeof calls.dearest>['list'][number]>`
    with used as (
      select coalesce(lc.order_no, msg.order_no, o.order_no) as order_no, e.merchant_no, e.quantity * r.unit_price as amount
      from consumption_event e join consumption_record r on r.consumption_no = e.consumption_no
        left join loan_order o on o.order_no = e.subject_no left join loan_code lc on lc.loan_code = e.subject_no
        left join message msg on msg.message_no = e.subject_no
      where r.business_date > ${addDays(tx.today, -30)} and ${merchantScope(session, 'r.merchant_no', perm)})
    select u.order_no, min(m.merchant_name) as merchant_name, round(sum(u.amount), 2)::numeric(18,2) as amount
    from used u join merchant m on m.merchant_no = u.merchant_no where u.order_no is not null group by 1 order by 3 desc, 1 limit 10`),
}))

/** What people read of consumption. */
export const consumptionReads = [detail, summary, dearest]
