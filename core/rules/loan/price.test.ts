import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { add, isNegative, isWhole, lte, sub, sum } from '../money.ts'
import { upfrontFees } from './fees.ts'
import { anyLoanAmount, anyTerms, installments, singleBill } from './fixtures/samples.ts'
import { quote } from './price.ts'

describe('quote', () => {
  it('prices the sentence the customer reads: receives 184,000, repays 202,240', () => {
    expect(quote(singleBill(), { loanAmount: '200000.00' })).toEqual({
      loanAmount: '200000.00',
      actualLoanAmount: '184000.00',
      upfront: { serviceFee: '16000.00', managementFee: '0.00' },
      spread: { serviceFee: '0.00', managementFee: '0.00' },
      interestTotal: '2240.00',
      repayTotal: '202240.00',
    })
  })

  it('bills spread fees instead of keeping them', () => {
    expect(quote(installments(), { loanAmount: '600000.00' })).toMatchObject({
      actualLoanAmount: '600000.00',
      upfront: { serviceFee: '0.00', managementFee: '0.00' },
      spread: { serviceFee: '30000.00', managementFee: '15000.00' },
      interestTotal: '43200.00',
      repayTotal: '688200.00',
    })
  })

  it('charges interest on the declining balance', () => {
    const terms = installments({ interest: { method: 'declining', ratePerDay: '0.08' } })
    // 600,000, 400,000 and 200,000 for 30 days each
    expect(quote(terms, { loanAmount: '600000.00' }).interestTotal).toBe('28800.00')
  })

  it('rounds fees up front to whole shillings, so that the payout is whole', () => {
    const terms = singleBill({
      serviceFee: { basis: 'rate', value: '7.7777', taken: 'upfront' },
      managementFee: { basis: 'amount', value: '1250.50', taken: 'upfront' },
    })
    const { upfront, actualLoanAmount } = quote(terms, { loanAmount: '123457.00' })
    expect(upfront).toEqual({ serviceFee: '9602.00', managementFee: '1251.00' })
    expect(actualLoanAmount).toBe('112604.00')
  })

  it('puts the cents of a loan amount on the first fee, or refuses', () => {
    expect(upfrontFees(singleBill(), '100000.50')).toEqual({ serviceFee: '8000.50', managementFee: '0.00' })
    expect(() => quote(installments(), { loanAmount: '100000.50' })).toThrow(RangeError)
  })

  it('refuses to pay out nothing', () => {
    const terms = singleBill({ serviceFee: { basis: 'rate', value: '100', taken: 'upfront' } })
    expect(() => quote(terms, { loanAmount: '100000.00' })).toThrow(RangeError)
    expect(() => quote(terms, { actualLoanAmount: '100000.00' })).toThrow(RangeError)
  })

  it('finds the loan amount for a payout', () => {
    expect(quote(singleBill(), { actualLoanAmount: '184000.00' }).loanAmount).toBe('200000.00')
    expect(quote(installments(), { actualLoanAmount: '184000.00' }).loanAmount).toBe('184000.00')
    expect(() => quote(singleBill(), { actualLoanAmount: '184000.50' })).toThrow(RangeError)
  })

  it('is exact for any product and amount', () => {
    fc.assert(
      fc.property(anyTerms, anyLoanAmount, (terms, loanAmount) => {
        const { actualLoanAmount, upfront, spread, interestTotal, repayTotal } = quote(terms, { loanAmount })
        expect(isWhole(actualLoanAmount)).toBe(true)
        expect(add(actualLoanAmount, add(upfront.serviceFee, upfront.managementFee))).toBe(loanAmount)
        expect(sum([loanAmount, interestTotal, spread.serviceFee, spread.managementFee])).toBe(repayTotal)
        expect(
          [actualLoanAmount, interestTotal, ...Object.values(upfront), ...Object.values(spread)].some(isNegative),
        ).toBe(false)
      }),
    )
  })

  it('pays out exactly what was asked for, by the smallest loan', () => {
    fc.assert(
      fc.property(anyTerms, anyLoanAmount, (terms, payout) => {
        const found = quote(terms, { actualLoanAmount: payout })
        expect(found.actualLoanAmount).toBe(payout)
        expect(lte(quote(terms, { loanAmount: sub(found.loanAmount, '1.00') }).actualLoanAmount, payout)).toBe(true)
      }),
    )
  })
})
