import { sql } from 'kysely'
import { describe, expect, it } from 'vitest'
import { law } from '../../../testing/law.ts'
import { deskForTests } from '../../../testing/suites.ts'
import { dayRollModule, rollDay } from './day-roll.ts'

const { desk, officer } = await deskForTests()

const roll = (date: string) => desk.db.withTx(tx => rollDay(tx, date))
const events = (orderNo: string) =>
  desk.rows(
    sql<{ event: string }>`select event from state_transition where object_no = ${orderNo} and event = 'overdue.tick'`,
  )

describe('the turn of the day', () => {
  it('marks what is overdue, counts the days and charges once per date', async () => {
    const orderNo = await desk.order()
    await desk.until('2026-03-09')
    expect((await desk.detail(officer, orderNo)).order).toMatchObject({ overdueDays: 0, outstandingPenalty: '0.00' })
    await desk.until('2026-03-10')
    const due = (await desk.detail(officer, orderNo)).order
    expect(due).toMatchObject({ overdueDays: 1, outstandingPenalty: '1725.00', settleAmount: '231725.00' })
    expect(await roll('2026-03-10')).toMatchObject({ charged: 0, newlyOverdue: 0 })
    expect((await desk.detail(officer, orderNo)).order.settleAmount).toBe('231725.00')
    await desk.until('2026-03-17')
    const { order, bills, journals } = await desk.detail(officer, orderNo)
    expect(order).toMatchObject({ overdueDays: 8, outstandingPenalty: '21275.00' })
    expect(bills.map(bill => [bill.due.lateFee, bill.due.liquidatedDamages, bill.overdueDays])).toEqual([
      ['13800.00', '5750.00', 8],
      ['1725.00', '0.00', 1],
    ])
    expect(await events(orderNo)).toHaveLength(1)
    expect(journals.filter(journal => journal.postingCode === 'P2b').map(journal => journal.valueDate)).toEqual([
      '2026-03-17',
      '2026-03-17',
      '2026-03-16',
      '2026-03-15',
      '2026-03-14',
      '2026-03-13',
      '2026-03-12',
      '2026-03-11',
      '2026-03-10',
    ])
    expect(await desk.rows(sql`select overdue from loan_order where order_no = ${orderNo}`)).toEqual([
      { overdue: true },
    ])
  })

  it('makes up for missed dates with the same result, and takes no date to come', async () => {
    await desk.at('2026-04-01')
    const [a, b] = [await desk.order(), await desk.order()] as [string, string]
    await desk.at('2026-04-11')
    await roll('2026-04-09')
    await roll('2026-04-10')
    await roll('2026-04-11')
    const [first, second] = [await desk.detail(officer, a), await desk.detail(officer, b)]
    expect(first.order).toMatchObject({ overdueDays: 3, outstandingPenalty: '5175.00' })
    expect(first.bills.map(bill => bill.due)).toEqual(second.bills.map(bill => bill.due))
    await expect(roll('2026-04-12')).rejects.toThrow('has not come yet')
  })

  it('takes the flag away as soon as the overdue bill is paid', async () => {
    await desk.at('2026-05-01')
    const orderNo = await desk.order()
    await desk.until('2026-05-09')
    await desk.pay(officer, { orderNo, repayType: 'partial', flows: [desk.typed('116725.00')] })
    expect((await desk.detail(officer, orderNo)).order).toMatchObject({ overdueDays: 0, installmentsPaid: 1 })
    expect(await events(orderNo)).toHaveLength(2)
    await desk.until('2026-05-10')
    expect((await desk.detail(officer, orderNo)).order).toMatchObject({ overdueDays: 0, outstandingPenalty: '0.00' })
  })

  it('charges nothing while the payout is being taken back', async () => {
    await desk.at('2026-06-01')
    const orderNo = await desk.order()
    const turn = (status: string) =>
      desk.exec(
        sql`update loan_code set loan_code_status = case when set_config('app.transition', 'on', true) = 'on' then ${status} end where order_no = ${orderNo}`,
      )
    await turn('reversing')
    await desk.until('2026-06-10')
    expect((await desk.detail(officer, orderNo)).order.outstandingPenalty).toBe('0.00')
    await turn('success')
  })

  it('stops at the cap of the late fee', async () => {
    await desk.at('2026-07-01')
    const orderNo = await desk.order({ terms: { lateFee: { ratePerDay: '1.5', capRate: '3' } } })
    await desk.until('2026-07-12')
    const { bills } = await desk.detail(officer, orderNo)
    expect(bills[0]?.due.lateFee).toBe('3450.00')
  })

  it('stops where the law stops it, and charges no more when money turns out to have come earlier', async () => {
    await desk.at('2026-07-20')
    const orderNo = await desk.order()
    await desk.exec(law({ capKey: 'default_charges', capValue: '2' }))
    const charged = async () =>
      (await desk.detail(officer, orderNo)).bills.map(bill => [bill.due.lateFee, bill.due.liquidatedDamages])
    await desk.until('2026-08-10')
    expect(await charged()).toEqual([
      ['4000.00', '0.00'],
      ['0.00', '0.00'],
    ])
    await desk.until('2026-08-12')
    expect(await charged()).toEqual([
      ['4000.00', '0.00'],
      ['0.00', '0.00'],
    ])
    await desk.exec(law())
  })

  it('costs a fixed number of statements and work for overdue bills only', async () => {
    await desk.at('2026-08-01')
    for (let n = 0; n < 20; n++) await desk.order()
    await desk.at('2026-08-09')
    await roll('2026-08-09')
    let statements = 0
    await desk.at('2026-08-10')
    await desk.db.withTx(async tx => {
      const counted =
        <A, R>(run: (query: A) => R) =>
        (query: A) => {
          statements++
          return run(query)
        }
      const watched = { ...tx, rows: counted(tx.rows) as typeof tx.rows, exec: counted(tx.exec) }
      expect((await rollDay(watched, '2026-08-10')).charged).toBeGreaterThanOrEqual(20)
    })
    expect(statements).toBeLessThanOrEqual(9)
  })

  it('is planned at five past midnight', () => {
    expect(dayRollModule(desk.deps).chunked).toMatchObject([{ job: 'day.roll', dailyAt: '00:05' }])
  })
})
