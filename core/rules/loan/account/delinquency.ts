import { add, type Money, zeroMoney } from '../../money.ts'
import { addDays, diffDays, type EatDate } from '../../time.ts'
import { type Bill, daysPastDue, isOpen, remainingTotal } from '../bill.ts'

/** A class of lateness by days, both ends included; the last has no end. */
export type DelinquencyRange = { name: string; from: number; to?: number }

/** Days on which lateness stands still; the first day still counts. */
export type Pause = { from: EatDate; to: EatDate }

/** How late a debt is. `delinquentDays` begin after the grace days and leave pauses out; `pastDueDays` do neither. */
export type Delinquency = {
  pastDueDays: number
  delinquentDays: number
  /** The day from which it counts as late; null when nothing is. */
  delinquentDate: EatDate | null
  range: string | null
}

const none: Delinquency = { pastDueDays: 0, delinquentDays: 0, delinquentDate: null, range: null }

/** Days of a span that lie in pauses; the first day of a pause is not one of them. */
const paused = (pauses: readonly Pause[], from: EatDate, to: EatDate): number =>
  pauses.reduce((days, pause) => {
    const begin = pause.from > from ? pause.from : from
    const end = pause.to < to ? pause.to : to
    return days + Math.max(0, diffDays(begin, end))
  }, 0)

const rangeOf = (ranges: readonly DelinquencyRange[], days: number): string | null =>
  ranges.find(({ from, to = Number.POSITIVE_INFINITY }) => days >= from && days <= to)?.name ?? null

const late = (
  dueDate: EatDate,
  on: EatDate,
  ranges: readonly DelinquencyRange[],
  graceDays: number,
  pauses: readonly Pause[],
): Delinquency => {
  const delinquentDate = addDays(dueDate, graceDays)
  const days = diffDays(delinquentDate, on)
  const delinquentDays = Math.max(0, days - paused(pauses, delinquentDate, on))
  return {
    pastDueDays: diffDays(dueDate, on),
    delinquentDays,
    delinquentDate: days > 0 ? delinquentDate : null,
    range: rangeOf(ranges, delinquentDays),
  }
}

/** The lateness of a loan: that of its oldest open bill that is past its date. */
export const delinquencyOf = (
  bills: readonly Bill[],
  on: EatDate,
  {
    ranges,
    graceDays = 0,
    pauses = [],
  }: { ranges: readonly DelinquencyRange[]; graceDays?: number; pauses?: readonly Pause[] },
): Delinquency => {
  const dates = bills.filter(bill => isOpen(bill) && daysPastDue(bill, on) > 0).map(bill => bill.dueDate)
  const [oldest] = dates.sort()
  return oldest === undefined ? none : late(oldest, on, ranges, graceDays, pauses)
}

/** What is unpaid of the bills of every class, each by its own date. */
export const delinquencyByBill = (
  bills: readonly Bill[],
  on: EatDate,
  {
    ranges,
    graceDays = 0,
    pauses = [],
  }: { ranges: readonly DelinquencyRange[]; graceDays?: number; pauses?: readonly Pause[] },
): { range: string; amount: Money }[] => {
  const overdue = bills.filter(bill => isOpen(bill) && daysPastDue(bill, on) > 0)
  return ranges
    .map(range => ({
      range: range.name,
      amount: overdue
        .filter(bill => late(bill.dueDate, on, ranges, graceDays, pauses).range === range.name)
        .reduce((total, bill) => add(total, remainingTotal(bill)), zeroMoney),
    }))
    .filter(({ amount }) => amount !== zeroMoney)
}
