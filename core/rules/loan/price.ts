import { add, Decimal, isPositive, isWhole, lt, type Money, money, round, sum, toShilling } from '../money.ts'
import { type Fees, feeNames, payoutOf, spreadFees, upfrontFees } from './fees.ts'
import { interestTotal } from './schedule.ts'
import type { Terms } from './terms.ts'

/** What a loan costs and pays out. */
export type Quote = {
  /** The principal owed. */
  loanAmount: Money
  /** What leaves our account, whole shillings: `loanAmount` less the fees taken up front. */
  actualLoanAmount: Money
  upfront: Fees
  /** Fees owed in the bills. */
  spread: Fees
  interestTotal: Money
  /** The sum of all bills when every one is paid on its due date. */
  repayTotal: Money
}

/** The smallest whole loan amount that pays out this much. */
const loanAmountFor = (terms: Terms, payout: Money): Money => {
  if (!isWhole(payout)) throw new RangeError(`a payout is whole shillings: ${payout}`)
  let [fixed, kept] = [new Decimal(payout), new Decimal(1)]
  for (const name of feeNames) {
    if (terms[name].taken === 'spread') continue
    if (terms[name].basis === 'amount') fixed = fixed.plus(terms[name].value)
    else kept = kept.minus(new Decimal(terms[name].value).div(100))
  }
  if (kept.lte(0)) throw new RangeError('up-front fees leave nothing to pay out')
  // Each fee is rounded by at most half a shilling; from two shillings of payout below, one step of the loan amount moves the payout by at most one.
  let loanAmount = round(Decimal.max(fixed.minus(2).div(kept), payout), toShilling)
  while (lt(payoutOf(terms, loanAmount), payout)) loanAmount = add(loanAmount, '1.00')
  return loanAmount
}

/**
 * Prices a loan, either of a loan amount or for a payout.
 * @throws RangeError when nothing would be paid out, or the payout cannot be whole shillings.
 */
export const quote = (terms: Terms, asked: { loanAmount: Money } | { actualLoanAmount: Money }): Quote => {
  const loanAmount = money('loanAmount' in asked ? asked.loanAmount : loanAmountFor(terms, asked.actualLoanAmount))
  const actualLoanAmount = payoutOf(terms, loanAmount)
  if (!isPositive(actualLoanAmount)) throw new RangeError('up-front fees leave nothing to pay out')
  const [upfront, spread] = [upfrontFees(terms, loanAmount), spreadFees(terms, loanAmount)]
  const interest = interestTotal(terms, loanAmount)
  const repayTotal = sum([loanAmount, interest, spread.serviceFee, spread.managementFee])
  return { loanAmount, actualLoanAmount, upfront, spread, interestTotal: interest, repayTotal }
}
