import { sql } from 'kysely'
import { addDays, startOfEatDay } from '../../../../core/rules/time.ts'
import type { Tx } from '../../../db/database.ts'
import type { Scheduled } from '../../../module.ts'

/** First bills are bad once they have been overdue for more than this many days. */
const badAfter = 7
/** Days whose numbers may still change: the last of them is the day on which a first bill turns bad. */
const openDays = badAfter + 3
/** Clicks that brought nobody are forgotten after so many days. */
const keptDays = 45

const eat = (column: string) => sql`(${sql.ref(column)} at time zone 'Africa/Kampala')::date`

/**
 * Counts what channels brought on some business dates, of all of them or of one. The price of a day is the one that held on it; a cost
 * that was entered takes the place of what follows from the price.
 */
export const recount = async (tx: Tx, from: string, to: string, channelNo: string | null = null): Promise<number> => {
  const [since, until] = [startOfEatDay(from), startOfEatDay(addDays(to, 1))]
  const of = channelNo === null ? sql`true` : sql`channel_no = ${channelNo}`
  const within = (column: string) => sql`${sql.ref(column)} >= ${since} and ${sql.ref(column)} < ${until}`
  const brought = sql`customer_channel r join loan_order o on o.customer_no = r.customer_no`
  const bills = sql`${brought} join repay_plan b on b.order_no = o.order_no and b.installment_no = 1 and b.extension_count = 0`
  return tx.exec(sql`
    with counted as (
      select channel_no, ${eat('click_time')} as stat_date, 'click' as what, count(*) as n, 0::numeric as amount, count(*) filter (where led_to = 'open') as paid
        from channel_click where ${within('click_time')} and ${of} group by 1, 2
      union all select channel_no, ${eat('register_time')}, 'register', count(*), 0, 0 from customer_channel where ${within('register_time')} and ${of} group by 1, 2
      union all select r.channel_no, ${eat('o.apply_time')}, 'incoming', count(*), 0, 0 from ${brought} where ${within('o.apply_time')} and ${of} group by 1, 2
      union all select r.channel_no, ${eat('o.approval_time')}, 'pass', count(*), 0, 0 from ${brought} where ${within('o.approval_time')} and ${of} group by 1, 2
      union all select r.channel_no, ${eat('o.payout_time')}, 'payout', count(*), sum(o.loan_amount), 0 from ${brought} where ${within('o.payout_time')} and ${of} group by 1, 2
      union all select r.channel_no, b.due_date, 'due', count(*), 0, 0 from ${bills} where b.due_date between ${from} and ${to} and b.due_date <= ${tx.today} and ${of} group by 1, 2
      union all select r.channel_no, b.due_date, 'bad', count(*), 0, 0 from ${bills}
        where b.due_date between ${from} and ${to} and b.due_date + ${badAfter}::int < coalesce(b.settled_date, ${tx.today}::date) and ${of} group by 1, 2
      union all select r.channel_no, b.settled_date, 'first_paid', count(*), 0, 0 from ${bills} where b.settled_date between ${from} and ${to} and ${of} group by 1, 2),
    days as (
      select c.channel_no, d::date as stat_date, coalesce(s.cost_mode, c.cost_mode) as cost_mode, coalesce(s.unit_price, c.unit_price) as unit_price
      from promotion_channel c cross join generate_series(${from}::date, ${to}::date, interval '1 day') d
      left join channel_stat_daily s on s.channel_no = c.channel_no and s.stat_date = d::date and s.stat_date < ${tx.today}
      where ${channelNo === null ? sql`true` : sql`c.channel_no = ${channelNo}`}),
    rows as (
      select d.channel_no, d.stat_date, d.cost_mode, d.unit_price,
        coalesce(sum(n) filter (where what = 'click'), 0)::int as click_count, coalesce(sum(n) filter (where what = 'register'), 0)::int as register_count,
        coalesce(sum(n) filter (where what = 'incoming'), 0)::int as incoming_count, coalesce(sum(n) filter (where what = 'pass'), 0)::int as pass_count,
        coalesce(sum(n) filter (where what = 'payout'), 0)::int as paid_out_count, coalesce(sum(k.amount) filter (where what = 'payout'), 0) as payout_amount,
        coalesce(sum(n) filter (where what = 'due'), 0)::int as first_due_count, coalesce(sum(n) filter (where what = 'bad'), 0)::int as first_bad_count,
        coalesce(sum(n) filter (where what = 'first_paid'), 0)::int as first_paid_count, coalesce(sum(paid), 0)::int as paid_clicks, max(e.amount) as entered
      from days d left join counted k using (channel_no, stat_date)
        left join channel_cost e on e.channel_no = d.channel_no and e.cost_date = d.stat_date and e.replaced_time is null
      group by 1, 2, 3, 4)
    insert into channel_stat_daily (channel_no, stat_date, cost_mode, unit_price, click_count, register_count, incoming_count, pass_count, paid_out_count, payout_amount,
      first_due_count, first_bad_count, first_paid_count, cost_amount)
    select channel_no, stat_date, cost_mode, unit_price, click_count, register_count, incoming_count, pass_count, paid_out_count, payout_amount,
      first_due_count, first_bad_count, first_paid_count, coalesce(entered,
        case cost_mode when 'cpa' then unit_price * register_count when 'cps' then unit_price * paid_out_count when 'cpc' then unit_price * paid_clicks else 0 end)
    from rows where click_count + register_count + incoming_count + pass_count + paid_out_count + first_due_count + first_paid_count > 0 or entered is not null
    on conflict (channel_no, stat_date) do update set cost_mode = excluded.cost_mode, unit_price = excluded.unit_price,
      click_count = excluded.click_count, register_count = excluded.register_count, incoming_count = excluded.incoming_count,
      pass_count = excluded.pass_count, paid_out_count = excluded.paid_out_count, payout_amount = excluded.payout_amount, first_due_count = excluded.first_due_count,
      first_bad_count = excluded.first_bad_count, first_paid_count = excluded.first_paid_count,
      cost_amount = excluded.cost_amount`)
}

/** The funnel of the days that may still change, every ten minutes. */
export const channelStat: Scheduled = {
  job: 'launch.channelStat',
  every: { seconds: 600 },
  run: async tx => ({ days: await recount(tx, addDays(tx.today, -openDays), tx.today) }),
}

/** The last word on yesterday; clicks that brought nobody are forgotten. */
export const channelStatFinal: Scheduled = {
  job: 'launch.channelStatFinal',
  every: { dailyAt: '00:20' },
  async run(tx) {
    const days = await recount(tx, addDays(tx.today, -openDays), tx.today)
    const forgotten = await tx.exec(sql`
      delete from channel_click k where k.click_time < ${startOfEatDay(addDays(tx.today, -keptDays))}
        and not exists (select 1 from customer_channel r where r.click_id = k.click_id)`)
    return { days, forgotten }
  },
}
