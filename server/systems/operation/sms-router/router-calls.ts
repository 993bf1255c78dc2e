import { sql } from 'kysely'
import type { ParsedOf } from '../../../../core/contract/endpoint.ts'
import { type RoutePurpose, routers } from '../../../../core/contract/operation/sms-router.ts'
import { orderRoutes } from '../../../../core/rules/message/sms-route.ts'
import { addDays, startOfEatDay } from '../../../../core/rules/time.ts'
import { noteChange } from '../../../configs/history.ts'
import type { Tx } from '../../../db/database.ts'
import { checkVersion, Fault, invalid, notFound } from '../../../http/fault.ts'
import { type Call, type Served, serve } from '../../../http/serve.ts'
import { post } from '../../../outgoing/post.ts'
import type { Vendors } from '../../../outgoing/vendors.ts'
import { scope } from '../../../rights/scope.ts'
import type { Session } from '../../../session/session.ts'
import { transition } from '../../../states/transition.ts'
import { networkOfPhone, routesInForce, tableOf } from './route-choice.ts'
import { routeRule, unitCost } from './router-source.ts'

type Item = {
  routeNo: string
  enabled: string
  merchantNo: string | null
  appCode: string | null
  network: string
  scenes: string[]
  accountNo: string
  senderId: string
  routeWeight: number
  version: number
}

/** What is set for all merchants is set by headquarters. */
export const notYours = (session: Session, merchantNo: unknown): Fault | null =>
  merchantNo == null && !session.headquarters ? new Fault('forbidden', 'errors.headquartersOnly') : null

const skipMs = 30 * 60_000
const testsADay = 5

const found = async (
  call: Pick<Call, 'tx' | 'session'>,
  purpose: RoutePurpose,
  routeNo: string,
  lock = false,
): Promise<Item> => {
  const { tx, session } = call
  const row = await tx.maybe(sql<Item>`
    select x.* from ${tableOf(purpose)} x where x.route_no = ${routeNo} and x.deleted_time is null and ${routeRule(session, purpose)} ${lock ? sql`for update of x` : sql``}`)
  if (!row) throw notFound()
  return row
}
const heldToChange = async (call: Pick<Call, 'tx' | 'session'>, purpose: RoutePurpose, routeNo: string) => {
  const row = await found(call, purpose, routeNo, true)
  const refusal = notYours(call.session, row.merchantNo)
  if (refusal) throw refusal
  return row
}

const sameScope = ({ merchantNo, appCode, network, scenes }: Item) => sql`
  x.merchant_no is not distinct from ${merchantNo} and x.app_code is not distinct from ${appCode} and x.network = ${network}
    and x.scenes = ${scenes}::text[] and x.enabled = 'enabled' and x.deleted_time is null`

/** Changes an item by a move of its machine, with its line in the history. */
const change = async (
  call: Pick<Call, 'tx' | 'actor'>,
  purpose: RoutePurpose,
  row: Item,
  set: Record<string, unknown>,
) => {
  const { tx, actor } = call
  const { machine } = routers[purpose].config
  const touched = { ...set, updatedBy: actor.no, updatedTime: tx.now }
  const moved = await transition(tx, machine, row, { event: 'item.update', set: touched }, actor)
  const text = (value: unknown) => (value == null ? null : JSON.stringify(value))
  const changes = Object.entries(set).map(([field, after]) => ({
    field,
    before: text((row as Record<string, unknown>)[field]),
    after: text(after),
  }))
  noteChange(tx, machine, { objectNo: row.routeNo, version: moved.version, event: 'item.update', changes }, actor)
  return moved
}

type Weighted = {
  routeNo: string
  accountNo: string
  senderId: string
  routeWeight: number
  unitCost: string | null
  version: number
}

const groupOf = (tx: Tx, purpose: RoutePurpose, row: Item) =>
  tx.rows(sql<Weighted>`
    select x.route_no, x.account_no, x.sender_id, x.route_weight, x.version, ${unitCost(tx)} as unit_cost from ${tableOf(purpose)} x
    where ${sameScope(row)} order by x.failover_order, x.route_no`)

const readsOf = (purpose: RoutePurpose): Served[] => {
  const { calls } = routers[purpose]
  const resolve = serve(calls.resolve, async ({ tx, input: { phone, appCode = null, scene = null } }) => {
    const network = await networkOfPhone(tx, phone)
    const merchant = appCode
      ? await tx.maybe(
          sql<{
            merchantNo: string
          }>`select merchant_no from merchant where app_name = ${appCode} and deleted_time is null limit 1`,
        )
      : undefined
    if (appCode && !merchant) throw invalid('appCode', 'validation.wrongValue')
    const of = { merchantNo: merchant?.merchantNo ?? null, appCode, network, scene, seed: phone }
    const list = orderRoutes(await routesInForce(tx, purpose), of).map(({ route, reason }) => ({
      ...{ routeNo: route.routeNo, senderId: route.senderId, reason },
      accountNo: route.accountNo as 'sms-1',
    }))
    return { network, list }
  })
  const coverage = serve(calls.coverage, async ({ tx, session }) => {
    const routes = await routesInForce(tx, purpose)
    const merchants = await tx.rows(sql<{ merchantNo: string; merchantName: string; appName: string }>`
      select merchant_no, merchant_name, app_name from merchant
      where enabled = 'enabled' and deleted_time is null and ${scope(session, { merchant: 'merchant_no', holder: () => sql`true`, perm: calls.coverage.perm })}
      order by merchant_name, merchant_no limit 200`)
    const count = ({ merchantNo, appName }: (typeof merchants)[number], network: 'mtn' | 'airtel' | 'other') =>
      orderRoutes(routes, { merchantNo, appCode: appName, network, scene: null, seed: merchantNo }).length
    const list = merchants.map(one => ({
      ...{ merchantNo: one.merchantNo, merchantName: one.merchantName },
      ...{ mtn: count(one, 'mtn'), airtel: count(one, 'airtel'), other: count(one, 'other') },
    }))
    return { list }
  })
  const group = serve(calls.group, async ({ tx, session, input }) => {
    const row = await found({ tx, session }, purpose, input.routeNo)
    const list = await groupOf(tx, purpose, row)
    const yesterday = startOfEatDay(addDays(tx.today, -1))
    const sums = await tx.one(sql<{ sentYesterday: number; yesterdayCost: string }>`
      select count(*)::int as sent_yesterday, coalesce(sum(m.cost), 0)::numeric(18,2) as yesterday_cost from message m
      where m.route_no = any(${list.map(one => one.routeNo)}::text[]) and m.send_time >= ${yesterday} and m.send_time < ${startOfEatDay(tx.today)}`)
    return { list: list as never, ...sums }
  })
  return [resolve, coverage, group] as Served[]
}

const weightsOf = (purpose: RoutePurpose): Served => {
  const { calls, config } = routers[purpose]
  return serve(calls.weights, async call => {
    const { tx, input } = call
    const { routeWeights: weights } = input as ParsedOf<typeof calls.weights>
    const [first] = weights
    const row = await heldToChange(call, purpose, String(first?.routeNo))
    const group = await groupOf(tx, purpose, row)
    const named = new Map(weights.map(one => [one.routeNo, one]))
    if (named.size !== group.length || !group.every(one => named.has(one.routeNo)))
      throw invalid('routeWeights', 'validation.wholeGroup')
    let changed = 0
    for (const { routeNo } of group) {
      const [one, wanted] = [await heldToChange(call, purpose, routeNo), named.get(routeNo)]
      if (!wanted) continue
      checkVersion(one, wanted.version)
      if (one.routeWeight === wanted.routeWeight) continue
      await change(call, purpose, one, { routeWeight: wanted.routeWeight })
      changed++
    }
    call.audit({ objectType: config.table, objectNo: row.routeNo, after: { weights } })
    return { changed }
  }) as Served
}

const skipOf = (purpose: RoutePurpose): Served => {
  const { calls, config } = routers[purpose]
  return serve(calls.skip, async call => {
    const { tx, input } = call
    const row = await heldToChange(call, purpose, input.routeNo)
    checkVersion(row, input.version)
    if (row.enabled !== 'enabled') throw new Fault('stateConflict', 'errors.routeOff')
    const set = { skippedUntil: new Date(tx.now.getTime() + skipMs), whySkipped: input.reason }
    const moved = await change(call, purpose, row, set)
    call.audit({ objectType: config.table, objectNo: row.routeNo, after: set })
    return { version: moved.version }
  }) as Served
}

const testOf = (purpose: RoutePurpose, { sms }: Vendors): Served => {
  const { calls, config } = routers[purpose]
  return serve(calls.sendTest, async call => {
    const { tx, session, input, actor } = call
    const row = await heldToChange(call, purpose, input.routeNo)
    const { phone } = await tx.one(sql<{ phone: string | null }>`
      select case when phone_verified then phone end as phone from app_user where user_no = ${session.userNo}`)
    if (!phone) throw new Fault('stateConflict', 'errors.noOwnPhone')
    await tx.exec(sql`select pg_advisory_xact_lock(hashtext(${`test of ${session.userNo}`}))`)
    const { count } = await tx.one(sql<{ count: number }>`
      select count(*)::int as count from message where object_type = 'routeTest' and user_no = ${session.userNo} and created_time >= ${startOfEatDay(tx.today)}`)
    if (count >= testsADay) throw new Fault('quota', 'errors.testsADay', { n: testsADay })
    const avoid = sms.map(({ accountNo }) => accountNo).filter(accountNo => accountNo !== row.accountNo)
    const messageNo = await post(
      tx,
      {
        ...{ channel: 'sms', to: phone, template: 'routeTest', language: session.language, avoid },
        ...{ params: { route: row.routeNo }, userNo: session.userNo, objectType: 'routeTest', objectNo: row.routeNo },
      },
      undefined,
      actor,
    )
    call.audit({ objectType: config.table, objectNo: row.routeNo, after: { messageNo } })
    return { messageNo }
  }) as Served
}

/** The calls of the routes of a purpose besides those of its config. */
export const routerCalls = (purpose: RoutePurpose, vendors: Vendors): Served[] => [
  ...readsOf(purpose),
  weightsOf(purpose),
  skipOf(purpose),
  testOf(purpose, vendors),
]
