import { sql } from 'kysely'
import { contract } from '../../../../core/contract/contract.ts'
import type { OutputOf } from '../../../../core/contract/endpoint.ts'
import type { MarketProductRow } from '../../../../core/contract/supermarket/market-product.ts'
import {
  marketProductMachine as machine,
  operationFields,
  productFields,
} from '../../../../core/contract/supermarket/market-product.ts'
import { daysBetween } from '../../../../core/rules/time.ts'
import { changesOf } from '../../../configs/history.ts'
import { notFound } from '../../../http/fault.ts'
import { serve } from '../../../http/serve.ts'
import { serveListed } from '../../../lists/listed.ts'
import type { Deps, Module } from '../../../module.ts'
import { openLink, type PostOnce, postPublic } from '../../../outgoing/open-link.ts'
import { marketBlocks } from './blocks.ts'
import { linkCheck, linkQueue, marketClock } from './clock.ts'
import { productCommands } from './commands.ts'
import { shelfCalls } from './shelf.ts'
import { clickList, productList, productSource } from './source.ts'

const { marketProduct } = contract
type Detail = OutputOf<typeof marketProduct.detail>
type Stored = Omit<MarketProductRow, 'blockedBy'> & Record<string, unknown>

/** Columns of a row that the table itself has. */
const plain = (columns: Record<string, unknown>) =>
  Object.keys(marketProduct.page.row.shape).filter(name => name !== 'blockedBy' && !(name in columns))

const snake = (name: string) => name.replace(/[A-Z]/g, letter => `_${letter.toLowerCase()}`)

const detail = serve(marketProduct.detail, async ({ tx, session, input: { marketProductNo } }) => {
  const { columns, joins, from, where } = productSource({ tx, session })
  const row = await tx.maybe(sql<Stored>`
    select ${sql.join([
      ...plain(columns).map(name => sql`${sql.ref(`p.${snake(name)}`)} as ${sql.ref(snake(name))}`),
      ...Object.entries(columns).map(([name, value]) => sql`${value} as ${sql.ref(snake(name))}`),
    ])} from ${from} ${sql.join(Object.values(joins), sql` `)} where p.market_product_no = ${marketProductNo} and ${where}`)
  if (!row) throw notFound()
  const [blockedBy = {}] = await marketBlocks.of({ tx, session }, [marketProductNo])
  const history = await tx.rows(sql<Detail['history'][number]>`
    select t.transition_no as history_no, t.event, coalesce(u.real_name, t.actor) as actor_name, t.at, coalesce(t.payload ->> 'reason', t.payload ->> 'cause') as reason
    from state_transition t left join app_user u on u.user_no = t.actor
    where t.machine = ${machine.id} and t.object_no = ${marketProductNo} order by t.transition_no desc limit 50`)
  const usedBy = await tx.rows(sql<Detail['usedBy'][number]>`
    select 'market_recommend' as kind, recommend_no as no, recommend_name as name from market_recommend where market_product_no = ${marketProductNo}
      and product_status <> 'offline' order by recommend_name, recommend_no limit 50`)
  const seen = row.draftOf
    ? await tx.maybe(
        sql<Record<string, unknown>>`select p.* from market_product p where p.market_product_no = ${row.draftOf}`,
      )
    : undefined
  const changes = seen ? changesOf([...productFields, ...operationFields], seen, row) : []
  return { product: { ...row, blockedBy }, history, changes, usedBy } as Detail
})

const stat = serve(marketProduct.stat, async ({ tx, input: { marketProductNo, fromDate: from, toDate: to } }) => {
  const there = await tx.maybe(
    sql`select 1 from market_product where market_product_no = ${marketProductNo} and deleted_time is null`,
  )
  if (!there) throw notFound()
  const rows = await tx.rows(sql<OutputOf<typeof marketProduct.stat>['list'][number]>`
    with shown as (
      select business_date as date, sum(shown_count)::int as n from market_shown where market_product_no = ${marketProductNo} and business_date between ${from} and ${to} group by 1),
    came as (
      select c.business_date as date, count(distinct c.click_id)::int as clicks, count(*) filter (where b.market_event = 'apply')::int as applied,
        count(*) filter (where b.market_event = 'payout')::int as paid, coalesce(sum(b.revenue_amount), 0)::numeric(18,2) as revenue
      from market_click c left join market_postback b on b.click_id = c.click_id and b.platform_no = c.platform_no and b.postback_result = 'accepted'
      where c.market_product_no = ${marketProductNo} and c.business_date between ${from} and ${to} group by 1)
    select date, coalesce(shown.n, 0) as impression_count, coalesce(clicks, 0) as click_count, coalesce(applied, 0) as apply_count, coalesce(paid, 0) as paid_out_count,
      coalesce(revenue, 0)::numeric(18,2) as revenue_amount
    from shown full join came using (date)`)
  const byDay = new Map(rows.map(row => [row.date, row]))
  const none = { impressionCount: 0, clickCount: 0, applyCount: 0, paidOutCount: 0, revenueAmount: '0.00' }
  return { list: daysBetween(from, to).map(date => byDay.get(date) ?? { date, ...none }) }
})

/** Loan products in our apps: described, accepted, shown, clicked. */
export const marketProductModule = (
  deps: Pick<Deps, 'secretKey' | 'demo'>,
  { post = postPublic }: { post?: PostOnce } = {},
): Module => ({
  served: [
    serveListed(productList),
    serveListed(clickList),
    detail,
    stat,
    ...productCommands,
    ...shelfCalls(deps, post),
  ],
  lists: [productList, clickList],
  choices: [
    {
      key: 'MARKET_PRODUCT',
      list: ({ tx }) =>
        tx.rows(sql<{ value: string; label: string; enabled: boolean }>`
          select market_product_no as value, market_product_name as label, product_status = 'online' as enabled from market_product
          where deleted_time is null and draft_of is null order by market_product_name, market_product_no`),
    },
  ],
  queues: [linkQueue(openLink()) as never],
  // The partners of a demo are made up: there is nobody to ask.
  scheduled: deps.demo ? [marketClock] : [marketClock, linkCheck],
})
