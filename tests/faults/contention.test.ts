import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { codes } from '../../core/contract/codes.ts'
import { contract } from '../../core/contract/contract.ts'
import type { Envelope, Results } from '../../core/contract/endpoint.ts'
import { stoppedClock } from '../../server/db/clock.ts'
import { openDatabase } from '../../server/db/database.ts'
import { silentLog } from '../../server/log.ts'
import { system } from '../../server/rights/actor.ts'
import { jobsOf } from '../../server/run.ts'
import { freezePerson, lockState } from '../../server/session/person.ts'
import { retentionModule } from '../../server/systems/common/retention.ts'
import { hasPostgres, newPostgresDatabase } from '../postgres.ts'
import { type Cluster, openCluster } from './cluster.ts'
import { type Desk, type Fixture, openFixture } from './fixture.ts'
import { expiredRows } from './options.ts'
import { type Staff, staffOf } from './rounds.ts'

const { repay, loan } = contract

describe.skipIf(!hasPostgres)('many at one thing', () => {
  let cluster: Cluster
  let fixture: Fixture
  let staff: Staff
  let desk: Desk
  beforeAll(async () => {
    cluster = await openCluster()
    fixture = await openFixture({
      url: await cluster.newDatabase(),
      desks: 1,
      repaid: 1,
      payouts: 1,
      seconds: 9_000_000,
    })
    staff = staffOf(fixture, 1)
    desk = fixture.desks[0] as Desk
  })
  afterAll(async () => {
    await fixture?.close()
    await cluster?.close()
  })
  const keyOf = (n: number) => `faults-many-${String(n).padStart(6, '0')}`

  it('X45: sixty-four commands on one order are all answered, one does it, and none waits for ever', async () => {
    await fixture.server.start()
    const loanCodes = desk.payouts.map(({ loanCode }) => loanCode)
    const began = performance.now()
    const answered = await Promise.all(
      Array.from({ length: 64 }, (_, n) =>
        staff.journal.begin(loan.cancel, { loanCodes, reason: 'other' }, { as: desk.clerk, key: keyOf(n) }),
      ),
    )
    const rows = answered.map(({ envelope }) => (envelope as Envelope<Results> | undefined)?.data.rows[0]?.code)
    expect(rows.filter(code => code === 0)).toHaveLength(1)
    expect(rows.filter(code => code === codes.stateConflict)).toHaveLength(63)
    expect(performance.now() - began).toBeLessThan(30_000)
    const cancelled = await fixture.look(db =>
      db.read(tx =>
        tx.one(
          sql<{
            n: number
          }>`select count(*)::int as n from state_transition where object_no = ${loanCodes[0]} and to_state = 'cancelled'`,
        ),
      ),
    )
    expect(cancelled.n).toBe(1)
  })

  it('X31: somebody who is frozen while they submit has done it or not, and is out afterwards', async () => {
    await fixture.server.start('before-commit@/rePayManage/flow/save#1=pause')
    const input = (n: number) => ({
      paymentChannel: 'mtn_momo' as const,
      serialNo: `SNF${n}`,
      amount: '5000.00',
      entryTime: new Date(Date.now() - 60_000).toISOString(),
      fundAccountNo: 'FA1',
      paymentCode: '7000000001',
    })
    const submitted = staff.journal.begin(repay.flowSave, input(1), { as: desk.clerk, key: keyOf(101) })
    await expect
      .poll(() => fixture.server.output(), { timeout: 60_000, interval: 20 })
      .toContain('fault: before-commit')
    await fixture.look(db =>
      db.withTx(async tx => {
        const clerk = await lockState(tx, desk.clerk.userNo)
        await freezePerson(tx, clerk, { reason: 'security' }, system('test'))
      }),
    )
    const { envelope } = await submitted
    const later = await staff.journal.begin(repay.flowSave, input(2), { as: desk.clerk, key: keyOf(102) })
    expect(later.envelope).toMatchObject({ code: codes.signedOut })
    const kept = await fixture.look(db =>
      db.read(tx => tx.rows(sql<{ serialNo: string }>`select serial_no from repay_flow where serial_no like 'SNF%'`)),
    )
    expect(kept).toEqual(envelope?.code === 0 ? [{ serialNo: 'SNF1' }] : [])
  })
})

describe.skipIf(!hasPostgres)(`X38: ${expiredRows} rows are over at one moment`, () => {
  it('they go in pieces, nobody waits a second for one, and all of it takes less than a minute', async () => {
    const clock = stoppedClock('2026-03-02T07:00:00Z')
    const db = await openDatabase({ url: (await newPostgresDatabase()) ?? '', clock })
    await db.withTx(tx =>
      tx.exec(sql`
        insert into tracking_event (received_time, payload)
        select timestamptz '2025-01-01 00:00:00+00', '{}'::jsonb from generate_series(1, ${expiredRows}::int)`),
    )
    const { scheduler } = jobsOf({ db, log: silentLog, modules: [retentionModule()] })
    let longest = 0
    const timed: typeof db.withTx = async (fn, options) => {
      const began = performance.now()
      const done = await db.withTx(fn, options)
      longest = Math.max(longest, performance.now() - began)
      return done
    }
    const watched = jobsOf({ db: { ...db, withTx: timed }, log: silentLog, modules: [retentionModule()] }).scheduler
    const began = performance.now()
    expect(await watched.runDue()).toBe(1)
    const seconds = (performance.now() - began) / 1000
    expect(await db.read(tx => tx.one(sql`select count(*)::int as n from tracking_event`))).toEqual({ n: 0 })
    const [run] = await db.read(tx =>
      tx.rows(sql<{ counters: unknown }>`select counters from job_run where job = 'retention'`),
    )
    expect(run).toMatchObject({ counters: { tracking: expiredRows } })
    console.log(JSON.stringify({ expiredRows, seconds: Number(seconds.toFixed(2)), longestMs: Math.round(longest) }))
    expect(seconds).toBeLessThan(60)
    expect(await scheduler.runDue()).toBe(0)
    await db.close()
  })
})
