import { Decimal, distribute, type Exact, type Money, round, split, sub, sum, zeroMoney } from '../money.ts'
import { addDays, type EatDate } from '../time.ts'
import { spreadFees } from './fees.ts'
import { periodDays, type Terms } from './terms.ts'

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

/** Equal principals; the last bill takes the remainder. */
const principals = ({ installmentCount, rounding }: Terms, loanAmount: Money): Money[] =>
  split(loanAmount, installmentCount, rounding)

/** Interest of each period on the loan amount or on what is not yet due, rounded once in all; the last bill takes the remainder. */
const interests = (terms: Terms, loanAmount: Money): Money[] => {
  const { method, ratePerDay } = terms.interest
  let balance = loanAmount
  const exact = principals(terms, loanAmount).map(principal => {
    const interest = interestOn(method === 'flat' ? loanAmount : balance, ratePerDay, periodDays(terms))
    balance = sub(balance, principal)
    return interest
  })
  return distribute(round(Decimal.sum(...exact), terms.rounding), exact, terms.rounding)
}

/** The interest of the whole contract, rounded once; it does not depend on the payout day. */
export const interestTotal = (terms: Terms, loanAmount: Money): Money => sum(interests(terms, loanAmount))

/** The day by the terms. */
const byTerms = (date: EatDate): EatDate => date

/**
 * The bills of a loan: installment k is due k periods after the payout, or on the day that `due` makes of that one; the last one takes
 * the remainder of every component. Interest is for the days of the terms.
 */
export const schedule = (
  terms: Terms,
  loanAmount: Money,
  payoutDate: EatDate,
  due: (date: EatDate) => EatDate = byTerms,
): Installment[] => {
  const fees = spreadFees(terms, loanAmount)
  const serviceFee = split(fees.serviceFee, terms.installmentCount, terms.rounding)
  const managementFee = split(fees.managementFee, terms.installmentCount, terms.rounding)
  const interest = interests(terms, loanAmount)
  return principals(terms, loanAmount).map((principal, index) => ({
    installmentNo: index + 1,
    dueDate: due(addDays(payoutDate, (index + 1) * periodDays(terms))),
    principal,
    interest: interest[index] ?? zeroMoney,
    serviceFee: serviceFee[index] ?? zeroMoney,
    managementFee: managementFee[index] ?? zeroMoney,
  }))
}
