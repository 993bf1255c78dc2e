import { type RawBuilder, sql } from 'kysely'
import { contract } from '../../../../core/contract/contract.ts'
import { addDays } from '../../../../core/rules/time.ts'
import type { Tx } from '../../../db/database.ts'
import { listed, type Reader } from '../../../lists/listed.ts'
import { marketBlocks } from './blocks.ts'

const { marketProduct } = contract
type Frag = RawBuilder<unknown>

/** Shown, clicked and reported of a record in the last seven days; `of` names it in clicks `c` and showings `s`. */
export const lastWeek = (tx: Tx, of: (alias: string) => Frag): Record<string, Frag> => {
  const since = addDays(tx.today, -6)
  return {
    shown: sql`left join lateral (select coalesce(sum(s.shown_count), 0)::int as n from market_shown s where ${of('s')} and s.business_date >= ${since}) shown on true`,
    came: sql`left join lateral (
      select count(distinct c.click_id)::int as clicks, count(distinct c.click_id) filter (where c.business_date = ${tx.today})::int as today,
        count(*) filter (where b.market_event = 'apply')::int as applied, count(*) filter (where b.market_event = 'payout')::int as paid,
        coalesce(sum(b.revenue_amount), 0)::numeric(18,2) as revenue
      from market_click c left join market_postback b on b.click_id = c.click_id and b.platform_no = c.platform_no and b.postback_result = 'accepted'
      where ${of('c')} and c.business_date >= ${since}) came on true`,
  }
}

const share = (part: Frag, whole: Frag): Frag =>
  sql`least(100, round(100.0 * ${part} / nullif(${whole}, 0), 2))::numeric(5,2)`

/** The columns that {@link lastWeek} fills. */
export const weekColumns: Record<string, Frag> = {
  impressionCount: sql`shown.n`,
  clickCount: sql`came.clicks`,
  clickRate: share(sql`came.clicks`, sql`shown.n`),
  applyCount: sql`came.applied`,
  paidOutCount: sql`came.paid`,
  conversionRate: share(sql`came.paid`, sql`came.clicks`),
  revenueAmount: sql`came.revenue`,
}

/** What a cap that is in force says of the cost of product `p`; years have 365 days and months 30. */
export const aboveCap = (tx: Tx, mode: 'warn' | 'enforce'): Frag => sql`(
  select l.cap_key from legal_cap l join legal_cap_version v on v.cap_no = l.cap_no and v.version_status = 'effective' and v.effective_time <= ${tx.now}
  where v.content ->> 'capMode' = ${mode} and l.cap_key in ('interest_month', 'interest_year')
    and (case when v.content ->> 'feeTreatment' = 'allIn' then coalesce(p.all_in_month_rate, p.rate_month_max) else p.rate_month_max end)
      * (case l.cap_key when 'interest_year' then 365.0 / 30 else 1 end) > (v.content ->> 'capValue')::numeric
  order by l.cap_key limit 1)`

const nameOf = (column: string) => sql`(select u.real_name from app_user u where u.user_no = ${sql.ref(`p.${column}`)})`

/** Recommendations that show product `p`, as long as it is online. */
const recommended = sql`(select count(*)::int from market_recommend r where r.market_product_no = p.market_product_no and r.product_status = 'online')`

/** Products `p` as staff see them: all of them, since they are shown in every app. */
export const productSource = ({ tx }: Reader) => ({
  from: sql`market_product p`,
  alias: 'p',
  key: sql`p.market_product_no`,
  where: sql`p.deleted_time is null`,
  joins: {
    f: sql`join supermarket_platform f on f.platform_no = p.platform_no`,
    ...lastWeek(tx, alias => sql`${sql.ref(`${alias}.market_product_no`)} = p.market_product_no`),
  },
  columns: {
    platformName: sql`f.platform_name`,
    platformKind: sql`f.platform_kind`,
    overCap: sql`(${aboveCap(tx, 'enforce')} is not null or ${aboveCap(tx, 'warn')} is not null)`,
    ...weekColumns,
    clicksToday: sql`came.today`,
    recommendCount: recommended,
    submitterName: nameOf('submitted_by'),
    operatorName: nameOf('operated_by'),
  },
})

/** The list of products. */
export const productList = listed({
  list: marketProduct.page,
  source: at => ({
    ...productSource(at),
    filters: {
      marketProductName: (text: string) => sql`position(lower(${text}) in lower(p.market_product_name)) > 0`,
      platformKind: (kinds: readonly string[]) => (kinds.length ? sql`f.platform_kind = any(${[...kinds]})` : null),
      appCode: (app: string) => sql`${app} = any(p.app_codes)`,
      customerType: (kind: string) => sql`${kind} = any(p.customer_types)`,
      waiting: (mine: boolean) =>
        mine ? sql`(p.product_status = 'submitted' and p.submitted_by <> ${at.session.userNo})` : null,
    },
  }),
  blocked: marketBlocks,
})

/** Clicks of products, each with what the partner reported of it. */
export const clickList = listed({
  list: marketProduct.clicks,
  source: () => ({
    from: sql`market_click x`,
    alias: 'x',
    key: sql`x.click_id`,
    where: sql`true`,
    columns: {
      events: sql`array(select b.market_event from market_postback b where b.click_id = x.click_id and b.platform_no = x.platform_no and b.postback_result = 'accepted' order by b.received_time)`,
      revenueAmount: sql`(select coalesce(sum(b.revenue_amount), 0)::numeric(18,2) from market_postback b where b.click_id = x.click_id and b.platform_no = x.platform_no and b.postback_result = 'accepted')`,
    },
  }),
})
