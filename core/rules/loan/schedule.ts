import { Decimal, type Exact, type Money, split, zeroMoney } from '../money.ts'
import type { EatDate } from '../time.ts'
import { spreadFees } from './fees.ts'
import { planTotals } from './plan/plan.ts'
import { productPlan } from './plan/product.ts'
import type { Terms } from './terms.ts'

/** One bill of the contract, before any penalty or payment. */
export type Installment = {
  /** From 1. */
  installmentNo: number
  dueDate: EatDate
  principal: Money
  interest: Money
  serviceFee: Money
  managementFee: Money
}

/** Unrounded interest of a balance over some days at a rate in percent per day. */
export const interestOn = (balance: Money, ratePerDay: string, days: number): Exact =>
  new Decimal(balance).times(ratePerDay).times(days).div(100)

/** The interest of the whole contract, rounded once; it does not depend on the payout day. */
export const interestTotal = (terms: Terms, loanAmount: Money): Money =>
  planTotals(productPlan(terms, loanAmount, '2000-01-01')).interest

/** The bills of a loan: installment k is due k periods after the payout; the last one takes the remainder of every component. */
export const schedule = (terms: Terms, loanAmount: Money, payoutDate: EatDate): Installment[] => {
  const fees = spreadFees(terms, loanAmount)
  const serviceFee = split(fees.serviceFee, terms.installmentCount, terms.rounding)
  const managementFee = split(fees.managementFee, terms.installmentCount, terms.rounding)
  return productPlan(terms, loanAmount, payoutDate).map(({ no, dueDate, principal, interest }, index) => ({
    installmentNo: no,
    dueDate,
    principal,
    interest,
    serviceFee: serviceFee[index] ?? zeroMoney,
    managementFee: managementFee[index] ?? zeroMoney,
  }))
}
