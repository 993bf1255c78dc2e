import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { isNegative, lte, sum } from '../money.ts'
import { diffDays } from '../time.ts'
import { anyLoanAmount, anyTerms, installments, singleBill } from './fixtures/samples.ts'
import { quote } from './price.ts'
import { schedule } from './schedule.ts'

describe('schedule', () => {
  it('is one bill at the end of the term', () => {
    expect(schedule(singleBill(), '200000.00', '2026-02-20')).toEqual([
      {
        installmentNo: 1,
        dueDate: '2026-03-06',
        principal: '200000.00',
        interest: '2240.00',
        serviceFee: '0.00',
        managementFee: '0.00',
      },
    ])
  })

  it('is a bill every period, the last with the remainders', () => {
    expect(schedule(installments(), '500000.00', '2026-01-31')).toEqual([
      {
        installmentNo: 1,
        dueDate: '2026-03-02',
        principal: '166666.67',
        interest: '12000.00',
        serviceFee: '8333.33',
        managementFee: '4166.67',
      },
      {
        installmentNo: 2,
        dueDate: '2026-04-01',
        principal: '166666.67',
        interest: '12000.00',
        serviceFee: '8333.33',
        managementFee: '4166.67',
      },
      {
        installmentNo: 3,
        dueDate: '2026-05-01',
        principal: '166666.66',
        interest: '12000.00',
        serviceFee: '8333.34',
        managementFee: '4166.66',
      },
    ])
  })

  it('charges each period on what is not due before it when declining', () => {
    const terms = installments({ interest: { method: 'declining', ratePerDay: '0.08' } })
    expect(schedule(terms, '600000.00', '2026-01-01').map(({ interest }) => interest)).toEqual([
      '14400.00',
      '9600.00',
      '4800.00',
    ])
  })

  it('keeps bills in whole shillings where the product says so', () => {
    const bills = schedule(installments({ rounding: { unit: '1', mode: 'half_up' } }), '500000.00', '2026-01-31')
    expect(bills.map(({ principal }) => principal)).toEqual(['166667.00', '166667.00', '166666.00'])
    expect(bills.map(({ serviceFee }) => serviceFee)).toEqual(['8333.00', '8333.00', '8334.00'])
  })

  it('adds up to the quote in every component, with nothing negative', () => {
    fc.assert(
      fc.property(anyTerms, anyLoanAmount, (terms, loanAmount) => {
        const bills = schedule(terms, loanAmount, '2026-02-28')
        const priced = quote(terms, { loanAmount })
        expect(bills).toHaveLength(terms.installmentCount)
        expect(sum(bills.map(each => each.principal))).toBe(loanAmount)
        expect(sum(bills.map(each => each.interest))).toBe(priced.interestTotal)
        expect(sum(bills.map(each => each.serviceFee))).toBe(priced.spread.serviceFee)
        expect(sum(bills.map(each => each.managementFee))).toBe(priced.spread.managementFee)
        expect(
          bills.flatMap(each => [each.principal, each.interest, each.serviceFee, each.managementFee]).some(isNegative),
        ).toBe(false)
      }),
    )
  })

  it('is evenly spaced and ends with the term', () => {
    fc.assert(
      fc.property(anyTerms, anyLoanAmount, (terms, loanAmount) => {
        const dates = schedule(terms, loanAmount, '2026-02-28').map(each => diffDays('2026-02-28', each.dueDate))
        expect(dates.at(-1)).toBe(terms.termDays)
        expect(new Set(dates.map((date, index) => date - (dates[index - 1] ?? 0))).size).toBe(1)
      }),
    )
  })

  it('never costs more on the declining balance than flat', () => {
    fc.assert(
      fc.property(anyTerms, anyLoanAmount, (terms, loanAmount) => {
        const total = (method: 'flat' | 'declining') =>
          quote({ ...terms, interest: { ...terms.interest, method } }, { loanAmount }).interestTotal
        expect(lte(total('declining'), total('flat'))).toBe(true)
      }),
    )
  })
})
