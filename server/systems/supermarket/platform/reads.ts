import { sql } from 'kysely'
import { contract } from '../../../../core/contract/contract.ts'
import type { OutputOf } from '../../../../core/contract/endpoint.ts'
import { withClick } from '../../../../core/rules/market/hosts.ts'
import { addDays, startOfEatDay } from '../../../../core/rules/time.ts'
import type { Tx } from '../../../db/database.ts'
import { notFound } from '../../../http/fault.ts'
import { serve } from '../../../http/serve.ts'
import { postbackListed } from './postback.ts'

const { platform } = contract

const checkThere = async (tx: Tx, platformNo: string) => {
  if (
    !(await tx.maybe(
      sql`select 1 from supermarket_platform where platform_no = ${platformNo} and deleted_time is null`,
    ))
  )
    throw notFound()
}

const stat = serve(platform.stat, async ({ tx, input: { platformNo, fromDate, toDate } }) => {
  await checkThere(tx, platformNo)
  const [since, until] = [startOfEatDay(fromDate), startOfEatDay(addDays(toDate, 1))]
  const month = (time: string) => sql`to_char(${sql.ref(time)} at time zone 'Africa/Kampala', 'YYYY-MM')`
  const list = await tx.rows(sql<OutputOf<typeof platform.stat>['list'][number]>`
    with clicks as (
      select ${month('click_time')} as month, count(*)::int as n from market_click
      where platform_no = ${platformNo} and click_time >= ${since} and click_time < ${until} group by 1),
    said as (
      select ${month('received_time')} as month, count(*) filter (where market_event = 'apply')::int as applied, count(*) filter (where market_event = 'payout')::int as paid,
        coalesce(sum(amount) filter (where market_event = 'payout'), 0)::numeric(18,2) as amount, sum(revenue_amount)::numeric(18,2) as revenue
      from market_postback where platform_no = ${platformNo} and postback_result = 'accepted' and received_time >= ${since} and received_time < ${until} group by 1)
    select month, coalesce(clicks.n, 0) as click_count, coalesce(applied, 0) as apply_count, coalesce(paid, 0) as paid_out_count,
      coalesce(amount, 0)::numeric(18,2) as payout_amount, coalesce(revenue, 0)::numeric(18,2) as revenue_amount,
      (coalesce(revenue, 0) / nullif(clicks.n, 0))::numeric(18,2) as per_click
    from clicks full join said using (month) order by month desc limit 24`)
  return { list }
})

const links = serve(platform.links, async ({ tx, input: { platformNo } }) => {
  await checkThere(tx, platformNo)
  const rows = await tx.rows(sql<{ marketProductNo: string; marketProductName: string; applyUrl: string }>`
    select market_product_no, market_product_name, apply_url from market_product
    where platform_no = ${platformNo} and deleted_time is null and draft_of is null order by market_product_name, market_product_no limit 100`)
  return { list: rows.map(({ applyUrl, ...row }) => ({ ...row, targetLink: withClick(applyUrl, 'TEST') })) }
})

export const platformReads = [postbackListed, stat, links]
