import { add, Decimal, type Money, round, sub, zeroMoney } from '../../money.ts'
import { billed, equalPrincipal, interestFactor, isFree, principalOf, repaying, rounded, rows } from './parts.ts'
import type { Period, PlanRow, PlanTerms } from './terms.ts'

/** Fits principals to installments of a set or rounded amount; the last one repays what is left. */
const fitted = (
  terms: PlanTerms,
  balance: Money,
  periods: readonly Period[],
  interest: readonly Money[],
  level: (index: number) => Money | null,
): Money[] => {
  let left = balance
  return periods.map(({ no }, index) => {
    const owed = interest[index] ?? zeroMoney
    const amount =
      terms.amounts?.[no] ?? (index < periods.length - repaying(terms, periods.length) ? owed : level(index))
    const principal = index === periods.length - 1 || amount === null ? left : principalOf(amount, owed, left)
    left = sub(left, principal)
    return principal
  })
}

/** Interest of every period on what was lent, whatever is repaid meanwhile. */
export const flat = (terms: PlanTerms, balance: Money, periods: readonly Period[], lent: Money): PlanRow[] => {
  const own = periods.map((period, index) =>
    isFree(terms, index) ? new Decimal(0) : interestFactor(terms, period).times(lent),
  )
  const interest = rounded(terms, billed(terms, own))
  const even = terms.amortization === 'equalPrincipal' || (!terms.installmentRounding && !terms.installment)
  if (even && !terms.amounts) return rows(balance, periods, equalPrincipal(terms, balance, periods), interest)
  const share = new Decimal(sub(balance, terms.balloon ?? zeroMoney)).div(repaying(terms, periods.length))
  const principal = fitted(terms, balance, periods, interest, index =>
    even
      ? add(round(share, terms.rounding), interest[index] ?? zeroMoney)
      : (terms.installment ?? round(share.plus(own[index] ?? 0), terms.installmentRounding)),
  )
  return rows(balance, periods, principal, interest)
}
