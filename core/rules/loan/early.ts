import { Decimal, isPositive, max, min, round, sub, zeroMoney } from '../money.ts'
import { diffDays, type EatDate } from '../time.ts'
import { type Bill, isOpen, remaining } from './bill.ts'
import type { Line } from './components.ts'
import { periodDays, type Terms } from './terms.ts'

const timed = ['interest', 'serviceFee', 'managementFee'] as const

/**
 * What a settlement on a value date forgives under `proRata`: interest and spread fees of the days of each bill's period that are not used.
 * Nothing under `full`, and never more than what is still owed.
 */
export const unearned = (terms: Terms, bills: readonly Bill[], payoutDate: EatDate, valueDate: EatDate): Line[] => {
  if (terms.earlySettlement === 'full') return []
  const period = periodDays(terms)
  return bills.filter(isOpen).flatMap(bill => {
    const used = Math.min(Math.max(diffDays(payoutDate, valueDate) - (bill.installmentNo - 1) * period, 0), period)
    const left = remaining(bill)
    return timed
      .map(component => {
        const due = bill.due[component]
        const earned = round(new Decimal(due).times(used).div(period), terms.rounding)
        return { billNo: bill.billNo, component, amount: min(max(sub(due, earned), zeroMoney), left[component]) }
      })
      .filter(line => isPositive(line.amount))
  })
}
