import { type RawBuilder, sql } from 'kysely'
import type { Money } from '../../../../core/rules/money.ts'
import type { Tx } from '../../../db/database.ts'
import { notFound } from '../../../http/fault.ts'

/** Who looks at a shelf, as far as it decides what they see. */
export type Viewer = {
  customerNo: string | null
  old: boolean
  overdue: boolean
  refused: boolean
  memberLevel: string
  customerStatus: string
  remainingLimit: Money | null
}

const stranger: Viewer = {
  customerNo: null,
  old: false,
  overdue: false,
  refused: false,
  memberLevel: '',
  customerStatus: '2',
  remainingLimit: null,
}

const known = sql`select c.customer_no, c.member_level, c.customer_status, c.remaining_limit,
  exists (select 1 from loan_order o where o.customer_no = c.customer_no and o.payout_time is not null) as old,
  exists (select 1 from loan_order o where o.customer_no = c.customer_no and o.overdue and o.order_status = 'funds_disbursed') as overdue,
  coalesce((select o.order_status in ('machine_refused', 'approval_rejected') from loan_order o where o.customer_no = c.customer_no order by o.apply_time desc, o.order_no desc limit 1), false) as refused
  from customer c`

/** A customer of a merchant, or somebody who has not signed in. @throws when the merchant does not know the customer */
export const viewerOf = async (tx: Tx, merchantNo: string, customerNo: string | undefined): Promise<Viewer> => {
  if (customerNo === undefined) return stranger
  const row = await tx.maybe(sql<Viewer>`
    ${known} where c.customer_no = ${customerNo} and exists (select 1 from merchant_customer mc where mc.customer_no = c.customer_no and mc.merchant_no = ${merchantNo})`)
  if (!row) throw notFound()
  return row
}

/** A customer whom the reader's data rule lets them see, by a condition on `c`. */
export const viewerWithin = async (tx: Tx, customerNo: string, rule: RawBuilder<unknown>): Promise<Viewer> => {
  const row = await tx.maybe(sql<Viewer>`${known} where c.customer_no = ${customerNo} and ${rule}`)
  if (!row) throw notFound()
  return row
}

/** Whether product `p` is one that an app shows to a customer now. */
export const seenOnShelf = (
  tx: Tx,
  appCode: string,
  { old, memberLevel }: Viewer,
): RawBuilder<boolean> => sql<boolean>`(
  p.product_status = 'online' and p.deleted_time is null and ${appCode} = any(p.app_codes) and ${old ? 'old' : 'new'} = any(p.customer_types)
  and (p.vip_level_min is null or p.vip_level_min <= ${memberLevel})
  and (p.online_time is null or p.online_time <= ${tx.now}) and (p.offline_time is null or p.offline_time > ${tx.now})
  and exists (select 1 from supermarket_platform f where f.platform_no = p.platform_no and f.enabled = 'enabled' and f.licence_expiry >= ${tx.today})
  and (p.daily_click_cap is null or p.daily_click_cap > coalesce((
    select t.taken from market_clicks_today t where t.market_product_no = p.market_product_no and t.business_date = ${tx.today}), 0)))`
