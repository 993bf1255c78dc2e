import { sql } from 'kysely'
import type { Verdict } from '../../../../core/contract/supermarket/recommend.ts'
import { chosenFor } from '../../../../core/rules/market/weighted.ts'
import { type Money, min } from '../../../../core/rules/money.ts'
import type { Tx } from '../../../db/database.ts'
import { seenOnShelf, type Viewer } from '../product/viewer.ts'

/** A recommendation as a customer meets it. */
export type Candidate = {
  recommendNo: string
  recommendName: string
  marketProductNo: string
  marketProductName: string
  weight: number
  quota: Money
  reasonText: Record<string, string> | null
  isOwn: boolean
  running: boolean
  seen: boolean
  forStatus: boolean
  forLevel: boolean
  forRefused: boolean
}

type Asked = { appCode: string; slot: string }

/** Everything that is online in a place of an app, with what each condition says of a customer. */
const candidates = (tx: Tx, { appCode, slot }: Asked, viewer: Viewer): Promise<Candidate[]> =>
  tx.rows(sql<Candidate>`
    select r.recommend_no, r.recommend_name, r.market_product_no, p.market_product_name, r.weight, coalesce(r.recommend_quota, p.amount_max) as quota, r.reason_text,
      f.platform_kind = 'own' as is_own, r.start_time <= ${tx.now} and r.end_time > ${tx.now} as running, ${seenOnShelf(tx, appCode, viewer)} as seen,
      (cardinality(r.customer_statuses) = 0 or ${viewer.customerStatus} = any(r.customer_statuses)) as for_status,
      (r.vip_level_min is null or r.vip_level_min <= ${viewer.memberLevel}) as for_level, (not r.refused_only or ${viewer.refused}) as for_refused
    from market_recommend r join market_product p using (market_product_no) join supermarket_platform f on f.platform_no = p.platform_no
    where r.product_status = 'online' and r.slot = ${slot} and ${appCode} = any(p.app_codes) order by r.recommend_no`)

const fits = (one: Candidate) => one.running && one.seen && one.forStatus && one.forLevel && one.forRefused

const reasonOf = (one: Candidate): Verdict => {
  if (!one.running) return 'not_running'
  if (!one.seen) return 'product_offline'
  if (!one.forStatus) return 'audience'
  if (!one.forLevel) return 'level'
  return one.forRefused ? 'other_chosen' : 'not_refused'
}

/** What a customer is recommended in a place today; nobody with an overdue loan is led to another one. */
export const recommendedTo = async (tx: Tx, asked: Asked, viewer: Viewer) => {
  if (viewer.customerNo === null || viewer.overdue) return { chosen: null, all: [] }
  const all = await candidates(tx, asked, viewer)
  const { customerNo } = viewer
  const chosen = chosenFor(all.filter(fits), { customerNo, slot: asked.slot, date: tx.today })
  return { chosen, all }
}

/** The amount that a customer reads: of our own products never more than their own limit. */
export const quotaFor = ({ quota, isOwn }: Candidate, { remainingLimit }: Viewer): Money =>
  isOwn && remainingLimit !== null ? min(quota, remainingLimit) : quota

/** Why each recommendation of a place is seen by a customer, or is not. */
export const verdictsFor = async (tx: Tx, asked: Asked, viewer: Viewer) => {
  const { chosen, all } = await recommendedTo(tx, asked, viewer)
  return all.map(one => ({
    recommendNo: one.recommendNo,
    recommendName: one.recommendName,
    marketProductName: one.marketProductName,
    tryVerdict: one === chosen ? ('shown' as const) : reasonOf(one),
  }))
}
