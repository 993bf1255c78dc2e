import { sql } from 'kysely'
import type { RoutePurpose } from '../../../../core/contract/operation/sms-router.ts'
import { isWithin } from '../../../../core/rules/message/contact-guard.ts'
import { type OrderedRoute, orderRoutes, type SmsRoute, standingOf } from '../../../../core/rules/message/sms-route.ts'
import { type Network, networkOf } from '../../../../core/rules/text/network.ts'
import { startOfEatDay } from '../../../../core/rules/time.ts'
import type { Tx } from '../../../db/database.ts'
import type { Message } from '../../../outgoing/post.ts'

/** The table of the routes of a purpose. */
export const tableOf = (purpose: RoutePurpose) => sql.table(`sms_route_${purpose}`)

type Stored = Omit<SmsRoute, 'standing' | 'closed'> & {
  textsADay: number | null
  windowStart: string | null
  windowEnd: string | null
  skippedUntil: string | null
  sentToday: number
  ended: number
  delivered: number
  seconds: number | null
}

/** How many of the last texts of a route are looked at, and how far back. */
const judged = 50
const judgedMs = 10 * 60_000
/** A vendor that reports is silent of a text after so long; it reports where it did of one of the last ones of the day. */
const silentMs = 2 * 60_000
const reportsOf = 200

const stored = (tx: Tx, purpose: RoutePurpose) =>
  tx.rows(sql<Stored>`
    select x.*, (select count(*)::int from (select 1 from message m where m.route_no = x.route_no and m.send_time >= ${startOfEatDay(tx.today)}
        limit coalesce(x.texts_a_day, 0)) s) as sent_today,
      last.ended, last.delivered, last.seconds
    from ${tableOf(purpose)} x cross join lateral (
      select exists (select 1 from (select m.message_status from message m where m.route_no = x.route_no
        and m.send_time > ${new Date(tx.now.getTime() - 24 * 60 * 60_000)} order by m.send_time desc limit ${reportsOf}) m
        where m.message_status = 'delivered') as is) reports cross join lateral (
      select count(*)::int as ended, (count(*) filter (where l.message_status = 'delivered'))::int as delivered,
        extract(epoch from ${tx.now}::timestamptz - max(l.send_time))::int as seconds
      from (select m.message_status, m.send_time from message m where m.route_no = x.route_no and m.send_time > ${new Date(tx.now.getTime() - judgedMs)}
        and (m.message_status in ('delivered', 'failed', 'no_report') or m.message_status in ('submitted', 'unknown')
          and m.send_time <= ${new Date(tx.now.getTime() - silentMs)} and reports.is)
        order by m.send_time desc limit ${judged}) l) last
    where x.enabled = 'enabled' and x.deleted_time is null order by x.route_no`)

const isSkipped = (tx: Tx, { skippedUntil }: Stored) =>
  skippedUntil !== null && Date.parse(skippedUntil) > tx.now.getTime()

/** The routes in force of a purpose, with how each stands now. */
export const routesInForce = async (tx: Tx, purpose: RoutePurpose): Promise<SmsRoute[]> =>
  (await stored(tx, purpose)).map(route => {
    const { textsADay, windowStart, windowEnd, sentToday } = route
    const isFull = textsADay !== null && sentToday >= textsADay
    const isShut = windowStart !== null && windowEnd !== null && !isWithin({ from: windowStart, to: windowEnd }, tx.now)
    return { ...route, standing: isSkipped(tx, route) ? 'skipped' : standingOf(route), closed: isFull || isShut }
  })

/** The network of a number: as somebody corrected it, else by its prefix. */
export const networkOfPhone = async (tx: Tx, phone: string): Promise<Network> =>
  (await tx.maybe(sql<{ network: Network }>`select network from sms_network where phone = ${phone}`))?.network ??
  networkOf(phone)

/** What a text is sent for, by its record: codes have a scene. */
const sceneOf = async (tx: Tx, { objectType, objectNo }: Message): Promise<string | null> =>
  objectType === 'verifyCode'
    ? ((await tx.maybe(sql<{ scene: string }>`select scene from verify_code where code_no = ${objectNo}`))?.scene ??
      null)
    : null

const placeOf = async (tx: Tx, message: Message): Promise<{ merchantNo: string | null; appCode: string | null }> => {
  const { merchantNo, appCode, objectType, objectNo } = message
  if (objectType !== 'verifyCode' || merchantNo !== null) return { merchantNo, appCode }
  const found = await tx.maybe(sql<{ merchantNo: string | null; appCode: string | null }>`
    select merchant_no, app_code from verify_code where code_no = ${objectNo}`)
  return found ?? { merchantNo, appCode }
}

/** The routes of a text in the order in which they are tried; none where nobody has set any. */
export const routesFor = async (tx: Tx, message: Message): Promise<OrderedRoute[]> => {
  const purpose = message.contactKind === 'marketing' ? 'marketing' : 'verify'
  const routes = await routesInForce(tx, purpose)
  if (routes.length === 0) return []
  const network = await networkOfPhone(tx, message.recipient)
  const of = { ...(await placeOf(tx, message)), network, scene: await sceneOf(tx, message), seed: message.messageNo }
  return orderRoutes(routes, of)
}
