import { add, isNegative, type Money, sub, sum, zeroMoney } from '../../money.ts'
import { byParts, decliningByInstallment, decliningByPrincipal } from './declining.ts'
import { flat } from './flat.ts'
import type { Period, PlanRow, PlanTerms } from './terms.ts'

/**
 * The schedule of a balance over some periods: the whole plan of a loan, or its tail after a change. Principals add up to the balance exactly;
 * what rounding leaves lies in the last installment.
 * @param lent what flat interest is on; the balance unless given
 * @throws RangeError for no periods, a negative balance, or a balloon above the balance
 */
export const plan = (
  terms: PlanTerms,
  balance: Money,
  periods: readonly Period[],
  lent: Money = balance,
): PlanRow[] => {
  if (periods.length === 0 || isNegative(balance) || isNegative(sub(balance, terms.balloon ?? zeroMoney)))
    throw new RangeError('a plan needs periods, and a balance that covers its balloon')
  if (terms.method === 'flat') return flat(terms, balance, periods, lent)
  if (terms.amortization === 'equalPrincipal') return decliningByPrincipal(terms, balance, periods)
  const resting = Object.values(terms.grace ?? {}).some(count => count > 0)
  return terms.level === 'parts' && !resting && !terms.amounts
    ? byParts(terms, balance, periods)
    : decliningByInstallment(terms, balance, periods)
}

/** What a schedule asks for in all. */
export const planTotals = (of: readonly PlanRow[]): { principal: Money; interest: Money; due: Money } => {
  const principal = sum(of.map(row => row.principal))
  const interest = sum(of.map(row => row.interest))
  return { principal, interest, due: add(principal, interest) }
}
