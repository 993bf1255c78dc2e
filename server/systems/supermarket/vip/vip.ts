import { sql } from 'kysely'
import { vipLadders } from '../../../../core/contract/supermarket/vip.ts'
import { earnedLevel, type VipLevel } from '../../../../core/rules/market/vip.ts'
import { serveConfig } from '../../../configs/serve-config.ts'
import type { Tx } from '../../../db/database.ts'
import { Fault } from '../../../http/fault.ts'
import type { Step } from '../../../jobs/scheduler.ts'
import { serveListed } from '../../../lists/listed.ts'
import type { Module } from '../../../module.ts'
import { system } from '../../../rights/actor.ts'
import { levelApproval, memberCalls, memberList } from './members.ts'
import { levelsInForce, measured, review } from './standing.ts'

const chunkSize = 500
/** How far back repayments are looked for that may have earned a level. */
const eventMinutes = 5

/** How many would go up and down under other levels. */
const effectOf = async (tx: Tx, levels: readonly VipLevel[]) => {
  const count = { customers: 0, up: 0, down: 0 }
  for (const one of await measured(tx, sql`true`)) {
    const to = earnedLevel(levels, one)
    count.customers++
    if (to > one.memberLevel) count.up++
    if (to < one.memberLevel) count.down++
  }
  return count
}

/** A level that a ladder lacks leaves its members without one: they need to have moved before. */
const lostLevel = async (tx: Tx, levels: readonly VipLevel[]): Promise<Fault | null> => {
  const kept = levels.map(one => one.levelCode)
  const lost = await tx.maybe(sql<{ level: string; n: number }>`
    select member_level as level, count(*)::int as n from customer where member_level <> all(${kept}) group by 1 order by 1 limit 1`)
  return lost ? new Fault('stateConflict', 'errors.levelHasMembers', { level: lost.level, n: lost.n }) : null
}

const moved = (
  event: 'up' | 'down',
) => sql`(select count(*)::int from vip_change h where h.changed_time >= now() - interval '30 days'
  and h.to_level ${event === 'up' ? sql`>` : sql`<`} h.from_level)`

const config = serveConfig(vipLadders, {
  prefix: 'VL',
  unique: 'ladderNo',
  mayChange: ({ session }) => (session.headquarters ? null : new Fault('forbidden', 'errors.headquartersOnly')),
  /** There is one ladder, and it is always in force. */
  fixed: ({ enabled }) => (enabled === 'enabled' ? new Fault('stateConflict', 'errors.ladderStays') : null),
  source: () => ({
    columns: {
      vipCount: sql`(select count(*)::int from customer)`,
      upCount: moved('up'),
      downCount: moved('down'),
    },
  }),
  versions: {
    prefix: 'VV',
    holds: (tx, { content }) => lostLevel(tx, content.levels as VipLevel[]),
    effect: (tx, { content }) => effectOf(tx, content.levels as VipLevel[]),
  },
})

/** Everybody once a day; down on the first day of a month alone. */
const daily = async (tx: Tx, { date, cursor }: { date: string; cursor: string | null }): Promise<Step> => {
  const levels = await levelsInForce(tx)
  if (levels.length === 0) return { cursor: null }
  const customers = await measured(
    tx,
    sql`c.customer_no > ${cursor ?? ''} order by c.customer_no limit ${chunkSize} for update of c`,
  )
  const down = date.endsWith('-01')
  const counts = await review(tx, customers, { levels, down, date }, system(`vip.review ${date}`))
  return { cursor: customers.length < chunkSize ? null : (customers.at(-1)?.customerNo ?? null), counts }
}

/** Those who repaid just now: what they have earned they have at once. */
const lately = async (tx: Tx) => {
  const levels = await levelsInForce(tx)
  if (levels.length === 0) return { up: 0 }
  const since = new Date(tx.now.getTime() - eventMinutes * 60_000)
  const customers = await measured(
    tx,
    sql`exists (select 1 from repay_record r join loan_order o using (order_no) where o.customer_no = c.customer_no and r.record_status = 'posted' and r.repayment_time >= ${since})
      order by c.customer_no for update of c`,
  )
  const { up } = await review(tx, customers, { levels, down: false, date: tx.today }, system('vip.events'))
  return { up }
}

/** Member levels: what earns them, and who has them. */
export const vipModule = (): Module => ({
  ...config,
  served: [...config.served, serveListed(memberList), ...memberCalls],
  lists: [...config.lists, memberList],
  approvals: [...config.approvals, levelApproval],
  scheduled: [...config.scheduled, { job: 'vip.events', every: { seconds: 60 }, run: lately }],
  chunked: [{ job: 'vip.review', dailyAt: '02:30', chunk: daily }],
})
