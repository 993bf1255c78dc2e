import { sql } from 'kysely'
import { contract } from '../../../../core/contract/contract.ts'
import type { Stretch } from '../../../../core/contract/operation/launch.ts'
import { addDays, diffDays } from '../../../../core/rules/time.ts'
import type { Tx } from '../../../db/database.ts'
import { notFound } from '../../../http/fault.ts'
import { serve } from '../../../http/serve.ts'
import { perPayout, seenBy, sums } from './source.ts'

const { launch } = contract

/** The numbers of channels between two business dates, by day or week where that is asked for. */
const numbers = (tx: Tx, channelNos: readonly string[], [from, to]: [string, string], by: 'day' | 'week' | null) =>
  tx.rows(sql<Stretch>`
    select t.*, ${perPayout('t')} as cost_per_payout from (
      select ${by === null ? sql`${from}::date` : sql`date_trunc(${by}, s.stat_date)::date`} as stat_date, ${sums}
      from channel_stat_daily s where s.channel_no = any(${[...channelNos]}) and s.stat_date between ${from} and ${to}
      ${by === null ? sql`` : sql`group by 1`}) t order by t.stat_date`)

/** What channels cost and brought, and the same of the equal period before. */
export const stat = serve(launch.stat, async ({ tx, session, input: { channelNos, from, to, by } }) => {
  const { seen } = await tx.one(sql<{ seen: number }>`
    select count(*)::int as seen from promotion_channel x where x.channel_no = any(${channelNos}) and x.deleted_time is null and ${seenBy(session)}`)
  if (seen < new Set(channelNos).size) throw notFound()
  const before: [string, string] = [addDays(from, -diffDays(to, from) - 1), addDays(from, -1)]
  const list = await numbers(tx, channelNos, [from, to], by)
  const [total] = await numbers(tx, channelNos, [from, to], null)
  const [previous] = await numbers(tx, channelNos, before, null)
  return { list, total: total as Stretch, previous: previous as Stretch }
})
