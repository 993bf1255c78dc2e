import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { addDays, type EatDate, parseEat } from '../../core/rules/time.ts'
import type { Database } from '../../server/db/database.ts'
import { silentLog } from '../../server/log.ts'
import { jobsOf } from '../../server/run.ts'
import { dayRollModule } from '../../server/systems/after-loan/repayment/day-roll.ts'
import { openDesk } from '../../server/testing/repay-desk.ts'
import { hasPostgres } from '../postgres.ts'
import { type Cluster, openCluster } from './cluster.ts'
import { type Fixture, openFixture } from './fixture.ts'

const start = '2026-03-02'

/** A lender's books that stand on a date, with orders that fall due a week later. */
const books = async (orders: number) => {
  const desk = await openDesk({ now: `${start}T07:00:00Z` })
  const made: string[] = []
  for (let n = 0; n < orders; n++) made.push(await desk.order())
  const { scheduler } = jobsOf({ db: desk.db, log: silentLog, modules: [dayRollModule(desk.deps)] })
  await scheduler.runDue()
  return { ...desk, scheduler, made }
}
const at = (date: EatDate, time: string) => new Date(parseEat(`${date} ${time}`) as string)

/** Everything that the books say, without the moments at which it was written. */
const balances = (db: Database) =>
  db.read(async tx => ({
    ledger: await tx.rows(sql`select account_code, balance from ledger_balance order by account_code collate "C"`),
    bills: await tx.rows(sql`
      select order_no, installment_no, late_fee_due, liquidated_damages_due, principal_due, bill_status from repay_plan
      order by order_no collate "C", installment_no`),
    penalties: await tx.rows(sql`
      select p.order_no, p.installment_no, t.business_date, t.late_fee, t.liquidated_damages from penalty_tick t join repay_plan p using (bill_no)
      where not t.reversed order by p.order_no collate "C", p.installment_no, t.business_date`),
    orders: await tx.rows(sql`select order_no, overdue, overdue_days from loan_order order by order_no collate "C"`),
    valued: await tx.rows(
      sql`select value_date, posting_code, count(*)::int as n from journal group by 1, 2 order by 1, 2`,
    ),
  }))
type Run = {
  slot: string
  jobStatus: string
  cursor: string | null
  attempts: number
  counters: Record<string, unknown> | null
}
const runs = (db: Database) =>
  db.read(tx =>
    tx.rows(sql<Run>`
      select slot, job_status, cursor, attempts, counters from job_run where job = 'day.roll' order by slot collate "C"`),
  )

describe('the turn of the day, when something goes wrong', () => {
  it('X21: a server that was down over three midnights leaves the books of one that was not', async () => {
    const [steady, absent] = [await books(5), await books(5)]
    for (let date = addDays(start, 1); date <= addDays(start, 20); date = addDays(date, 1)) {
      steady.clock.set(at(date, '00:05'))
      await steady.scheduler.runDue()
      const isDown = date >= addDays(start, 9) && date <= addDays(start, 11)
      absent.clock.set(at(date, isDown ? '00:00' : '09:41'))
      if (!isDown) await absent.scheduler.runDue()
    }
    expect(await balances(absent.db)).toEqual(await balances(steady.db))
    const days = await runs(absent.db)
    expect(days.map(({ slot }) => slot)).toEqual((await runs(steady.db)).map(({ slot }) => slot))
    expect(days.every(({ jobStatus }) => jobStatus === 'done')).toBe(true)
    expect(await absent.broken()).toEqual([])
    expect((await balances(absent.db)).penalties).toHaveLength(5 * (13 + 6))
    await Promise.all([steady.close(), absent.close()])
  })

  it('X22: one order whose terms nobody can read is set aside, the others are turned, and it follows when it is mended', async () => {
    const own = await books(4)
    const [, broken] = own.made as [string, string]
    await own.exec(sql`update loan_order set terms = terms - 'lateFee' where order_no = ${broken}`)
    own.clock.set(at(addDays(start, 8), '00:05'))
    await own.scheduler.runDue()
    const charged = async () =>
      (
        await own.rows(sql<{ orderNo: string }>`
        select distinct p.order_no from penalty_tick t join repay_plan p using (bill_no) order by 1`)
      ).map(row => row.orderNo)
    expect(await charged()).toEqual(own.made.filter(orderNo => orderNo !== broken))
    expect((await runs(own.db)).at(-1)).toMatchObject({ jobStatus: 'failed', counters: { parked: [broken] } })
    await own.exec(sql`
      update loan_order o set terms = (select terms from loan_order where order_no = ${own.made[0]}) where order_no = ${broken}`)
    const slot = addDays(start, 8)
    expect(await own.scheduler.retry('day.roll', slot)).toBe(true)
    await own.scheduler.runDue()
    expect(await charged()).toEqual(own.made)
    expect((await runs(own.db)).at(-1)).toMatchObject({ jobStatus: 'done' })
    expect(await own.broken()).toEqual([])
    await own.close()
  })

  it('X34: a clock that jumps ahead and back again does no day twice, and none that has not come', async () => {
    const own = await books(2)
    const today = addDays(start, 9)
    own.clock.set(at(today, '00:06'))
    await own.scheduler.runDue()
    const before = await balances(own.db)
    for (const jump of [-3_600_000, 3_600_000, -86_400_000, 86_400_000]) {
      own.clock.advance(jump)
      await own.scheduler.runDue()
    }
    expect(await balances(own.db)).toEqual(before)
    expect((await runs(own.db)).at(-1)?.slot).toBe(today)
    await own.close()
  })
})

describe('the last moment of a day', () => {
  it('X36: money that came just before midnight counts on the day it came, though it is written off on the next', async () => {
    const own = await books(2)
    const [orderNo = '', late = ''] = own.made
    const officer = await own.officer()
    const dueDate = addDays(start, 7)
    own.clock.set(new Date(at(addDays(start, 8), '00:00').getTime() + 1_000))
    await own.exec(sql`update session set created_time = ${own.clock.now()}, last_seen_time = ${own.clock.now()}`)
    const entryTime = new Date(at(addDays(start, 8), '00:00').getTime() - 100).toISOString()
    const flows = [own.typed('115000.00', { entryTime })]
    const paid = await own.pay(officer, { orderNo, repayType: 'partial', flows })
    expect(paid, paid.msg).toMatchObject({ code: 0 })
    own.clock.set(at(addDays(start, 8), '00:05'))
    await own.scheduler.runDue()
    const detail = await own.detail(officer, orderNo)
    expect(detail.records[0]).toMatchObject({ valueDate: dueDate })
    expect(detail.order).toMatchObject({ outstandingPenalty: '0.00', overdueDays: 0 })
    expect((await own.detail(officer, late)).order).toMatchObject({ outstandingPenalty: '1725.00', overdueDays: 1 })
    expect(await own.broken()).toEqual([])
    await own.close()
  })
})

describe.skipIf(!hasPostgres)('the turn of the day of several servers', () => {
  const orders = 110
  let cluster: Cluster
  let fixture: Fixture
  beforeAll(async () => {
    cluster = await openCluster()
    fixture = await openFixture({ url: await cluster.newDatabase(), repaid: orders })
    await fixture.server.start()
    await vi.waitFor(async () => expect((await lastRun()).jobStatus).toBe('done'), { timeout: 60_000, interval: 100 })
    await fixture.server.kill()
  })
  afterAll(async () => {
    await fixture?.close()
    await cluster?.close()
  })

  const lastRun = async () =>
    (await fixture.look(runs)).at(-1) ?? { slot: '', jobStatus: '', cursor: null, counters: null, attempts: 0 }
  const charges = () =>
    fixture.look(db =>
      db.read(tx =>
        tx.rows(sql<{ date: string; n: number; bills: number }>`
          select business_date as date, count(*)::int as n, count(distinct bill_no)::int as bills from penalty_tick
          where not reversed group by 1 order by 1`),
      ),
    )
  const dayAfter = async () => (await fixture.look(runs)).length

  /** What the loans, which are all alike, owe for their lateness by their bills and by the ledger, with how many owe it. */
  const owed = () =>
    fixture.look(db =>
      db.read(tx =>
        tx.rows(sql<{ bill: string; ledger: string; n: number }>`
          select b.owed as bill, l.balance as ledger, count(*)::int as n from ledger_balance l
            join (select order_no, sum(late_fee_due + liquidated_damages_due) as owed from repay_plan group by 1) b on l.account_code = 'penalty_rcv:' || b.order_no
          group by 1, 2`),
      ),
    )

  it('X19: a day-end that is killed between two chunks goes on behind the last order that it had done, to the same balances', async () => {
    await fixture.pass(8 * 86_400)
    await fixture.server.start('mid-batch@day.roll#1=kill')
    await fixture.server.died()
    const stopped = await lastRun()
    expect(stopped).toMatchObject({ jobStatus: 'running', counters: { charged: 100 } })
    expect((await charges()).map(({ n }) => n)).toEqual([100])
    await fixture.pass(90)
    await fixture.server.start()
    await expect.poll(async () => (await lastRun()).jobStatus, { timeout: 60_000 }).toBe('done')
    expect((await lastRun()).counters).toMatchObject({ charged: orders, overdue: orders })
    expect(await charges()).toEqual([{ date: stopped.slot, n: orders, bills: orders }])
    const [alike, ...others] = await owed()
    expect([alike?.n, alike?.bill, others]).toEqual([orders, alike?.ledger, []])
    expect(Number(alike?.bill)).toBeGreaterThan(0)
    await fixture.server.kill()
    expect(await fixture.sweep()).toEqual([])
  })

  it('X20: two servers that find the same day turn it once', async () => {
    const before = await dayAfter()
    await fixture.pass(2 * 86_400)
    const other = await fixture.another()
    await Promise.all([fixture.server.start(), other.start()])
    await expect
      .poll(async () => (await fixture.look(runs)).filter(run => run.jobStatus === 'done').length, { timeout: 60_000 })
      .toBe(before + 2)
    await Promise.all([fixture.server.stop(), other.stop()])
    expect((await charges()).map(({ n, bills }) => [n, bills])).toEqual([
      [orders, orders],
      [orders, orders],
      [orders, orders],
    ])
    expect(await fixture.sweep()).toEqual([])
  })
})
