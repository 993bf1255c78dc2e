import { type RawBuilder, sql } from 'kysely'
import type { RoutePurpose } from '../../../../core/contract/operation/sms-router.ts'
import { startOfEatDay } from '../../../../core/rules/time.ts'
import type { Tx } from '../../../db/database.ts'
import type { Source } from '../../../lists/list.ts'
import type { Reader } from '../../../lists/listed.ts'
import { scope } from '../../../rights/scope.ts'
import type { Session } from '../../../session/session.ts'
import { routesInForce } from './route-choice.ts'

type Frag = RawBuilder<unknown>
const dayMs = 86_400_000

/** Routes `x` that a person sees; those of all merchants are seen by everybody. */
export const routeRule = (session: Session, purpose: RoutePurpose): Frag =>
  sql`(x.merchant_no is null or ${scope(session, { merchant: 'x.merchant_no', holder: () => sql`true`, perm: `sms:router:${purpose}:page` })})`

/** What a part of a text by an account has cost of late. */
export const unitCost = (tx: Tx): Frag =>
  sql`(select (sum(m.cost) / nullif(sum(m.segments), 0))::numeric(18,2) from message m
    where m.account_no = x.account_no and m.cost is not null and m.created_time > ${new Date(tx.now.getTime() - 7 * dayMs)})`

const ended = sql`('delivered', 'failed', 'no_report')`

/** What the list of routes reads: how many texts went, how they arrived, and what they cost. */
export const routerSource =
  (purpose: RoutePurpose) =>
  ({ tx, session }: Reader): Partial<Source> => {
    const used = sql`from message m where m.route_no = x.route_no and m.send_time >= ${new Date(tx.now.getTime() - dayMs)}`
    return {
      where: routeRule(session, purpose),
      joins: { mc: sql`left join merchant mc on mc.merchant_no = x.merchant_no` },
      columns: {
        merchantName: sql`mc.merchant_name`,
        sentToday: sql`(select count(*)::int from message m where m.route_no = x.route_no and m.send_time >= ${startOfEatDay(tx.today)})`,
        deliveredRate: sql`(select round(100.0 * count(*) filter (where m.message_status = 'delivered') / nullif(count(*) filter (where m.message_status in ${ended}), 0), 1)::float8 ${used})`,
        medianSeconds: sql`(select percentile_disc(0.5) within group (order by m.delivery_seconds)::int ${used} and m.delivery_seconds is not null)`,
        unitCost: unitCost(tx),
      },
      filters: {
        scene: (scenes: readonly string[]) => (scenes.length ? sql`x.scenes && ${[...scenes]}::text[]` : null),
      } as never,
    }
  }

/** How each route stands now, which only the rule knows. */
export const lateStanding = (purpose: RoutePurpose) => ({
  columns: ['routeStanding'],
  needs: ['routeNo'],
  only: sql`false`,
  async fill(tx: Tx, rows: Record<string, unknown>[]) {
    const standing = new Map((await routesInForce(tx, purpose)).map(one => [one.routeNo, one.standing]))
    return rows.map(row => ({ ...row, routeStanding: standing.get(String(row.routeNo)) ?? 'good' }))
  },
})
