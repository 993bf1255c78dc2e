import { type RawBuilder, sql } from 'kysely'
import { contract } from '../../../../core/contract/contract.ts'
import type { OutputOf } from '../../../../core/contract/endpoint.ts'
import { routes } from '../../../../core/contract/routes.ts'
import type { Language } from '../../../../core/i18n/language.ts'
import { addDays, startOfEatDay } from '../../../../core/rules/time.ts'
import { notFound } from '../../../http/fault.ts'
import { serve, serveEach } from '../../../http/serve.ts'
import { oneOf } from '../../../lists/list.ts'
import { listed, type Reader, serveListed } from '../../../lists/listed.ts'
import { orderHolder, scope } from '../../../rights/scope.ts'
import type { Session } from '../../../session/session.ts'
import { accessLines } from '../../common/index.ts'
import { screenName } from './settings.ts'

const { sensitiveInfo } = contract
type Frag = RawBuilder<unknown>
type Person = OutputOf<typeof sensitiveInfo.revealStat>['list'][number]
type Viewer = OutputOf<typeof sensitiveInfo.seenBy>['list'][number]
const perm = sensitiveInfo.revealLog.perm as string

/** Lines of values that were seen in full, `x`, each with the order that it belongs to, where there is one. */
const lines = accessLines
const isSeen = sql`x.access_kind in ('reveal', 'view')`
const customerNo = sql`coalesce(o.customer_no, case x.object_type
  when 'customer' then x.object_no when 'flow' then (select f.customer_no from repay_flow f where f.flow_no = x.object_no) end)`

/** How a line is called: its number, as long for each. */
const lineNo = sql`('AL' || lpad(x.access_no::text, 12, '0'))`
const numberOf = (no: string): number => (/^AL\d{12}$/.test(no) ? Number(no.slice(2)) : 0)

/** Orders `o` of the data rule of a person: the lines about these are theirs to read. */
const readBy = (session: Session): Frag => scope(session, { merchant: 'o.merchant_no', holder: orderHolder('o'), perm })

const rolesOf = (userNo: Frag) =>
  sql`(select string_agg(r.role_name, ', ' order by r.role_name) from user_role ur join role r using (role_no) where ur.user_no = ${userNo})`

/** The screen of a line in the words of the menu. */
const routeName = (language: Language): Frag =>
  sql`case x.route ${sql.join(
    routes.map(({ tag }) => sql`when ${tag} then ${screenName(language, tag)}`),
    sql` `,
  )} end`

const seen = listed({
  list: sensitiveInfo.revealLog,
  source: ({ session }: Reader) => ({
    from: lines,
    alias: 'x',
    key: lineNo,
    where: sql`(${isSeen} and ${readBy(session)})`,
    joins: {
      u: sql`left join app_user u on u.user_no = x.user_no`,
      c: sql`left join order_customer c on c.customer_no = o.customer_no and c.merchant_no = o.merchant_no`,
      v: sql`left join access_review v on v.access_no = x.access_no`,
      w: sql`left join app_user w on w.user_no = v.reviewed_by`,
    },
    columns: {
      accessNo: lineNo,
      actTime: sql`x.at`,
      seenKinds: sql`x.kinds`,
      realName: sql`coalesce(u.real_name, x.user_no)`,
      roleName: rolesOf(sql`x.user_no`),
      customerNo,
      customerName: sql`c.customer_name`,
      orderNo: sql`o.order_no`,
      route: routeName(session.language),
      reviewedBy: sql`coalesce(w.real_name, v.reviewed_by)`,
      kind: sql`x.kinds`,
      reviewed: sql`v.access_no`,
    },
    filters: {
      kind: (kinds: readonly string[]) => (kinds.length ? sql`x.kinds && ${[...kinds]}::text[]` : null),
      reviewed: (is: boolean) =>
        sql`exists (select 1 from access_review y where y.access_no = x.access_no) = ${is}::boolean`,
      userNo: (users: readonly string[]) => (users.length ? oneOf(sql`x.user_no`, users) : null),
    } as never,
  }),
})

const review = serveEach(sensitiveInfo.review, {
  ids: input => input.accessNos,
  async row(id, { tx, session, actor, input, audit }) {
    const line = await tx.maybe(
      sql`select 1 from ${lines} where x.access_no = ${numberOf(id)} and ${isSeen} and ${readBy(session)}`,
    )
    if (!line) throw notFound()
    await tx.exec(sql`
      insert into access_review values (${numberOf(id)}, ${actor.no}, ${tx.now}, ${input.remark || null}) on conflict do nothing`)
    audit({ objectType: 'access_log', objectNo: id })
  },
})

const revealStat = serve(sensitiveInfo.revealStat, async ({ tx, input, session }) => {
  const local = sql`(x.at at time zone 'Africa/Kampala')`
  const list = await tx.rows(sql<Person>`
    with seen as (
      select x.user_no, ${local} as local, ${customerNo} as customer_no, x.result from ${lines}
      where x.access_kind = 'reveal' and x.at >= ${startOfEatDay(addDays(tx.today, 1 - input.lastDays))} and ${readBy(session)}),
    hours as (select user_no, max(n) as busiest from (
      select user_no, date_trunc('hour', local), count(*)::int as n from seen where result <> 'over_limit' group by 1, 2) h group by 1),
    people as (
      select user_no, count(*) filter (where result <> 'over_limit')::int as reveal_count, count(distinct customer_no)::int as customer_count,
        count(*) filter (where local::time < '08:00' or local::time >= '20:00')::int as outside_count,
        count(*) filter (where result = 'over_limit')::int as over_count, ${rolesOf(sql`seen.user_no`)} as role_name
      from seen group by user_no),
    medians as (select role_name, percentile_disc(0.5) within group (order by reveal_count)::int as median from people group by 1)
    select p.user_no, coalesce(u.real_name, p.user_no) as real_name, p.role_name, p.reveal_count, m.median as median_count, p.customer_count,
      coalesce(h.busiest, 0)::int as busiest_hour, p.outside_count, p.over_count
    from people p left join hours h using (user_no) left join app_user u using (user_no) left join medians m on m.role_name is not distinct from p.role_name
    order by p.reveal_count::numeric / greatest(m.median, 1) desc, p.over_count desc, p.user_no limit 200`)
  return { list }
})

const seenBy = serve(sensitiveInfo.seenBy, async ({ tx, input, session }) => {
  const { fromDate, toDate, orderNo } = input
  const about = orderNo === undefined ? sql`${customerNo} = ${input.customerNo}` : sql`o.order_no = ${orderNo}`
  const of = orderNo === undefined ? sql`o.customer_no = ${input.customerNo}` : sql`o.order_no = ${orderNo}`
  if (!(await tx.maybe(sql`select 1 from loan_order o where ${of} and ${readBy(session)} limit 1`))) throw notFound()
  const list = await tx.rows(sql<Viewer>`
    select x.user_no, coalesce(max(u.real_name), x.user_no) as real_name, array_agg(distinct k order by k) as seen_kinds,
      count(distinct x.access_no)::int as seen_count, min(x.at) as first_time, max(x.at) as last_time
    from ${lines} left join app_user u on u.user_no = x.user_no cross join unnest(x.kinds) k
    where ${isSeen} and x.result = 'shown' and x.at >= ${startOfEatDay(fromDate)} and x.at < ${startOfEatDay(addDays(toDate, 1))} and ${about} and ${readBy(session)}
    group by x.user_no order by seen_count desc, x.user_no limit 500`)
  return { list }
})

/** Who has seen what in full. */
export const revealLog = { served: [serveListed(seen), review, revealStat, seenBy], lists: [seen] }
