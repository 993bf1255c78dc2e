import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest'
import { silentLog } from '../../../log.ts'
import { type Kit, openKit, type Person } from '../../../testing/kit.ts'
import { wipe } from '../../../testing/wipe.ts'
import { pairStays } from './page-stay.ts'
import { tracker } from './tracking.ts'

let kit: Kit
let ann: Person
beforeAll(async () => {
  kit = await openKit({ modules: [] })
})
beforeEach(async () => {
  await kit.db.withTx(tx => wipe(tx, 'trackingEvent', 'pageStay'))
  ann = await kit.person({ perms: [] })
})
afterAll(() => kit.close())

const event = (type: 'enter' | 'exit', o: { eventId?: string; orderNo?: string; token?: string } = {}) => ({
  eventId: o.eventId ?? 'my_audit_order_no',
  eventType: 'view',
  pageName: 'OrderDetail',
  systemCode: 'loans_web',
  timeZone: 'Africa/Kampala',
  orderNo: o.orderNo ?? 'LO1',
  type,
  token: o.token ?? ann.token,
  isLogin: true,
  appId: 'loans.web.system',
  appName: 'mkopo',
  os: 'Linux',
  channel: 'web',
  deviceModel: 'x',
  appVersion: '1',
  country: 'UGA',
})
const take = async (...given: Parameters<typeof event>) => {
  const events = tracker(kit.db, silentLog)
  events.take(JSON.stringify(event(...given)))
  await events.settled()
}
const pass = (seconds: number) => kit.clock.advance(seconds * 1000)
const pair = () => kit.db.withTx(pairStays)
const stays = () =>
  kit.db.read(tx =>
    tx.rows(
      sql<{
        seconds: number
        estimated: boolean
      }>`select event_id, order_no, user_no, seconds, estimated from page_stay order by enter_no`,
    ),
  )
const stay = (seconds: number, more: object = {}) => ({
  eventId: 'my_audit_order_no',
  orderNo: 'LO1',
  userNo: ann.userNo,
  seconds,
  estimated: false,
  ...more,
})

it('keeps the session, never the token', async () => {
  await take('enter')
  const [row] = await kit.db.read(tx =>
    tx.rows(sql<{ text: string }>`select tracking_event::text as text from tracking_event`),
  )
  expect(row?.text).toContain(`S${ann.userNo}`)
  expect(row?.text).not.toContain(ann.token)
})

it('pairs an enter with the exit of the same page, order and session, once', async () => {
  const ben = await kit.person({ perms: [] })
  await take('enter')
  pass(5)
  await take('enter', { orderNo: 'LO2' })
  await take('enter', { token: ben.token })
  pass(10)
  await take('exit', { token: ben.token })
  await take('exit', { eventId: 'my_audit_handle' })
  pass(15)
  await take('exit')
  expect(await pair()).toEqual({ paired: 2, estimated: 0 })
  expect(await stays()).toEqual([stay(30), stay(10, { userNo: ben.userNo })])
  expect(await pair()).toEqual({ paired: 0, estimated: 0 })
  await take('exit', { orderNo: 'LO2' })
  expect(await pair()).toEqual({ paired: 1, estimated: 0 })
  expect((await stays())[1]).toEqual(stay(25, { orderNo: 'LO2' }))
})

it('gives each of two visits its own exit', async () => {
  for (const seconds of [20, 40]) {
    await take('enter')
    pass(seconds)
    await take('exit')
    pass(3)
  }
  expect(await pair()).toEqual({ paired: 2, estimated: 0 })
  expect((await stays()).map(row => row.seconds)).toEqual([20, 40])
})

it('leaves a visit without an exit open while the session lives, then closes it at its last sign of life', async () => {
  await take('enter')
  pass(90)
  await kit.db.withTx(tx => tx.exec(sql`update session set last_seen_time = ${tx.now} where user_no = ${ann.userNo}`))
  pass(20 * 60)
  expect(await pair()).toEqual({ paired: 0, estimated: 0 })
  pass(11 * 60)
  expect(await pair()).toEqual({ paired: 0, estimated: 1 })
  expect(await stays()).toEqual([stay(90, { estimated: true })])
})

it('gives an older visit of a page that was entered again no exit of the newer one', async () => {
  await take('enter')
  pass(60)
  await take('enter')
  pass(10)
  await take('exit')
  expect(await pair()).toEqual({ paired: 1, estimated: 0 })
  expect((await stays()).map(row => row.seconds)).toEqual([10])
})
