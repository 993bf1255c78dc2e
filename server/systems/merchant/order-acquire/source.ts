import { type RawBuilder, sql } from 'kysely'
import { acquireRules } from '../../../../core/contract/merchant/order-acquire.ts'
import { eatDateTime, startOfEatDay } from '../../../../core/rules/time.ts'
import type { Reader } from '../../../lists/listed.ts'
import { scope } from '../../../rights/scope.ts'
import type { Session } from '../../../session/session.ts'
import { mayReplay } from './log.ts'

/** Rules, applications and merchants `x` that a person sees. */
export const acquireSeenBy = (session: Session): RawBuilder<unknown> =>
  scope(session, { merchant: 'x.merchant_no', holder: () => sql`true`, perm: acquireRules.codes.page })

/** What an accepted order costs merchant `x` on a day: its own price, else that for all. */
const price = (today: string) => sql`(
  select trim_scale((v.content ->> 'unitPrice')::numeric)::text
  from consumption_type t join consumption_price p on p.type_no = t.type_no join consumption_price_version v using (price_no)
  where t.meter = 'order_accepted' and t.enabled = 'enabled' and t.deleted_time is null and p.enabled = 'enabled' and p.deleted_time is null
    and (p.merchant_no is null or p.merchant_no = x.merchant_no) and v.version_status in ('effective', 'superseded', 'scheduled')
    and v.effective_time <= ${today}::timestamp at time zone 'Africa/Kampala' and (v.superseded_time is null or v.superseded_time > ${today}::timestamp at time zone 'Africa/Kampala')
  order by p.merchant_no is null, v.effective_time desc limit 1)`

const counted = (today: string, hour: number) => sql`coalesce((
  select n.accepted from acquire_counter n where n.acquire_no = x.acquire_no and n.business_date = ${today} and n.hour = ${hour}), 0)`

/** Rules with what came today. */
export const ruleSource = ({ tx, session }: Reader) => {
  const { today, now } = tx
  const isToday = sql`(x.today_cap_date is not distinct from ${today}::date)`
  const accepted = counted(today, -1)
  return {
    where: acquireSeenBy(session),
    joins: {
      m: sql`join merchant m on m.merchant_no = x.merchant_no`,
      r: sql`left join lateral (
        select count(*)::int as refused, mode() within group (order by l.intake_code) as top from acquire_log l
        where l.acquire_no = x.acquire_no and l.intake_time >= ${startOfEatDay(today)} and l.intake_result <> 'accepted') r on true`,
    },
    columns: {
      merchantName: sql`m.merchant_name`,
      productNames: sql`(select coalesce(string_agg(p.product_name, ', ' order by p.product_name), '') from product p where p.product_no = any(x.product_nos))`,
      todayOnly: isToday,
      capToday: sql`(case when ${isToday} then x.today_cap else x.daily_cap end)`,
      todayAccepted: accepted,
      hourAccepted: counted(today, Number(eatDateTime(now).slice(11, 13))),
      todayRefused: sql`r.refused`,
      todayShare: sql`(round(100.0 * ${accepted} / nullif(${accepted} + r.refused, 0))::int)`,
      topCode: sql`r.top`,
      price: price(today),
    },
    filters: {
      incomingChannel: (channels: string[]) =>
        sql`lower(x.incoming_channel) = any(${channels.map(one => one.toLowerCase())})`,
      productNo: (productNo: string) => sql`${productNo} = any(x.product_nos)`,
    } as never,
  }
}

/** Applications as they came, and what became of them. */
export const logSource = ({ tx, session }: Reader) => ({
  from: sql`acquire_log x`,
  alias: 'x',
  key: sql`x.intake_no`,
  where: acquireSeenBy(session),
  joins: {
    m: sql`join merchant m on m.merchant_no = x.merchant_no`,
    r: sql`left join acquire_rule r on r.acquire_no = x.acquire_no`,
    c: sql`left join customer c on c.customer_no = x.customer_no`,
  },
  columns: {
    merchantName: sql`m.merchant_name`,
    acquireName: sql`r.acquire_name`,
    customerName: sql`c.customer_name`,
    partnerCode: sql`x.intake_code::int`,
    charged: sql`(x.order_no is not null and exists (select 1 from consumption_event e where e.meter = 'order_accepted' and e.subject_no = x.order_no))`,
    mayReplay: mayReplay(tx),
  },
})
