import { type RawBuilder, sql } from 'kysely'
import type { Tx } from '../../../db/database.ts'
import { leftToday } from '../fund-account/fund-account-source.ts'
import { channelOf } from '../payout/payout-channel.ts'

type Frag = RawBuilder<unknown>

/** The routes that decide today. */
export const routesToday = (tx: Tx): Frag => sql`(
  select * from loan_route where deleted_time is null and enabled = 'enabled' and coalesce(effective_date, ${tx.today}) <= ${tx.today})`

/** Whether routes decide at all; without any, a payout leaves by the account of its merchant. */
export const routesInForce = async (tx: Tx): Promise<boolean> => {
  const { on } = await tx.one(sql<{ on: boolean }>`select exists (select 1 from ${routesToday(tx)} r) as on`)
  return on
}

const ways = Object.entries(channelOf).map(([subtype, channel]) => sql`when ${subtype} then ${channel}`)
/** The channel that reaches the payee of a code `lc`. */
export const channelOfPayee = sql`case lc.payout_subtype ${sql.join(ways, sql` `)} end`

/** The conditions of a route `r`, in the order in which a dry run names the one that fails; they speak of a code `lc` and its order `o`. */
export const conditions: readonly (readonly [name: string, holds: Frag])[] = [
  ['merchant', sql`(r.merchant_nos is null or o.merchant_no = any(r.merchant_nos))`],
  ['product', sql`(r.product_nos is null or o.product_no = any(r.product_nos))`],
  ['payout_type', sql`r.payout_type = lc.payout_type`],
  ['network', sql`(r.network is null or r.network = lc.payout_subtype)`],
  ['amount', sql`lc.actual_loan_amount between coalesce(r.amount_min, 0) and coalesce(r.amount_max, 1e15)`],
  ['loan_kind', sql`(r.loan_kind is null or r.loan_kind = o.loan_kind)`],
]
const matches = sql.join(
  conditions.map(([, holds]) => holds),
  sql` and `,
)

/** Whether an account may pay a code at all: on, for payouts, for its merchant, over the channel that reaches its payee. */
const fits = (no: Frag): Frag => sql`
  select 1 from fund_account fa where fa.fund_account_no = ${no} and fa.enabled = 'enabled' and fa.account_role in ('payout', 'both')
    and fa.channel = ${channelOfPayee}
    and exists (select 1 from fund_account_merchant fm where fm.fund_account_no = fa.fund_account_no and fm.merchant_no = o.merchant_no)`

/** Whether it could pay it now: its channel sends, it holds the money, and its cap of the day leaves it. */
const pays = (tx: Tx, no: Frag): Frag => sql`
  exists (${fits(no)} and fa.short_amount is null
    and exists (select 1 from channel ch where ch.channel = fa.channel and ch.enabled = 'enabled' and ch.pause_status = 'open')
    and coalesce((select b.balance from ledger_balance b where b.account_code = 'bank:' || fa.fund_account_no), 0) >= lc.actual_loan_amount
    and coalesce(${leftToday(tx)} >= lc.actual_loan_amount, true))`

/** Which accounts of a route `r` can take a code: now, or ever. */
export const usable = (tx: Tx, no: Frag, when: 'now' | 'ever'): Frag =>
  when === 'now' ? pays(tx, no) : sql`exists (${fits(no)})`

/** Whether the account `t` that a route chose can pay a code now, or may at all. */
const mayPay = (tx: Tx): Frag => sql`(t.usable or ${usable(tx, sql`t.fund_account_no`, 'ever')})`

/** A number of a code, from 0 on, that is always the same. */
const draw = sql`('x' || substr(md5(lc.loan_code), 1, 7))::bit(28)::int`

/**
 * The account that pays a code `lc` of an order `o`: the first matching route decides, and among its accounts that can pay the weights do,
 * by the number of the code. Where none can, the next route is asked if the route allows it; else the code waits for its account, which
 * is one that may pay it where any of the routes has one. An account that may not pay it at all is never answered.
 */
export const routeTarget = (tx: Tx, o: { routes?: Frag; when?: 'now' | 'ever' } = {}): Frag => sql`(
  select r.route_no, t.usable, case when ${mayPay(tx)} then t.fund_account_no end as fund_account_no
  from ${o.routes ?? routesToday(tx)} r cross join lateral (
    select shares.fund_account_no, shares.usable from (
      select e.*, sum(e.weight) over (partition by e.usable order by e.at) as upto, sum(e.weight) over (partition by e.usable) as total
      from (select x.value ->> 'fundAccountNo' as fund_account_no, (x.value ->> 'weight')::int as weight, x.at,
          ${usable(tx, sql`x.value ->> 'fundAccountNo'`, o.when ?? 'now')} as usable
        from jsonb_array_elements(r.targets) with ordinality x(value, at)) e) shares
    where ${draw} % shares.total < shares.upto order by shares.usable desc, shares.upto limit 1) t
  where ${matches}
  order by (t.usable or not r.fallback) desc, (t.usable or not r.fallback or ${mayPay(tx)}) desc, case when t.usable or not r.fallback then r.priority else -r.priority end limit 1)`
