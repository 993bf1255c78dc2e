import { add, gt, isWhole, type Money, percent, round, sub, toWhole, zeroMoney } from '../money.ts'
import type { Terms } from './terms.ts'

/** The two fees of a loan, each taken up front or spread over the bills. */
export type Fees = { serviceFee: Money; managementFee: Money }
/** Fees of a product, in the order in which they are computed. */
export const feeNames = ['serviceFee', 'managementFee'] as const satisfies (keyof Fees)[]

const taken = (terms: Terms, when: 'upfront' | 'spread', loanAmount: Money): Fees => {
  const feeOf = (name: keyof Fees): Money => {
    const { basis, value } = terms[name]
    if (terms[name].taken !== when) return zeroMoney
    return basis === 'rate' ? percent(loanAmount, value, terms.rounding) : round(value, terms.rounding)
  }
  return { serviceFee: feeOf('serviceFee'), managementFee: feeOf('managementFee') }
}

/** Fees that the bills carry, before they are split over the installments. */
export const spreadFees = (terms: Terms, loanAmount: Money): Fees => taken(terms, 'spread', loanAmount)

/**
 * Fees kept back from the payout: whole shillings, except that the first one takes the cents of the loan amount, so that the payout is whole.
 * @throws RangeError when the loan amount has cents and no fee is there to take them.
 */
export const upfrontFees = (terms: Terms, loanAmount: Money): Fees => {
  const exact = taken(terms, 'upfront', loanAmount)
  const fees: Fees = { serviceFee: toWhole(exact.serviceFee), managementFee: toWhole(exact.managementFee) }
  if (isWhole(loanAmount)) return fees
  const name = feeNames.find(fee => gt(fees[fee], zeroMoney))
  if (!name) throw new RangeError(`no up-front fee can take the cents of ${loanAmount}`)
  return { ...fees, [name]: add(fees[name], `0.${loanAmount.slice(-2)}`) }
}

/** What is paid out of a loan amount. */
export const payoutOf = (terms: Terms, loanAmount: Money): Money => {
  const fees = upfrontFees(terms, loanAmount)
  return sub(loanAmount, add(fees.serviceFee, fees.managementFee))
}
