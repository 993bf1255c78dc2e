import { type RawBuilder, sql } from 'kysely'
import { startOfEatDay } from '../../../../core/rules/time.ts'
import type { Tx } from '../../../db/database.ts'

type Frag = RawBuilder<unknown>

/** People whom channel `x` has brought today. */
export const registeredToday = (tx: Tx): Frag =>
  sql`(select count(*)::int from customer_channel r where r.channel_no = x.channel_no and r.register_time >= ${startOfEatDay(tx.today)})`

const payoutsToday = (tx: Tx): Frag =>
  sql`(select count(*) from loan_order o join customer_channel r on r.customer_no = o.customer_no
    where r.channel_no = x.channel_no and o.payout_time >= ${startOfEatDay(tx.today)})`

const clicksToday = (tx: Tx): Frag =>
  sql`(select count(*) from channel_click k where k.channel_no = x.channel_no and k.led_to = 'open' and k.click_time >= ${startOfEatDay(tx.today)})`

/** What channel `x` has cost today: as entered, else what it is paid for at its price. */
export const usedToday = (tx: Tx): Frag => sql`coalesce(
  (select e.amount from channel_cost e where e.channel_no = x.channel_no and e.cost_date = ${tx.today} and e.replaced_time is null),
  case x.cost_mode when 'cpa' then x.unit_price * ${registeredToday(tx)} when 'cps' then x.unit_price * ${payoutsToday(tx)}
    when 'cpc' then x.unit_price * ${clicksToday(tx)} else 0 end)::numeric(18,2)`

/** Whether the link of channel `x` leads to its page now; if not, why it leads to the ordinary one. */
export const standingOf = (tx: Tx): Frag => sql`(case
  when x.deleted_time is not null or x.enabled <> 'enabled' then 'off'
  when x.start_date > ${tx.today}::date then 'not_started'
  when x.end_date < ${tx.today}::date then 'ended'
  when x.daily_register_cap > 0 and ${registeredToday(tx)} >= x.daily_register_cap then 'at_cap'
  when x.daily_budget > 0 and ${usedToday(tx)} >= x.daily_budget then 'over_budget'
  else 'open' end)`
