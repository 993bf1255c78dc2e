import { Decimal, distribute, type Exact, type Money, round, split, sub, zeroMoney } from '../money.ts'
import { addDays, type EatDate } from '../time.ts'
import { spreadFees } from './fees.ts'
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

/** Days from one installment to the next. */
export const periodDays = (terms: Terms): number => terms.termDays / terms.installmentCount

/** Unrounded interest of a balance over some days at a rate in percent per day. */
export const interestOn = (balance: Money, ratePerDay: string, days: number): Exact =>
  new Decimal(balance).times(ratePerDay).times(days).div(100)

const principals = (terms: Terms, loanAmount: Money): Money[] =>
  split(loanAmount, terms.installmentCount, terms.rounding)

/** Unrounded interest of each installment: of the loan amount, or of the principal that is not due before it. */
const interests = (terms: Terms, loanAmount: Money): Exact[] => {
  const { method, ratePerDay } = terms.interest
  let balance = loanAmount
  return principals(terms, loanAmount).map(principal => {
    const interest = interestOn(method === 'flat' ? loanAmount : balance, ratePerDay, periodDays(terms))
    balance = sub(balance, principal)
    return interest
  })
}

const totalInterest = (exact: readonly Exact[], terms: Terms): Money => round(Decimal.sum(...exact), terms.rounding)

/** The interest of the whole contract, rounded once. */
export const interestTotal = (terms: Terms, loanAmount: Money): Money =>
  totalInterest(interests(terms, loanAmount), terms)

/** The bills of a loan: installment k is due k periods after the payout; the last one takes the remainder of every component. */
export const schedule = (terms: Terms, loanAmount: Money, payoutDate: EatDate): Installment[] => {
  const exact = interests(terms, loanAmount)
  const fees = spreadFees(terms, loanAmount)
  const interest = distribute(totalInterest(exact, terms), exact, terms.rounding)
  const serviceFee = split(fees.serviceFee, terms.installmentCount, terms.rounding)
  const managementFee = split(fees.managementFee, terms.installmentCount, terms.rounding)
  return principals(terms, loanAmount).map((principal, index) => ({
    installmentNo: index + 1,
    dueDate: addDays(payoutDate, (index + 1) * periodDays(terms)),
    principal,
    interest: interest[index] ?? zeroMoney,
    serviceFee: serviceFee[index] ?? zeroMoney,
    managementFee: managementFee[index] ?? zeroMoney,
  }))
}
