import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { lte, sum } from '../money.ts'
import { addDays } from '../time.ts'
import { applyLines } from './bill.ts'
import { unearned } from './early.ts'
import { anyLoanAmount, anyTerms, billsOf, installments, singleBill } from './fixtures/samples.ts'

const terms = installments({ earlySettlement: 'proRata' })
const bills = billsOf(terms, '600000.00', '2026-03-01')
const forgiven = (valueDate: string, of = bills, by = terms) => unearned(by, of, '2026-03-01', valueDate)

describe('paying early', () => {
  it('forgives nothing where the product wants the price in full', () =>
    expect(forgiven('2026-03-02', bills, installments())).toEqual([]))

  it('forgives the days not used of the running period and all of the later ones', () => {
    // 14,400 interest, 10,000 and 5,000 fees a bill; 45 of 90 days used
    expect(forgiven('2026-04-15')).toEqual([
      { billNo: 'B2', component: 'interest', amount: '7200.00' },
      { billNo: 'B2', component: 'serviceFee', amount: '5000.00' },
      { billNo: 'B2', component: 'managementFee', amount: '2500.00' },
      { billNo: 'B3', component: 'interest', amount: '14400.00' },
      { billNo: 'B3', component: 'serviceFee', amount: '10000.00' },
      { billNo: 'B3', component: 'managementFee', amount: '5000.00' },
    ])
  })

  it('forgives all on the payout day and nothing from the last due date on', () => {
    expect(sum(forgiven('2026-03-01').map(line => line.amount))).toBe('88200.00')
    expect(forgiven('2026-05-30')).toEqual([])
    expect(forgiven('2026-12-31')).toEqual([])
  })

  it('never forgives what has been paid', () => {
    const paid = applyLines(bills, [{ billNo: 'B3', component: 'interest', amount: '14000.00' }], 'paid')
    expect(
      forgiven('2026-04-15', paid).find(line => line.billNo === 'B3' && line.component === 'interest')?.amount,
    ).toBe('400.00')
  })

  it('forgives less with every day and fits on the bills', () => {
    fc.assert(
      fc.property(anyTerms, anyLoanAmount, fc.integer({ min: 0, max: 400 }), (any, loanAmount, days) => {
        const product = { ...any, earlySettlement: 'proRata' as const }
        const all = billsOf(product, loanAmount, '2026-03-01')
        const total = (day: number) => sum(forgiven(addDays('2026-03-01', day), all, product).map(line => line.amount))
        expect(lte(total(days + 1), total(days))).toBe(true)
        expect(() => applyLines(all, forgiven(addDays('2026-03-01', days), all, product), 'waived')).not.toThrow()
      }),
      { numRuns: 60 },
    )
  })

  it('counts by the day on a single bill', () => {
    const one = singleBill({ earlySettlement: 'proRata' })
    expect(forgiven('2026-03-08', billsOf(one, '200000.00'), one)).toEqual([
      { billNo: 'B1', component: 'interest', amount: '1120.00' },
    ])
  })
})
