import type { Money } from '../../money.ts'
import type { EatDate } from '../../time.ts'
import type { Terms } from '../terms.ts'
import type { DueDates } from './calendar.ts'
import { plan } from './plan.ts'
import { type PlanRow, type PlanTerms, periodsOf } from './terms.ts'

/** Days from one installment of a product to the next. */
export const periodDays = ({ termDays, installmentCount }: Terms): number => termDays / installmentCount

/** When the bills of a product fall due: every period the same number of days. */
export const productDates = (terms: Terms, payoutDate: EatDate): DueDates => ({
  start: payoutDate,
  count: terms.installmentCount,
  frequency: { every: periodDays(terms), unit: 'days' },
})

/** A product's price as terms of a schedule: a rate per day, equal principals, remainders in the last bill. */
export const productPlanTerms = (terms: Terms, payoutDate: EatDate): PlanTerms => ({
  rate: { percent: terms.interest.ratePerDay, per: 'day' },
  dayCount: 'actual/365',
  start: payoutDate,
  method: terms.interest.method,
  amortization: 'equalPrincipal',
  accrual: 'period',
  frequency: { every: periodDays(terms), unit: 'days' },
  rounding: terms.rounding,
})

/** Principal and interest of a product's bills. */
export const productPlan = (terms: Terms, loanAmount: Money, payoutDate: EatDate): PlanRow[] =>
  plan(productPlanTerms(terms, payoutDate), loanAmount, periodsOf(productDates(terms, payoutDate)))
