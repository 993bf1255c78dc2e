import { type RawBuilder, sql } from 'kysely'
import { countedDays, quietDays } from '../../../../core/contract/operation/traffic.ts'
import { addDays, startOfEatDay } from '../../../../core/rules/time.ts'
import type { Tx } from '../../../db/database.ts'
import type { Scheduled } from '../../../module.ts'

type Frag = RawBuilder<unknown>

/** Days whose numbers may still change: a cost is entered late. */
const openDays = 10
const eat = (column: string) => sql`(${sql.ref(column)} at time zone 'Africa/Kampala')::date`

/** Counts what people brought over channels on some business dates; what a channel cost is shared by who registered that day. */
export const recountTraffic = (tx: Tx, from: string, to: string): Promise<number> => {
  const [since, until] = [startOfEatDay(from), startOfEatDay(addDays(to, 1))]
  const within = (column: string) => sql`${sql.ref(column)} >= ${since} and ${sql.ref(column)} < ${until}`
  const orders = sql`customer_promoter r join loan_order o on o.customer_no = r.customer_no`
  return tx.exec(sql`
    with counted as (
      select promoter_no, channel_no, ${eat('register_time')} as stat_date, 1 as registered, 0 as incoming, 0 as paid, 0::numeric as amount from customer_promoter where ${within('register_time')}
      union all select r.promoter_no, r.channel_no, ${eat('o.apply_time')}, 0, 1, 0, 0 from ${orders} where ${within('o.apply_time')}
      union all select r.promoter_no, r.channel_no, ${eat('o.payout_time')}, 0, 0, 1, o.loan_amount from ${orders} where ${within('o.payout_time')}),
    days as (
      select promoter_no, channel_no, stat_date, sum(registered)::int as registered, sum(incoming)::int as incoming, sum(paid)::int as paid, sum(amount) as amount
      from counted group by 1, 2, 3)
    insert into traffic_stat_daily (user_no, channel_no, stat_date, register_count, incoming_count, paid_out_count, payout_amount, cost_amount)
    select d.promoter_no, d.channel_no, d.stat_date, d.registered, d.incoming, d.paid, d.amount,
      coalesce(least(s.cost_amount, round(s.cost_amount * d.registered / nullif(s.register_count, 0), 2)), 0)
    from days d left join channel_stat_daily s using (channel_no, stat_date)
    on conflict (user_no, channel_no, stat_date) do update set register_count = excluded.register_count, incoming_count = excluded.incoming_count,
      paid_out_count = excluded.paid_out_count, payout_amount = excluded.payout_amount, cost_amount = excluded.cost_amount`)
}

/** What people brought on the days that may still change, every ten minutes. */
export const trafficStat: Scheduled = {
  job: 'traffic.stat',
  every: { seconds: 600 },
  run: async tx => ({ days: await recountTraffic(tx, addDays(tx.today, -openDays), tx.today) }),
}

const columns = ['register_count', 'incoming_count', 'paid_out_count'] as const

/** Sums of the rows `s`, with what a payout cost. */
export const sums: Frag = sql`${sql.join(
  columns.map(name => sql`coalesce(sum(s.${sql.ref(name)}), 0)::int as ${sql.ref(name)}`),
)}, coalesce(sum(s.payout_amount), 0)::numeric(18,2) as payout_amount,
  (sum(s.cost_amount) / nullif(sum(s.paid_out_count), 0))::numeric(18,2) as cost_per_payout`

/** The first day of those that are counted. */
export const firstDay = (tx: Tx): string => addDays(tx.today, 1 - countedDays)

/** Numbers of person `x`, as the list shows them. */
export const personNumbers = (tx: Tx): Record<'n' | 'm' | 'l', Frag> => ({
  n: sql`left join lateral (select ${sums} from traffic_stat_daily s where s.user_no = x.user_no and s.stat_date >= ${firstDay(tx)}) n on true`,
  m: sql`left join (
    select user_no, rank() over (order by sum(paid_out_count) desc)::int as month_rank from traffic_stat_daily
    where stat_date >= date_trunc('month', ${tx.today}::date) group by user_no having sum(paid_out_count) > 0) m on m.user_no = x.user_no`,
  l: sql`left join lateral (
    select max(stat_date) as last_payout_date from traffic_stat_daily s where s.user_no = x.user_no and s.paid_out_count > 0) l on true`,
})

/** Nobody whom person `x` brought was paid out of late, though they had the time. */
export const quietSince = (tx: Tx): Frag =>
  sql`coalesce(l.last_payout_date, x.created_time::date) <= ${addDays(tx.today, -quietDays)}::date`
