import { add, isPositive, lt, type Money, sub, sum } from '../money.ts'
import { diffDays, type EatDate } from '../time.ts'
import {
  type Amounts,
  amounts,
  type Component,
  components,
  isNothing,
  type Line,
  mapAmounts,
  totalOf,
  zero,
} from './components.ts'
import type { Installment } from './schedule.ts'

/** State of a bill, as the machine `plan` has it. */
export type BillStatus = 'pending' | 'partial' | 'paid' | 'extended' | 'cancelled'

/** One instalment of an order with what was paid and waived. Never changed in place: every rule returns a new bill. */
export type Bill = {
  billNo: string
  installmentNo: number
  dueDate: EatDate
  status: BillStatus
  /** Everything ever charged, penalties of reversed days excepted. */
  due: Amounts
  paid: Amounts
  waived: Amounts
  /** How often the bill has been put off, its predecessors included. */
  extensionCount?: number
}

/** A fresh bill of a schedule. */
export const openBill = (billNo: string, { installmentNo, dueDate, ...contract }: Installment): Bill => ({
  billNo,
  installmentNo,
  dueDate,
  status: 'pending',
  due: amounts(contract),
  paid: zero(),
  waived: zero(),
})

/** Whether anything may still be paid on a bill. */
export const isOpen = (bill: Bill): boolean => bill.status === 'pending' || bill.status === 'partial'

/** What is still owed on a bill, whatever its status. */
export const remaining = (bill: Bill): Amounts =>
  mapAmounts(bill.due, (due, component) => sub(sub(due, bill.paid[component]), bill.waived[component]))

/** What is left to pay of a bill, all components together. */
export const remainingTotal = (bill: Bill): Money => totalOf(remaining(bill))

/** What is still owed on the open bills. */
export const outstandingOf = (bills: readonly Bill[], of?: readonly Component[]): Money =>
  sum(bills.filter(isOpen).map(bill => totalOf(remaining(bill), of)))

/** Days past the due date: 0 on it, negative before, whatever the grace days. */
export const daysPastDue = (bill: Bill, businessDate: EatDate): number => diffDays(bill.dueDate, businessDate)

/** Days an open bill is overdue; 0 when it is not due yet or not open. */
export const overdueDays = (bill: Bill, businessDate: EatDate): number =>
  isOpen(bill) ? Math.max(0, daysPastDue(bill, businessDate)) : 0

/** Days overdue of an order: those of its oldest open bill. */
export const orderOverdueDays = (bills: readonly Bill[], businessDate: EatDate): number =>
  Math.max(0, ...bills.map(bill => overdueDays(bill, businessDate)))

/** Open bills, the oldest due date first: the order in which money reaches them. */
export const oldestFirst = (bills: readonly Bill[]): Bill[] =>
  bills
    .filter(isOpen)
    .sort((a, b) => (a.dueDate === b.dueDate ? a.installmentNo - b.installmentNo : a.dueDate < b.dueDate ? -1 : 1))

/** Puts lines on their bills as paid or waived; a bill with nothing left becomes paid, one that money reached partial. */
export const applyLines = (bills: readonly Bill[], lines: readonly Line[], as: 'paid' | 'waived'): Bill[] =>
  bills.map(bill => {
    const own = lines.filter(line => line.billNo === bill.billNo && isPositive(line.amount))
    if (own.length === 0) return bill
    const changed = { ...bill, [as]: { ...bill[as] } }
    for (const { component, amount } of own) changed[as][component] = add(changed[as][component], amount)
    const left = remaining(changed)
    if (!isOpen(bill) || components.some(component => lt(left[component], '0.00')))
      throw new RangeError(`${bill.billNo} does not owe that much`)
    return { ...changed, status: isNothing(left) ? 'paid' : as === 'paid' ? 'partial' : bill.status }
  })
