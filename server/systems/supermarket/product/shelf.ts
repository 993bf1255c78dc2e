import { type RawBuilder, sql } from 'kysely'
import { marketShelf, type ShownProduct } from '../../../../core/contract/supermarket/market-product.ts'
import { withClick } from '../../../../core/rules/market/hosts.ts'
import type { Tx } from '../../../db/database.ts'
import { Fault, notFound } from '../../../http/fault.ts'
import { serveSigned } from '../../../http/serve.ts'
import type { Deps } from '../../../module.ts'
import { merchantSecrets, merchantSigner } from '../../common/index.ts'
import { newClickId } from './click-id.ts'

type Frag = RawBuilder<unknown>
type Signer = Awaited<ReturnType<typeof merchantSigner>>
type Viewer = { customerNo: string | null; old: boolean; overdue: boolean; memberLevel: string }

/** Most products of one page. */
const most = 50

/** Who looks: somebody with a loan that is overdue is not led to another one. */
export const viewerOf = async (tx: Tx, merchantNo: string, customerNo: string | undefined): Promise<Viewer> => {
  if (customerNo === undefined) return { customerNo: null, old: false, overdue: false, memberLevel: '' }
  const row = await tx.maybe(sql<{ memberLevel: string; old: boolean; overdue: boolean }>`
    select c.member_level, exists (select 1 from loan_order o where o.customer_no = c.customer_no and o.payout_time is not null) as old,
      exists (select 1 from loan_order o where o.customer_no = c.customer_no and o.overdue and o.order_status = 'funds_disbursed') as overdue
    from customer c where c.customer_no = ${customerNo}
      and exists (select 1 from merchant_customer mc where mc.customer_no = c.customer_no and mc.merchant_no = ${merchantNo})`)
  if (!row) throw notFound()
  return { customerNo, ...row }
}

/** Products `p` that an app shows to a customer now. */
export const seenOnShelf = (tx: Tx, appCode: string, { old, memberLevel }: Viewer): Frag => sql`(
  p.product_status = 'online' and p.deleted_time is null and ${appCode} = any(p.app_codes) and ${old ? 'old' : 'new'} = any(p.customer_types)
  and (p.vip_level_min is null or p.vip_level_min <= ${memberLevel})
  and (p.online_time is null or p.online_time <= ${tx.now}) and (p.offline_time is null or p.offline_time > ${tx.now})
  and exists (select 1 from supermarket_platform f where f.platform_no = p.platform_no and f.enabled = 'enabled' and f.licence_expiry >= ${tx.today})
  and (p.daily_click_cap is null or p.daily_click_cap > coalesce((
    select t.taken from market_clicks_today t where t.market_product_no = p.market_product_no and t.business_date = ${tx.today}), 0)))`

/** Adds one to how often products were shown today. */
export const noteShown = (
  tx: Tx,
  nos: readonly string[],
  { appCode, slot, recommendNo = '' }: { appCode: string; slot: string; recommendNo?: string },
): Promise<unknown> =>
  nos.length === 0
    ? Promise.resolve()
    : tx.exec(sql`
      insert into market_shown (business_date, market_product_no, app_code, slot, recommend_no, shown_count)
      select ${tx.today}, no, ${appCode}, ${slot}, ${recommendNo}, 1 from unnest(${[...nos].sort()}::text[]) no
      on conflict (market_product_no, business_date, app_code, slot, recommend_no) do update set shown_count = market_shown.shown_count + 1`)

/** One more click of today, unless the cap of the day is reached: counted and compared in one statement. */
const takeClick = async (tx: Tx, marketProductNo: string, cap: number | null): Promise<boolean> => {
  const taken = await tx.maybe(sql<{ taken: number }>`
    insert into market_clicks_today (market_product_no, business_date, taken) values (${marketProductNo}, ${tx.today}, 1)
    on conflict (market_product_no, business_date) do update set taken = market_clicks_today.taken + 1
      where ${cap}::int is null or market_clicks_today.taken < ${cap}::int
    returning taken`)
  return taken !== undefined
}

const ownApp = ({ appName }: Signer, appCode: string) => {
  if (appName !== appCode) throw new Fault('forbidden', 'errors.forbidden')
}

/** What the apps of merchants ask for, and where a customer is handed over. */
export const shelfCalls = ({ secretKey }: Pick<Deps, 'secretKey'>) => {
  const secrets = merchantSecrets(secretKey)
  const signer = (tx: Tx, request: Parameters<typeof merchantSigner>[1]) => merchantSigner(tx, request, secrets)
  const shelf = serveSigned(marketShelf.shelf, {
    signer,
    async handle({ tx, input }, merchant) {
      ownApp(merchant, input.appCode)
      const viewer = await viewerOf(tx, merchant.merchantNo, input.customerNo)
      if (viewer.overdue) return { list: [] }
      const words = (column: string) => sql`p.${sql.ref(column)} ->> ${input.language}`
      const list = await tx.rows(sql<ShownProduct>`
        select p.market_product_no, p.market_product_name, p.logo, ${words('slogan')} as slogan, p.amount_min, p.amount_max, p.term_min, p.term_max, p.term_unit,
          p.all_in_month_rate, ${words('fee_text')} as fee_text, ${words('conditions')} as conditions, ${words('required_docs')} as required_docs, p.badge
        from market_product p where ${seenOnShelf(tx, input.appCode, viewer)} order by p.sort, p.market_product_no limit ${most}`)
      await noteShown(
        tx,
        list.map(one => one.marketProductNo),
        input,
      )
      return { list }
    },
  })
  const open = serveSigned(marketShelf.open, {
    signer,
    async handle({ tx, input }, merchant) {
      const { appCode, customerNo, marketProductNo, slot } = input
      ownApp(merchant, appCode)
      const viewer = await viewerOf(tx, merchant.merchantNo, customerNo)
      if (viewer.overdue) throw new Fault('stateConflict', 'errors.productGone')
      const product = await tx.maybe(sql<{ applyUrl: string; platformNo: string; dailyClickCap: number | null }>`
        select p.apply_url, p.platform_no, p.daily_click_cap from market_product p
        where p.market_product_no = ${marketProductNo} and ${seenOnShelf(tx, appCode, viewer)}`)
      if (!product || !(await takeClick(tx, marketProductNo, product.dailyClickCap)))
        throw new Fault('stateConflict', 'errors.productGone')
      const clickId = newClickId()
      await tx.exec(sql`
        insert into market_click (click_id, market_product_no, platform_no, customer_no, app_code, slot, click_time, business_date)
        values (${clickId}, ${marketProductNo}, ${product.platformNo}, ${customerNo}, ${appCode}, ${slot}, ${tx.now}, ${tx.today})`)
      return { clickId, targetLink: withClick(product.applyUrl, clickId) }
    },
  })
  return [shelf, open]
}
