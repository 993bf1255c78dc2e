import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { add, gt, isNegative, lte, max, sub, sum } from '../money.ts'
import { addDays } from '../time.ts'
import { applyLines, type Bill } from './bill.ts'
import { amounts } from './components.ts'
import { anyLoanAmount, anyTerms, bill, billsOf, singleBill } from './fixtures/samples.ts'
import { accrue, addPenalty, type LateRoom, lateFeeCap, reaccrue, rewind, tick } from './penalty.ts'

const terms = singleBill()
const due = '2026-03-15'
const owing = bill({ principal: '100000.00', interest: '2000.00' })
const on = (days: number) => addDays(due, days)
/** Penalties of a bill from its due date to some days later. */
const late = (of: Bill, days: number, by = terms) => accrue(of, by, of.dueDate, addDays(of.dueDate, days))

describe('the penalty of one day', () => {
  it('starts after the grace days', () => {
    expect([0, 1, 2].map(days => tick(owing, terms, on(days)).lateFee)).toEqual(['0.00', '0.00', '510.00'])
    expect(tick(owing, singleBill({ graceDays: 0 }), on(0)).lateFee).toBe('0.00')
    expect(tick(owing, singleBill({ graceDays: 0 }), on(1)).lateFee).toBe('510.00')
    expect(tick(owing, terms, on(-3))).toEqual({ lateFee: '0.00', liquidatedDamages: '0.00' })
  })

  it('is on what is unpaid of principal, interest and fees, not on penalties', () => {
    const half = bill(
      { principal: '100000.00', serviceFee: '1000.00', lateFee: '9000.00' },
      { paid: amounts({ principal: '50000.00' }), waived: amounts({ serviceFee: '500.00' }) },
    )
    expect(tick(half, terms, on(2)).lateFee).toBe('252.50')
  })

  const charged = (lateFee: string) => addPenalty(owing, { lateFee, liquidatedDamages: '5000.00' })

  it('charges damages once, on the first day beyond their days', () => {
    expect([7, 8, 30].map(days => tick(owing, terms, on(days)).liquidatedDamages)).toEqual([
      '0.00',
      '5000.00',
      '5000.00',
    ])
    expect(tick(charged('0.00'), terms, on(9)).liquidatedDamages).toBe('0.00')
    const rate = singleBill({ liquidatedDamages: { afterDays: 7, basis: 'rate', value: '5' } })
    expect(tick(owing, rate, on(8)).liquidatedDamages).toBe('5100.00')
  })

  it('stops at the cap of the bill', () => {
    expect(lateFeeCap(owing, terms)).toBe('20400.00')
    expect(tick(charged('20100.00'), terms, on(20)).lateFee).toBe('300.00')
    expect(tick(charged('20400.00'), terms, on(20)).lateFee).toBe('0.00')
    expect(tick(charged('30000.00'), terms, on(20)).lateFee).toBe('0.00')
  })

  it.each(['paid', 'extended', 'cancelled'] as const)('is nothing on a bill that is %s', status =>
    expect(tick({ ...owing, status }, terms, on(30))).toEqual({ lateFee: '0.00', liquidatedDamages: '0.00' }),
  )
})

describe('a limit of the law', () => {
  /** 1,000 for the whole order. */
  const room: LateRoom = (_, soFar) => max(sub('1000.00', soFar), '0.00')

  it('cuts the late fee first, then the damages', () => {
    expect(tick(owing, terms, on(2), '100.00')).toEqual({ lateFee: '100.00', liquidatedDamages: '0.00' })
    expect(tick(owing, terms, on(8), '4510.00')).toEqual({ lateFee: '510.00', liquidatedDamages: '4000.00' })
    expect(tick(owing, terms, on(8), '0.00')).toEqual({ lateFee: '0.00', liquidatedDamages: '0.00' })
  })

  it('stops the charges of a bill where all bills of the order reach it', () => {
    const alone = accrue(owing, terms, on(1), on(20), { limit: { room, others: '0.00' } })
    expect(alone.ticks.map(each => each.lateFee)).toEqual(['510.00', '490.00'])
    const beside = accrue(owing, terms, on(1), on(20), { limit: { room, others: '700.00' } })
    expect(beside.ticks.map(each => each.lateFee)).toEqual(['300.00'])
  })
})

describe('penalties over days', () => {
  it('add up day by day and leave out days that cost nothing', () => {
    const { bill: after, ticks } = late(owing, 9)
    expect(ticks.map(each => each.businessDate)).toEqual([2, 3, 4, 5, 6, 7, 8, 9].map(on))
    expect(after.due).toMatchObject({ lateFee: '4080.00', liquidatedDamages: '5000.00', principal: '100000.00' })
  })

  it('begin the day after the due date, wherever the days begin', () => {
    expect(accrue(owing, terms, '2026-01-01', on(4)).ticks.map(each => each.businessDate)).toEqual([2, 3, 4].map(on))
    expect(accrue(owing, terms, on(5), on(4)).ticks).toEqual([])
  })

  it('skip days that have ticked already', () => {
    expect(accrue(owing, terms, on(2), on(4), { done: [on(3)] }).ticks.map(each => each.businessDate)).toEqual(
      [2, 4].map(on),
    )
  })

  it('charge a missed day of damages later', () => {
    expect(accrue(owing, terms, on(10), on(11)).ticks.map(each => each.liquidatedDamages)).toEqual(['5000.00', '0.00'])
  })

  it('never pass the cap, never fall, and are what the ticks say', () => {
    fc.assert(
      fc.property(anyTerms, anyLoanAmount, fc.integer({ min: 0, max: 90 }), (product, loanAmount, days) => {
        const [first] = billsOf(product, loanAmount)
        if (!first) return
        const [sooner, later] = [late(first, days, product), late(first, days + 1, product)]
        expect(lte(later.bill.due.lateFee, lateFeeCap(first, product))).toBe(true)
        expect(lte(sooner.bill.due.lateFee, later.bill.due.lateFee)).toBe(true)
        expect(lte(sooner.bill.due.liquidatedDamages, later.bill.due.liquidatedDamages)).toBe(true)
        expect(sum(later.ticks.map(each => each.lateFee))).toBe(later.bill.due.lateFee)
        expect(later.ticks.filter(each => gt(each.liquidatedDamages, '0.00')).length).toBeLessThanOrEqual(1)
        expect(later.ticks.some(each => isNegative(each.lateFee))).toBe(false)
      }),
      { numRuns: 60 },
    )
  })
})

describe('an earlier value date', () => {
  const { bill: today, ticks } = late(owing, 10)

  it('takes back the days after it, the newest first', () => {
    const back = rewind(today, ticks, on(6))
    expect(back.reversed.map(each => each.businessDate)).toEqual([10, 9, 8, 7].map(on))
    expect(back.kept).toEqual([])
    expect(back.bill).toEqual(late(owing, 6).bill)
    expect(rewind(today, ticks, on(10))).toEqual({ bill: today, reversed: [], kept: [] })
  })

  it('charges them again on what remained', () => {
    const back = rewind(today, ticks, on(6))
    const [paid] = applyLines([back.bill], [{ billNo: 'B1', component: 'principal', amount: '50000.00' }], 'paid')
    const again = reaccrue(paid ?? owing, terms, on(6), on(10), { kept: back.kept })
    expect(again.ticks).toEqual([
      { businessDate: on(7), lateFee: '260.00', liquidatedDamages: '0.00' },
      { businessDate: on(8), lateFee: '260.00', liquidatedDamages: '5000.00' },
      { businessDate: on(9), lateFee: '260.00', liquidatedDamages: '0.00' },
      { businessDate: on(10), lateFee: '260.00', liquidatedDamages: '0.00' },
    ])
    expect(again.bill.due.lateFee).toBe(add(back.bill.due.lateFee, '1040.00'))
  })

  it('gives back the same days when nothing was paid', () => {
    fc.assert(
      fc.property(
        anyTerms,
        anyLoanAmount,
        fc.integer({ min: 0, max: 40 }),
        fc.integer({ min: 0, max: 40 }),
        (product, loanAmount, days, valueDays) => {
          const [first] = billsOf(product, loanAmount)
          if (!first) return
          const now = late(first, days, product)
          const valueDate = addDays(first.dueDate, Math.min(valueDays, days))
          const back = rewind(now.bill, now.ticks, valueDate)
          const again = reaccrue(back.bill, product, valueDate, addDays(first.dueDate, days), { kept: back.kept })
          expect(again.bill).toEqual(now.bill)
          expect(again.ticks).toEqual([...back.reversed].reverse())
        },
      ),
      { numRuns: 60 },
    )
  })

  it('never costs more after paying than before', () => {
    fc.assert(
      fc.property(
        anyTerms,
        anyLoanAmount,
        fc.integer({ min: 2, max: 40 }),
        fc.integer({ min: 1, max: 100 }),
        (product, loanAmount, days, share) => {
          const [first] = billsOf(product, loanAmount)
          if (!first) return
          const amount = `${Math.max(1, Math.floor((Number(first.due.principal) * share) / 101))}.00`
          if (!lte(amount, first.due.principal)) return
          const [paid] = applyLines([first], [{ billNo: 'B1', component: 'principal', amount }], 'paid')
          expect(
            lte(late(paid ?? first, days, product).bill.due.lateFee, late(first, days, product).bill.due.lateFee),
          ).toBe(true)
        },
      ),
      { numRuns: 60 },
    )
  })

  it('keeps days whose penalty has been waived meanwhile, and does not charge them twice', () => {
    const forgiven =
      applyLines([today], [{ billNo: 'B1', component: 'lateFee', amount: '3500.00' }], 'waived')[0] ?? today
    const back = rewind(forgiven, ticks, on(6))
    // 4,590 charged, 3,500 waived: two days of 510 can go, the third cannot
    expect(back.reversed.map(each => each.businessDate)).toEqual([10, 9].map(on))
    expect(back.kept.map(each => each.businessDate)).toEqual([8, 7].map(on))
    const again = reaccrue(back.bill, terms, on(6), on(10), { kept: back.kept })
    expect(again.ticks.map(each => each.businessDate)).toEqual([9, 10].map(on))
    expect(again.bill).toEqual(forgiven)
  })

  it('leaves a bill that is closed', () => {
    const paid = { ...today, status: 'paid' as const }
    expect(rewind(paid, ticks, on(2)).bill).toBe(paid)
    expect(addPenalty(owing, { lateFee: '1.00', liquidatedDamages: '2.00' }).due).toMatchObject({
      lateFee: '1.00',
      liquidatedDamages: '2.00',
    })
  })
})
