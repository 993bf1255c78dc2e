import { sql } from 'kysely'
import { describe, expect, it } from 'vitest'
import { contract } from '../../../../core/contract/contract.ts'
import { deskForTests } from '../../../testing/suites.ts'

const { repay } = contract

const { desk, officer } = await deskForTests()
const orderNo = await desk.order()
await desk.until('2026-03-12')

const ticks = () =>
  desk.rows(sql<{ date: string; generation: number; lateFee: string; reversed: boolean }>`
    select business_date as date, generation, late_fee, reversed from penalty_tick join repay_plan using (bill_no) where order_no = ${orderNo} order by 1, 2`)

describe('money that came before it was written off', () => {
  it('after-loan 8: stops the penalties of the days after it came', async () => {
    expect(await ticks()).toMatchObject([
      { date: '2026-03-10', lateFee: '1725.00', reversed: false },
      { date: '2026-03-11', lateFee: '1725.00', reversed: false },
      { date: '2026-03-12', lateFee: '1725.00', reversed: false },
    ])
    const flow = await desk.arrived(orderNo, '51725.00', { entryTime: '2026-03-10T09:00:00Z' })
    const tried = await desk.call(repay.trial, { orderNo, repayType: 'partial', flows: [flow] }, { as: officer })
    expect(tried.data).toMatchObject({
      valueDate: '2026-03-10',
      due: { lateFee: '1725.00' },
      applied: { lateFee: '1725.00', managementFee: '1000.00', interest: '14000.00', principal: '35000.00' },
      reversedPenalty: '1500.00',
    })
    const done = await desk.pay(officer, { orderNo, repayType: 'partial', flows: [flow] })
    expect(done.code).toBe(0)
    expect(await ticks()).toMatchObject([
      { date: '2026-03-10', generation: 0, reversed: false },
      { date: '2026-03-11', generation: 0, reversed: true },
      { date: '2026-03-11', generation: 1, lateFee: '975.00', reversed: false },
      { date: '2026-03-12', generation: 0, reversed: true },
      { date: '2026-03-12', generation: 1, lateFee: '975.00', reversed: false },
    ])
    expect(await desk.broken()).toEqual([])
  })

  it('after-loan 8: keeps what was believed: the reversal counts on the day it takes back, posted today', async () => {
    const { journals } = await desk.detail(officer, orderNo)
    const reversals = journals.filter(journal => journal.postingCode === 'P-REV')
    expect(reversals.map(journal => [journal.valueDate, journal.businessDate]).sort()).toEqual([
      ['2026-03-11', '2026-03-12'],
      ['2026-03-12', '2026-03-12'],
    ])
    const asOf = (businessDate: string) =>
      desk.rows(sql<{ penalty: string }>`
        select sum(l.amount) as penalty from journal_line l join journal j using (journal_no)
        where l.account_code = ${`penalty_rcv:${orderNo}`} and j.business_date <= ${businessDate} and j.value_date <= '2026-03-11'`)
    expect(await asOf('2026-03-11')).toEqual([{ penalty: '3450.00' }])
    expect(await asOf('2026-03-12')).toEqual([{ penalty: '975.00' }])
  })

  it('never counts before the last repayment, or before the payout', async () => {
    const flow = await desk.arrived(orderNo, '1000.00', { entryTime: '2026-03-09T09:00:00Z' })
    const tried = await desk.call(repay.trial, { orderNo, repayType: 'partial', flows: [flow] }, { as: officer })
    expect(tried.data).toMatchObject({ valueDate: '2026-03-10', refusal: null })
    const chosen = await desk.call(
      repay.trial,
      { orderNo, repayType: 'partial', flows: [flow], valueDate: '2026-03-09' },
      { as: officer },
    )
    expect(chosen).toMatchObject({ code: 40001, msg: 'The date cannot be earlier than the loan or repayment date' })
  })

  it('projects the penalties of days to come, and cannot be posted for them', async () => {
    const tried = async (valueDate: string) =>
      (await desk.call(repay.trial, { orderNo, repayType: 'settle', flows: [], valueDate }, { as: officer })).data
    const settleOn = async (valueDate: string) => (await tried(valueDate)).settleAmount
    expect([(await tried('2026-03-12')).projected, (await tried('2026-03-13')).projected]).toEqual([false, true])
    const today = await settleOn('2026-03-12')
    const tomorrow = await settleOn('2026-03-13')
    expect(Number(tomorrow) - Number(today)).toBe(975)
  })

  it('a day-end after a back-dated payment does not charge a day twice', async () => {
    await desk.until('2026-03-14')
    expect((await ticks()).filter(tick => !tick.reversed).map(tick => tick.date)).toEqual([
      '2026-03-10',
      '2026-03-11',
      '2026-03-12',
      '2026-03-13',
      '2026-03-14',
    ])
    expect(await desk.broken()).toEqual([])
  })
})
