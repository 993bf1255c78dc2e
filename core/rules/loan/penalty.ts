import { add, isZero, lt, type Money, max, min, percent, round, sub, sum, zeroMoney } from '../money.ts'
import { addDays, daysBetween, type EatDate } from '../time.ts'
import { type Bill, daysPastDue, isOpen, remaining } from './bill.ts'
import { contractComponents, totalOf } from './components.ts'
import type { Terms } from './terms.ts'

/** What being late costs. */
export type Penalty = { lateFee: Money; liquidatedDamages: Money }
/** The penalty of one bill for one business date. */
export type Tick = Penalty & { businessDate: EatDate }

/** What an order may still be charged for lateness on a date when `charged` was charged before; null where the law sets no limit. */
export type LateRoom = (businessDate: EatDate, charged: Money) => Money | null

/** The penalties of some bills, paid and waived ones included. */
export const penaltiesOf = (bills: readonly Bill[]): Money =>
  sum(bills.flatMap(({ due }) => [due.lateFee, due.liquidatedDamages]))

/** The most late fee a bill can ever carry: a share of what the contract bills. */
export const lateFeeCap = (bill: Bill, terms: Terms): Money =>
  percent(totalOf(bill.due, contractComponents), terms.lateFee.capRate, terms.rounding)

/**
 * The penalty of a bill for one business date: late fee after the grace days until the cap, damages once after their days.
 * That a bill ticks once per date is for the caller to see to.
 * @param room the most that the law still allows to charge on the order; damages come after the late fee
 */
export const tick = (bill: Bill, terms: Terms, businessDate: EatDate, room: Money | null = null): Penalty => {
  if (!isOpen(bill)) return { lateFee: zeroMoney, liquidatedDamages: zeroMoney }
  const days = daysPastDue(bill, businessDate)
  const unpaid = totalOf(remaining(bill), contractComponents)
  const { basis, value, afterDays } = terms.liquidatedDamages
  const belowCap = max(sub(lateFeeCap(bill, terms), bill.due.lateFee), zeroMoney)
  const late = days > terms.graceDays && days > 0
  const damaged = days > afterDays && isZero(bill.due.liquidatedDamages) && !isZero(unpaid)
  const damages = basis === 'rate' ? percent(unpaid, value, terms.rounding) : round(value, terms.rounding)
  const lateFee = late ? min(percent(unpaid, terms.lateFee.ratePerDay, terms.rounding), belowCap) : zeroMoney
  return within(room, { lateFee, liquidatedDamages: damaged ? damages : zeroMoney })
}

const within = (room: Money | null, { lateFee, liquidatedDamages }: Penalty): Penalty => {
  if (room === null) return { lateFee, liquidatedDamages }
  const fee = min(lateFee, room)
  return { lateFee: fee, liquidatedDamages: min(liquidatedDamages, sub(room, fee)) }
}

const charge = (bill: Bill, by: (a: Money, b: Money) => Money, penalty: Penalty): Bill => ({
  ...bill,
  due: {
    ...bill.due,
    lateFee: by(bill.due.lateFee, penalty.lateFee),
    liquidatedDamages: by(bill.due.liquidatedDamages, penalty.liquidatedDamages),
  },
})

/** A bill with one more penalty on it. */
export const addPenalty = (bill: Bill, penalty: Penalty): Bill => charge(bill, add, penalty)

/** A limit of the law while a bill is charged: what the other bills of the order were charged counts against it too. */
export type Limit = { room: LateRoom; others: Money }
const unlimited: Limit = { room: () => null, others: zeroMoney }

/** Ticks a bill for every date from `from` to `to`, both included, except `done` dates; days that cost nothing are left out. */
export const accrue = (
  bill: Bill,
  terms: Terms,
  from: EatDate,
  to: EatDate,
  { done = [], limit = unlimited }: { done?: readonly EatDate[]; limit?: Limit } = {},
): { bill: Bill; ticks: Tick[] } => {
  const ticks: Tick[] = []
  let after = bill
  const first = from > bill.dueDate ? from : addDays(bill.dueDate, 1)
  for (const businessDate of isOpen(bill) ? daysBetween(first, to) : []) {
    if (done.includes(businessDate)) continue
    const penalty = tick(after, terms, businessDate, limit.room(businessDate, add(penaltiesOf([after]), limit.others)))
    if (isZero(penalty.lateFee) && isZero(penalty.liquidatedDamages)) continue
    ticks.push({ businessDate, ...penalty })
    after = addPenalty(after, penalty)
  }
  return { bill: after, ticks }
}

/** A bill as it stood on an earlier day. */
export type Rewound = {
  bill: Bill
  /** Ticks to reverse, the newest first. */
  reversed: Tick[]
  /** Later ticks that stay, since what they charged has been waived or paid already. */
  kept: Tick[]
}

/** Takes back the penalties dated after a value date, whole days at a time, the newest first. */
export const rewind = (bill: Bill, ticks: readonly Tick[], valueDate: EatDate): Rewound => {
  const later = ticks
    .filter(each => each.businessDate > valueDate)
    .sort((a, b) => (a.businessDate < b.businessDate ? 1 : -1))
  const reversed: Tick[] = []
  let before = bill
  for (const each of isOpen(bill) ? later : []) {
    const left = remaining(before)
    if (lt(left.lateFee, each.lateFee) || lt(left.liquidatedDamages, each.liquidatedDamages)) break
    before = charge(before, sub, each)
    reversed.push(each)
  }
  return { bill: before, reversed, kept: later.slice(reversed.length) }
}

/**
 * Recomputes, day by day, the penalties after a value date on what remained then.
 * @param bill as {@link rewind} answered it, with the payment of the value date on it
 */
export const reaccrue = (
  bill: Bill,
  terms: Terms,
  valueDate: EatDate,
  businessDate: EatDate,
  { kept = [], limit }: { kept?: readonly Tick[]; limit?: Limit } = {},
): { bill: Bill; ticks: Tick[] } =>
  accrue(bill, terms, addDays(valueDate, 1), businessDate, { done: kept.map(each => each.businessDate), limit })
