import { sql } from 'kysely'
import { contract } from '../../../../core/contract/contract.ts'
import type { OutputOf } from '../../../../core/contract/endpoint.ts'
import { recommendMachine as machine, type RecommendRow } from '../../../../core/contract/supermarket/recommend.ts'
import { likelyShare } from '../../../../core/rules/market/weighted.ts'
import type { Tx } from '../../../db/database.ts'
import { notFound } from '../../../http/fault.ts'
import { serve } from '../../../http/serve.ts'
import { serveListed } from '../../../lists/listed.ts'
import type { Module } from '../../../module.ts'
import { scope } from '../../../rights/scope.ts'
import { lastWeek } from '../product/source.ts'
import { viewerWithin } from '../product/viewer.ts'
import { recommendBlocks } from './blocks.ts'
import { verdictsFor } from './choice.ts'
import { recommendCommands } from './commands.ts'
import { recommendList, recommendSource, running } from './source.ts'

const { recommend } = contract
type Detail = OutputOf<typeof recommend.detail>
type Stored = Omit<RecommendRow, 'blockedBy'>
const snake = (name: string) => name.replace(/[A-Z]/g, letter => `_${letter.toLowerCase()}`)

const percentOf = (part: number, whole: number) => (whole ? Math.min(100, (100 * part) / whole).toFixed(2) : null)

/** Those that run in a place, each with its share and the range of its click rate. */
const sharesOf = async (tx: Tx, slot: string): Promise<Detail['shares']> => {
  const { shown, came } = lastWeek(tx, alias => sql`${sql.ref(`${alias}.recommend_no`)} = r.recommend_no`)
  const rows = await tx.rows(sql<{
    recommendNo: string
    recommendName: string
    weight: number
    shown: number
    clicks: number
  }>`
    select r.recommend_no, r.recommend_name, r.weight, shown.n as shown, came.clicks from market_recommend r ${shown} ${came}
    where r.slot = ${slot} and ${running(tx)} order by r.weight desc, r.recommend_no limit 50`)
  const total = rows.reduce((sum, row) => sum + row.weight, 0)
  return rows.map(({ shown: seen, clicks, ...row }) => {
    const range = likelyShare(clicks, seen)
    return {
      ...row,
      slotShare: percentOf(row.weight, total) ?? '0',
      impressionCount: seen,
      clickCount: clicks,
      clickRate: percentOf(clicks, seen),
      rateFrom: range?.from ?? null,
      rateTo: range?.to ?? null,
    }
  })
}

const detail = serve(recommend.detail, async ({ tx, session, input: { recommendNo } }) => {
  const { columns, joins, from } = recommendSource({ tx, session })
  const own = Object.keys(recommend.page.row.shape).filter(name => name !== 'blockedBy' && !(name in columns))
  const row = await tx.maybe(sql<Stored>`
    select ${sql.join([
      ...own.map(name => sql`${sql.ref(`r.${snake(name)}`)} as ${sql.ref(snake(name))}`),
      ...Object.entries(columns).map(([name, value]) => sql`${value} as ${sql.ref(snake(name))}`),
    ])} from ${from} ${sql.join(Object.values(joins), sql` `)} where r.recommend_no = ${recommendNo}`)
  if (!row) throw notFound()
  const [blockedBy = {}] = await recommendBlocks.of({ tx, session }, [recommendNo])
  const history = await tx.rows(sql<Detail['history'][number]>`
    select t.transition_no as history_no, t.event, coalesce(u.real_name, t.actor) as actor_name, t.at, t.payload ->> 'reason' as reason
    from state_transition t left join app_user u on u.user_no = t.actor
    where t.machine = ${machine.id} and t.object_no = ${recommendNo} order by t.transition_no desc limit 50`)
  const shares = await sharesOf(tx, row.slot)
  const others = shares.filter(one => one.recommendNo !== recommendNo).map(one => one.weight)
  const weights = [...others, row.weight].sort((a, b) => b - a)
  return { recommend: { ...row, blockedBy }, history, shares, wouldRun: weights.length, weights } as Detail
})

const options = serve(recommend.options, async ({ tx }) => ({
  list: await tx.rows(sql<OutputOf<typeof recommend.options>['list'][number]>`
    select r.recommend_no as recommend_product, p.market_product_name, coalesce(r.recommend_quota, p.amount_max) as recommend_quota, r.slot
    from market_recommend r join market_product p using (market_product_no)
    where ${running(tx)} and p.product_status = 'online' order by p.market_product_name, r.recommend_no limit 200`),
}))

/** A try says nothing of a customer but what is shown to them, and takes customers of the own merchants alone. */
const resolve = serve(recommend.resolve, async ({ tx, session, input, audit }) => {
  const { customerNo, slot, appCode } = input
  const rule = scope(session, {
    merchant: 'mc.merchant_no',
    holder: () => sql`true`,
    perm: recommend.page.perm as string,
  })
  const viewer = await viewerWithin(
    tx,
    customerNo,
    sql`exists (select 1 from merchant_customer mc where mc.customer_no = c.customer_no and ${rule})`,
  )
  audit({ objectType: 'customer', objectNo: customerNo, after: { slot, appCode } })
  return { overdue: viewer.overdue, list: await verdictsFor(tx, { slot, appCode }, viewer) }
})

/** Products that are put before customers, in places of our apps. */
export const recommendModule = (): Module => ({
  served: [serveListed(recommendList), detail, options, resolve, ...recommendCommands],
  lists: [recommendList],
})
