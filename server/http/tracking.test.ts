import { tmpdir } from 'node:os'
import { Hono } from 'hono'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { trackingPath } from '../../core/contract/portal/tracking.ts'
import { liveEvents } from '../live/live.ts'
import { silentLog } from '../log.ts'
import { queuesOf } from '../systems/portal/home/home.ts'
import { type Tracker, tracker } from '../systems/portal/tracking/tracking.ts'
import { type Kit, openKit, type Person } from '../testing/kit.ts'
import { createHttp } from './http.ts'
import { createMetrics } from './metrics.ts'

let kit: Kit
let app: Hono
let events: Tracker
let someone: Person

const http = (o: { api: Hono; tracker: Tracker }) => {
  const live = liveEvents({ db: kit.db, log: silentLog, queuesOf })
  return createHttp({ ...o, db: kit.db, metrics: createMetrics(kit.db), live, version: '1', dist: tmpdir() })
}

beforeAll(async () => {
  kit = await openKit({ modules: [] })
  someone = await kit.person({ perms: [] })
  events = tracker(kit.db, silentLog)
  app = http({ api: kit.app, tracker: events })
})
afterAll(() => kit.close())

describe('tracking', () => {
  const event = (change: object = {}) => ({
    eventId: 'my_audit_order_no',
    eventType: 'view',
    pageName: 'OrderDetail',
    systemCode: 'loans_web',
    timeZone: 'Africa/Kampala',
    orderNo: 'LO1',
    type: 'exit',
    token: someone.token,
    isLogin: true,
    appId: 'loans.web.system',
    appName: 'mkopo',
    os: 'Linux',
    channel: 'web',
    deviceModel: 'Chrome',
    appVersion: '1.2.3',
    country: 'UGA',
    ...change,
  })
  const track = async (body: unknown) => {
    const answer = await app.request(trackingPath, {
      method: 'POST',
      headers: { 'content-type': 'text/plain' },
      body: typeof body === 'string' ? body : JSON.stringify(body),
    })
    await events.settled()
    return answer.status
  }
  const stored = () =>
    kit.db.read(tx =>
      tx.rows(
        sql<{
          sessionNo: string
          payload: Record<string, unknown>
        }>`select session_no, payload from tracking_event order by event_no`,
      ),
    )

  it('keeps so many of a session and no more; others go on', async () => {
    const few = tracker(kit.db, silentLog, { points: 2, duration: 60 })
    const other = await kit.person({ perms: [] })
    for (const token of [someone.token, someone.token, someone.token, other.token]) {
      few.take(JSON.stringify(event({ token })))
      await few.settled()
    }
    const kept = (await stored()).map(row => row.sessionNo)
    expect(kept).toEqual([`S${someone.userNo}`, `S${someone.userNo}`, `S${other.userNo}`])
    await kit.db.withTx(tx => tx.exec(sql`delete from tracking_event`))
  })

  it('L8: is kept with the session instead of the token', async () => {
    expect(await track(event())).toBe(200)
    const [row] = await stored()
    expect(row).toMatchObject({
      sessionNo: `S${someone.userNo}`,
      payload: { eventId: 'my_audit_order_no', orderNo: 'LO1', type: 'exit' },
    })
    expect(JSON.stringify(row)).not.toContain(someone.token)
  })

  it.each([
    ['nothing', ''],
    ['broken JSON', '{'],
    ['an unknown field', 'more'],
    ['too much', 'x'.repeat(20_000)],
    ['a token that nobody has', 'token'],
  ])('answers 200 to %s and keeps none of it', async (_, body) => {
    const before = await stored()
    expect(
      await track(body === 'more' ? event({ more: 1 }) : body === 'token' ? event({ token: 'unknown' }) : body),
    ).toBe(200)
    expect(await stored()).toEqual(before)
  })

  it('does not count as work: the session goes on idling', async () => {
    const seen = () =>
      kit.db.read(tx =>
        tx.one(sql<{ at: string }>`select last_seen_time as at from session where user_no = ${someone.userNo}`),
      )
    const before = await seen()
    kit.clock.advance(5 * 60_000)
    await track(event())
    expect(await seen()).toEqual(before)
  })

  it('answers when the database is gone', async () => {
    const dead = tracker({ ...kit.db, withTx: () => Promise.reject(new Error('gone')) }, silentLog)
    const other = http({ api: new Hono(), tracker: dead })
    expect((await other.request(trackingPath, { method: 'POST', body: JSON.stringify(event()) })).status).toBe(200)
    await dead.settled()
  })
})
