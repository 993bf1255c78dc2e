import { sql } from 'kysely'
import { expect, it } from 'vitest'
import { addDays, daysBetween, type EatDate } from '../../../../core/rules/time.ts'
import type { Step } from '../../../jobs/scheduler.ts'
import { deskForTests } from '../../../testing/suites.ts'
import { daySnapshotModule } from './day-snapshot.ts'

const { desk, officer } = await deskForTests()

const [job] = daySnapshotModule().chunked ?? []
/** The whole run of the morning after a day, with what was set aside. */
const record = async (day: EatDate): Promise<readonly string[]> => {
  const parked: string[] = []
  for (let cursor: string | null = null; ; ) {
    const run = { date: addDays(day, 1), cursor }
    const step = (await desk.db.withTx(tx => job?.chunk(tx, run) as Promise<Step>)) as Step
    parked.push(...(step.parked ?? []))
    cursor = step.cursor
    if (cursor === null) break
  }
  await desk.exec(sql`
    insert into job_run (job, slot, job_status, planned_time) values ('day.snapshot', ${addDays(day, 1)}, 'done', ${desk.clock.now()}) on conflict do nothing`)
  return parked
}
type Kept = { businessDate: string }
const everything = async () => ({
  orders: await desk.rows<Kept>(sql`select * from order_day order by business_date, order_no`),
  ledger: await desk.rows<Kept>(sql`select * from ledger_day order by ledger_day::text collate "C"`),
  staff: await desk.rows(sql`select * from staff_day order by business_date, user_no, metric_key`),
})
const ofOrder = (orderNo: string) =>
  desk.rows<{ businessDate: string; orderStatus: string; overdueDays: number }>(sql`
    select business_date, order_status, overdue_days, original_overdue_days, principal, interest, fee, penalty, lender_name, track from order_day
    where order_no = ${orderNo} order by business_date`)

it('comes at half past midnight, behind the day-end', () => {
  expect(job).toMatchObject({ job: 'day.snapshot', dailyAt: '00:30' })
})

it('keeps each day as it ended, the same whether each is recorded in time or all are later', async () => {
  const orderNo = await desk.order()
  const other = await desk.order({ merchantNo: 'M2' })
  const first =
    (await desk.rows<{ today: string }>(sql`select min(business_date)::text as today from journal`))[0]?.today ?? ''
  const until = '2026-03-20'
  for (const day of daysBetween(addDays(first, 1), until)) {
    await desk.until(day)
    if (day === '2026-03-11')
      await desk.pay(officer, {
        orderNo,
        repayType: 'partial',
        flows: [desk.typed('40000.00', { entryTime: '2026-03-10T07:00:00Z' })],
      })
    if (day === '2026-03-13')
      await desk.pay(officer, { orderNo: other, repayType: 'settle', flows: [desk.typed('246500.00')] })
    if (day === '2026-03-16') {
      const done = await desk.pay(officer, { orderNo, repayType: 'partial', flows: [desk.typed('1000.00')] })
      await desk.rollback(officer, done.data.repaymentNo)
    }
    if (day <= '2026-03-12') expect(await record(addDays(day, -1))).toEqual([])
  }
  const inTime = await everything()
  for (const day of daysBetween(first, '2026-03-19')) expect(await record(day)).toEqual([])
  const all = await everything()
  expect(all.orders.filter(row => row.businessDate <= '2026-03-11')).toEqual(inTime.orders)
  expect(all.ledger.filter(row => row.businessDate <= '2026-03-11')).toEqual(inTime.ledger)
  expect(await desk.broken()).toEqual([])

  const kept = await ofOrder(orderNo)
  const on = (day: string) => kept.find(row => row.businessDate === day)
  expect(on('2026-03-09')).toMatchObject({ overdueDays: 0, penalty: '0.00', track: 'stage', lenderName: 'Nile Credit' })
  expect(on('2026-03-10')).toMatchObject({
    orderStatus: 'funds_disbursed',
    overdueDays: 1,
    principal: '200000.00',
    penalty: '1725.00',
  })
  expect(on('2026-03-15')).toMatchObject({ overdueDays: 6, originalOverdueDays: 6 })
  const gone = await ofOrder(other)
  expect(gone.at(-1)).toMatchObject({
    businessDate: '2026-03-13',
    orderStatus: 'settled',
    principal: '0.00',
    overdueDays: 0,
  })

  for (const day of daysBetween(first, '2026-03-19')) await record(day)
  expect(await everything()).toEqual(all)
})

it('finds money by where it came from and by what it takes back', async () => {
  const paid = await desk.rows(sql`
    select sum(credit) as paid, max(channel) as channel, max(fund_account_no) as fund_account_no, max(lender_name) as lender_name, sum(journals)::int as journals from ledger_day
    where posting_code = 'P1b' and account_kind = 'payout_in_flight' and not reversal`)
  expect(paid).toMatchObject([{ channel: 'mtn_momo', fundAccountNo: 'FA1', lenderName: 'Nile Credit', journals: 2 }])
  const back = await desk.rows(sql`
    select posting_code, business_date, value_date, sum(debit - credit) as moved from ledger_day where reversal and account_kind = 'suspense' group by 1, 2, 3`)
  expect(back).toMatchObject([{ postingCode: 'P4', businessDate: '2026-03-16', moved: '-1000.00' }])
  const earned = await desk.rows(
    sql`select 1 from ledger_day where account_kind like '%_income' and (channel is not null or fund_account_no is not null)`,
  )
  expect(earned).toEqual([])
})

it('ends as failed and says why, when the books do not agree', async () => {
  await desk.exec(sql`insert into ledger_balance values ('payout_in_flight:LC9', 5)`)
  await desk.until('2026-03-22')
  await record('2026-03-20')
  const parked = await record('2026-03-21')
  expect(parked).toContain('V6 LC9')
  expect(parked.every(one => /^(V6|L2a) /.test(one))).toBe(true)
  await desk.exec(sql`delete from ledger_balance where account_code = 'payout_in_flight:LC9'`)
})
