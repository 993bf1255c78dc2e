import { add, type Money, percent } from '../money.ts'
import { addDays, type EatDate } from '../time.ts'
import { type Bill, isOpen, overdueDays, remaining } from './bill.ts'
import { type Amounts, totalOf, zero } from './components.ts'
import type { Terms } from './terms.ts'

/** What putting a bill off costs and does. */
export type ExtensionQuote = {
  /** A share of the unpaid principal; extension income. */
  fee: Money
  /** Interest, fees and penalties that are paid with it; principal is 0 and moves to the successor. */
  due: Amounts
  /** `fee` plus everything in `due`. */
  amount: Money
  newDueDate: EatDate
}

/** The offer to put a bill off on a date, or null when its terms do not allow it. The bill carries its penalties up to that date. */
export const extensionQuote = (terms: Terms, bill: Bill, date: EatDate): ExtensionQuote | null => {
  const { feeRate, days, max, maxOverdueDays } = terms.extension
  if (!isOpen(bill) || (bill.extensionCount ?? 0) >= max) return null
  if (maxOverdueDays !== undefined && overdueDays(bill, date) > maxOverdueDays) return null
  const left = remaining(bill)
  const fee = percent(left.principal, feeRate, terms.rounding)
  const due = { ...left, principal: zero().principal }
  return { fee, due, amount: add(fee, totalOf(due)), newDueDate: addDays(bill.dueDate, days) }
}
