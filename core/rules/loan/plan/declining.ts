import {
  add,
  Decimal,
  distribute,
  type Exact,
  isNegative,
  lte,
  type Money,
  max,
  round,
  sub,
  zeroMoney,
} from '../../money.ts'
import { exactLevel, plainLevel } from './level.ts'
import { billed, equalPrincipal, interestFactor, isFree, principalOf, repaying, rounded, rows } from './parts.ts'
import type { Period, PlanRow, PlanTerms } from './terms.ts'

/** Equal principals, interest on what is not yet due. */
export const decliningByPrincipal = (terms: PlanTerms, balance: Money, periods: readonly Period[]): PlanRow[] => {
  const principal = equalPrincipal(terms, balance, periods)
  let left = balance
  const own = periods.map((period, index) => {
    const interest = isFree(terms, index) ? new Decimal(0) : interestFactor(terms, period).times(left)
    left = sub(left, principal[index] ?? zeroMoney)
    return interest
  })
  return rows(balance, periods, principal, rounded(terms, billed(terms, own)))
}

/** The unrounded equal installment of a balance, given or computed. */
export const levelOf = (terms: PlanTerms, balance: Money, periods: readonly Period[]): Exact => {
  if (terms.installment) return new Decimal(terms.installment)
  const interests = periods.map((period, index) =>
    isFree(terms, index) ? new Decimal(0) : interestFactor(terms, period),
  )
  const own = interests.slice(periods.length - repaying(terms, periods.length))
  const even = own.every(interest => !interest.isZero()) || own.every(interest => interest.isZero())
  return (terms.level ?? 'plain') === 'plain' && !terms.balloon && even
    ? plainLevel(balance, own.at(0) ?? new Decimal(0), own.length)
    : exactLevel(balance, own, terms.balloon)
}

type Parts = { principal: Money[]; interest: Money[] }

/** Principals and own interest of a run with one installment; the last repays what is left. */
const run = (terms: PlanTerms, balance: Money, periods: readonly Period[], level: Money): Parts => {
  const grace = periods.length - repaying(terms, periods.length)
  let left = balance
  const interest: Money[] = []
  const principal = periods.map((period, index) => {
    const own = isFree(terms, index) ? zeroMoney : round(interestFactor(terms, period).times(left), terms.rounding)
    interest.push(own)
    const amount = terms.amounts?.[period.no] ?? (index < grace ? own : level)
    const repaid = index === periods.length - 1 ? left : principalOf(amount, own, left)
    left = sub(left, repaid)
    return repaid
  })
  return { principal, interest }
}

/** The rounded installment; `solved` is lowered as long as the last one does not become the greatest. */
const installmentOf = (terms: PlanTerms, balance: Money, periods: readonly Period[]): Money => {
  const rounding = terms.installmentRounding ?? terms.rounding
  const start = levelOf(terms, balance, periods)
  if (terms.level !== 'solved' || terms.installment) return round(start, rounding)
  const fits = (level: Money): boolean => {
    const { principal, interest } = run(terms, balance, periods, level)
    return lte(add(principal.at(-1) ?? zeroMoney, interest.at(-1) ?? zeroMoney), level)
  }
  let level = round(start, { ...rounding, mode: 'up' })
  while (!fits(level)) level = round(new Decimal(level).plus(rounding.unit), rounding)
  for (;;) {
    const lower = round(new Decimal(level).minus(rounding.unit), rounding)
    if (isNegative(lower) || !fits(lower)) return level
    level = lower
  }
}

/** Equal installments, interest on what is not yet due, rounded installment by installment. */
export const decliningByInstallment = (terms: PlanTerms, balance: Money, periods: readonly Period[]): PlanRow[] => {
  const { principal, interest } = run(terms, balance, periods, installmentOf(terms, balance, periods))
  const asked = billed(
    terms,
    interest.map(own => new Decimal(own)),
  ).map(own => round(own, terms.rounding))
  return rows(balance, periods, principal, asked)
}

/** Every part from the unrounded annuity; the installment is the same to the end, and interest is what principal leaves of it. */
export const byParts = (terms: PlanTerms, balance: Money, periods: readonly Period[]): PlanRow[] => {
  const exact = levelOf(terms, balance, periods)
  const level = round(exact, terms.installmentRounding ?? terms.rounding)
  let left = new Decimal(balance)
  const parts = periods.map(period => {
    const part = exact.minus(interestFactor(terms, period).times(left))
    left = left.minus(part)
    return part
  })
  const principal = distribute(balance, parts, terms.rounding)
  const interest = principal.map(part => max(sub(level, part), zeroMoney))
  return rows(balance, periods, principal, interest)
}
