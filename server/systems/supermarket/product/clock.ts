import { sql } from 'kysely'
import { hostsIn } from '../../../../core/rules/market/hosts.ts'
import type { Tx } from '../../../db/database.ts'
import { enqueue } from '../../../jobs/queue.ts'
import type { NetworkHandler, Scheduled } from '../../../module.ts'
import type { OpenLink } from '../../../outgoing/open-link.ts'
import { system } from '../../../rights/actor.ts'
import { takeOffline } from './moves.ts'
import { untrue } from './own.ts'

/** Takes down what should not be seen any more. */
const tick = async (tx: Tx): Promise<Record<string, number>> => {
  const actor = system('market.clock')
  const time = await takeOffline(tx, sql`p.offline_time <= ${tx.now}`, 'time', actor)
  const ended = sql`exists (select 1 from supermarket_platform f where f.platform_no = p.platform_no and f.licence_expiry < ${tx.today})`
  const licence = await takeOffline(tx, ended, 'licence', actor)
  const price = await takeOffline(tx, sql`p.market_product_no = any(${await untrue(tx)})`, 'price', actor)
  return { time, licence, price }
}

export const marketClock: Scheduled = { job: 'market.clock', every: { seconds: 60 }, run: tick }

const queue = 'market.linkCheck'
/** Links that are asked at most before a product is taken down. */
const mostFailures = 2

/** Asks for each link once a day; a queue does it, outside of any transaction. */
export const linkCheck: Scheduled = {
  job: 'market.linkCheck',
  every: { dailyAt: '05:00' },
  async run(tx, { date }) {
    const rows = await tx.rows(sql<{ no: string }>`
      select market_product_no as no from market_product where product_status = 'online' and deleted_time is null order by 1`)
    for (const { no } of rows) await enqueue(tx, queue, `${date} ${no}`, { no }, { maxAttempts: 1 })
    return { asked: rows.length }
  },
}

type Prepared = { no: string; link: string; hosts: string[] }

/** Opens a link as a browser would, without following it off the hosts of its platform. */
export const linkQueue = (open: OpenLink): NetworkHandler<Prepared, string | null> => ({
  queue,
  async before(tx, { payload }) {
    const row = await tx.maybe(sql<{ link: string; allowedHosts: string }>`
      select p.apply_url as link, f.allowed_hosts from market_product p join supermarket_platform f using (platform_no)
      where p.market_product_no = ${payload.no} and p.product_status = 'online' and p.deleted_time is null`)
    return row ? { no: String(payload.no), link: row.link, hosts: hostsIn(row.allowedHosts) } : null
  },
  send: ({ link, hosts }) => open(link, hosts),
  async after(tx, { no }, fault) {
    await tx.exec(sql`
      update market_product set link_time = ${tx.now}, link_fault = ${fault}, link_failures = case when ${fault}::text is null then 0 else link_failures + 1 end
      where market_product_no = ${no} and product_status = 'online'`)
    await takeOffline(
      tx,
      sql`p.market_product_no = ${no} and p.link_failures >= ${mostFailures}`,
      'link',
      system(queue),
    )
  },
})
