import { setTimeout as pause } from 'node:timers/promises'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { contract } from '../../core/contract/contract.ts'
import { hasPostgres } from '../postgres.ts'
import { type Cluster, openCluster } from './cluster.ts'
import { type Desk, type Fixture, openFixture } from './fixture.ts'
import { postgresRounds, replay, seed } from './options.ts'
import { type CuttingProxy, openProxy } from './proxy.ts'
import { reconcile } from './reconcile.ts'
import { comeToRest, roundsOf, type Staff, staffOf, workUntil } from './rounds.ts'

const { repay } = contract

/** The longest that a statement may run in these tests. */
const DATABASE_TIMEOUT_SECONDS = '3'

describe.skipIf(!hasPostgres)('the server goes on when its database does not', () => {
  let cluster: Cluster
  let proxy: CuttingProxy
  let fixture: Fixture
  let staff: Staff
  let desk: Desk
  let n = 0
  beforeAll(async () => {
    cluster = await openCluster()
    proxy = await openProxy(cluster.port)
    const url = await cluster.newDatabase()
    fixture = await openFixture({
      url,
      serverUrl: url.replace(`:${cluster.port}/`, `:${proxy.port}/`),
      env: { DATABASE_TIMEOUT_SECONDS },
      desks: 8,
      repaid: 2,
      payouts: 12,
      seconds: postgresRounds * 60,
    })
    staff = staffOf(fixture, seed)
    desk = fixture.desks[0] as Desk
    await fixture.server.start()
  })
  afterAll(async () => {
    await fixture?.close()
    proxy?.close()
    await cluster?.close()
  })

  const keyOf = (no: number) => `faults-gone-${String(no).padStart(6, '0')}`
  const save = () => {
    n++
    const input = {
      paymentChannel: 'mtn_momo' as const,
      serialNo: `SNG${n}`,
      amount: '5000.00',
      entryTime: new Date(Date.now() - 60_000).toISOString(),
      fundAccountNo: 'FA1',
      paymentCode: '7000000001',
    }
    return staff.journal.begin(repay.flowSave, input, { as: desk.clerk, key: keyOf(n) })
  }
  const receipts = () =>
    fixture.look(db =>
      db.read(tx =>
        tx.one(sql<{ n: number }>`select count(*)::int as n from repay_flow where serial_no = ${`SNG${n}`}`),
      ),
    )
  const comesBack = async () => {
    const began = performance.now()
    await expect.poll(fixture.server.health, { timeout: 60_000, interval: 50 }).toBe(200)
    return Math.round(performance.now() - began)
  }

  it.each([
    ['before', 0],
    ['after', 1],
  ] as const)(
    'X8: a connection that is cut in COMMIT, %s it arrives, leaves the end open; the same call tells it',
    async (where, done) => {
      const pid = fixture.server.pid()
      const cuts = proxy.cuts()
      proxy.cutAt({ seen: keyOf(n + 1), where })
      const { call, envelope } = await save()
      expect(envelope).toBeUndefined()
      expect(proxy.cuts()).toBe(cuts + 1)
      expect((await receipts()).n).toBe(done)
      expect(await staff.journal.again(call)).toMatchObject({ code: 0 })
      expect((await receipts()).n).toBe(1)
      expect(fixture.server.pid()).toBe(pid)
      expect(fixture.server.isRunning()).toBe(true)
    },
  )

  it('X7: PostgreSQL that stands still is waited for no longer than its limit, and used again when it goes on', async () => {
    const pid = fixture.server.pid()
    cluster.halt()
    const began = performance.now()
    const calls = await Promise.all(Array.from({ length: 30 }, save))
    expect(calls.every(({ envelope }) => envelope === undefined)).toBe(true)
    expect(performance.now() - began).toBeLessThan(20_000)
    expect(await fixture.server.health()).toBe(503)
    cluster.goOn()
    await comesBack()
    for (const call of staff.journal.unknown()) expect(await staff.journal.again(call)).toMatchObject({ code: 0 })
    const [connections] = await cluster.query(
      `select count(*)::int as n from pg_stat_activity where application_name = 'mkopo' and backend_type = 'client backend'`,
    )
    expect(Number(connections?.n)).toBeLessThanOrEqual(12)
    expect(fixture.server.pid()).toBe(pid)
  })

  it(
    `X6: PostgreSQL is killed ${postgresRounds} times under load: ${replay}`,
    async () => {
      const pid = fixture.server.pid()
      const back: number[] = []
      const refused: number[] = []
      for (const [round, plan] of roundsOf(seed, postgresRounds).entries()) {
        await workUntil(staff, plan, cluster.kill)
        const began = performance.now()
        expect((await save()).envelope, replay).toBeUndefined()
        refused.push(Math.round(performance.now() - began))
        expect(await fixture.server.health()).toBe(503)
        await pause(200)
        await cluster.start()
        back.push(await comesBack())
        await staff.settle()
        for (const call of staff.journal.unknown()) await staff.journal.again(call)
        if (round % 5 === 0) await staff.repeat(Math.max(0, staff.journal.acknowledged().length - 50))
        expect(await fixture.sweep(), `round ${round + 1}: ${replay}`).toEqual([])
      }
      expect(Math.max(...refused), 'a call is answered while the database is gone').toBeLessThan(2_000)
      expect(fixture.server.pid()).toBe(pid)
      expect(fixture.server.isRunning()).toBe(true)
      await fixture.server.stop()
      await comeToRest(fixture)
      const { wrong, ...figures } = await reconcile(fixture, staff.journal)
      const middle = (times: number[]) => [...times].sort((a, b) => a - b)[times.length >> 1]
      console.log(
        JSON.stringify({
          seed,
          postgresRounds,
          wrong,
          ...figures,
          refusedMs: Math.max(...refused),
          backMs: middle(back),
        }),
      )
      expect(wrong, replay).toEqual([])
      expect(await fixture.sweep(), replay).toEqual([])
    },
    600_000 + postgresRounds * 60_000,
  )
})
