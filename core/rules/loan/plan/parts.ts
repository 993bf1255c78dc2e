import {
  add,
  Decimal,
  distribute,
  type Exact,
  type Money,
  max,
  min,
  round,
  split,
  sub,
  zeroMoney,
} from '../../money.ts'
import { factor, periodFactor } from './rate.ts'
import type { Period, PlanRow, PlanTerms } from './terms.ts'

/** Interest per shilling of a period: of its days, or of a regular step. */
export const interestFactor = (terms: PlanTerms, { from, dueDate, irregular }: Period): Exact =>
  terms.accrual === 'daily' || irregular ? factor(terms, from, dueDate) : periodFactor(terms, terms.frequency)

/** Interest as it is asked for: what grace puts off is carried by the first installment after it, or by the last. */
export const billed = (terms: PlanTerms, own: readonly Exact[]): Exact[] => {
  const silent = Math.min(terms.grace?.interest ?? 0, own.length - 1)
  const carried = Decimal.sum(0, ...own.slice(0, silent))
  return own.map((interest, index) =>
    index < silent ? new Decimal(0) : index === silent ? interest.plus(carried) : interest,
  )
}

/** Whether an installment bears no interest at all. */
export const isFree = (terms: PlanTerms, index: number): boolean => index < (terms.grace?.interestFree ?? 0)

/** Installments that repay principal: all but the grace, the last one at least. */
export const repaying = (terms: PlanTerms, count: number): number => Math.max(1, count - (terms.grace?.principal ?? 0))

/** The lines of a schedule from its parts. */
export const rows = (
  balance: Money,
  periods: readonly Period[],
  principal: readonly Money[],
  interest: readonly Money[],
) => {
  let left = balance
  return periods.map((period, index): PlanRow => {
    left = sub(left, principal[index] ?? zeroMoney)
    return {
      ...period,
      principal: principal[index] ?? zeroMoney,
      interest: interest[index] ?? zeroMoney,
      balance: left,
    }
  })
}

/** What an installment repays when its amount is set: what interest leaves of it, not below nothing and not above what is owed. */
export const principalOf = (amount: Money, interest: Money, left: Money): Money =>
  min(max(sub(amount, interest), zeroMoney), left)

/** Equal shares of a balance over the repaying installments, the balloon on the last. */
export const equalPrincipal = (terms: PlanTerms, balance: Money, periods: readonly Period[]): Money[] => {
  const count = repaying(terms, periods.length)
  const balloon = terms.balloon ?? zeroMoney
  const shares = split(sub(balance, balloon), count, terms.rounding)
  return periods.map((_, index) => {
    const share = shares[index - (periods.length - count)] ?? zeroMoney
    return index === periods.length - 1 ? add(share, balloon) : share
  })
}

/** Interest of all installments, rounded once in all; the last one takes what the others leave. */
export const rounded = (terms: PlanTerms, exact: readonly Exact[]): Money[] =>
  distribute(round(Decimal.sum(0, ...exact), terms.rounding), exact, terms.rounding)
