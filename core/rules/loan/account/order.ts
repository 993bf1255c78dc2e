import { add, isPositive, type Money, sub } from '../../money.ts'
import type { EatDate } from '../../time.ts'
import { type Bill, isOpen, remaining } from '../bill.ts'
import { type Component, components, type Line } from '../components.ts'
import type { Charge } from './state.ts'

/** Which part of a debt a step takes: past its due date, due on the day, not yet due, due at all, or any. */
export type When = 'overdue' | 'due' | 'inAdvance' | 'now' | 'any'

/** The order in which money reaches a debt. What no step names comes last. */
export type AllocationOrder = {
  steps: readonly { when: When; components: readonly Component[] }[]
  /** Every step of a bill before the next bill (`bill`), every bill of a step (`step`), or one component of every bill (`component`). */
  walk: 'bill' | 'step' | 'component'
  /** Money in advance goes to the next bill, to the last one, or in equal parts to all; `next` unless given. */
  future?: 'next' | 'last' | 'spread'
}

const penalties = ['lateFee', 'liquidatedDamages'] as const
const fees = ['serviceFee', 'managementFee'] as const

/** Oldest bill first, inside it penalties, fees, interest and principal, due or not. */
export const oldestBillFirst: AllocationOrder = {
  walk: 'bill',
  steps: [{ when: 'any', components: [...penalties, ...fees, 'interest', 'principal'] }],
}

/** What is due in the order penalties, fees, interest, principal; then in advance principal before charges and interest. */
export const dueThenPrincipal: AllocationOrder = {
  walk: 'bill',
  steps: [
    { when: 'now', components: [...penalties, ...fees, 'interest', 'principal'] },
    { when: 'inAdvance', components: ['principal', ...penalties, ...fees, 'interest'] },
  ],
}

/** What is due before what is not, fees last in both. */
export const dueThenFeesLast: AllocationOrder = {
  walk: 'bill',
  steps: [
    { when: 'now', components: [...penalties, 'interest', 'principal', ...fees] },
    { when: 'inAdvance', components: [...penalties, 'interest', 'principal', ...fees] },
  ],
}

/** Overdue, due, in advance, each bill whole before the next. */
export const overdueDueAdvance: AllocationOrder = {
  walk: 'step',
  steps: (['overdue', 'due', 'inAdvance'] as const).map(when => ({
    when,
    components: [...penalties, ...fees, 'principal', 'interest'],
  })),
}

/** An amount that money can reach. */
export type Slot = Line & { chargeNo?: string; dueDate: EatDate }

const matches = (when: When, dueDate: EatDate, on: EatDate): boolean =>
  when === 'any' ||
  (when === 'overdue' && dueDate < on) ||
  (when === 'due' && dueDate === on) ||
  (when === 'now' && dueDate <= on) ||
  (when === 'inAdvance' && dueDate > on)

const left = ({ amount, paid, waived }: Charge): Money => sub(sub(amount, paid), waived)

const slotsOf = (bill: Bill, charges: readonly Charge[]): Slot[] =>
  components.flatMap((component): Slot[] => {
    const own = charges.filter(charge => charge.billNo === bill.billNo && charge.component === component)
    const charged = own.reduce((total, charge) => add(total, left(charge)), '0.00')
    const { billNo, dueDate } = bill
    return [
      ...own.map(charge => ({
        billNo,
        component,
        amount: left(charge),
        chargeNo: charge.chargeNo,
        dueDate: charge.dueDate,
      })),
      { billNo, component, amount: sub(remaining(bill)[component], charged), dueDate },
    ].sort((a, b) => (a.dueDate < b.dueDate ? -1 : a.dueDate > b.dueDate ? 1 : 0))
  })

const compare = (a: readonly number[], b: readonly number[]): number => {
  for (const [index, value] of a.entries()) if (value !== b[index]) return value - (b[index] ?? 0)
  return 0
}

/** Everything owed in the order in which a payment on a day reaches it. */
export const slotsInOrder = (
  bills: readonly Bill[],
  charges: readonly Charge[],
  { steps, walk, future = 'next' }: AllocationOrder,
  on: EatDate,
): Slot[] => {
  const open = bills
    .filter(isOpen)
    .sort((a, b) => (a.dueDate === b.dueDate ? a.installmentNo - b.installmentNo : a.dueDate < b.dueDate ? -1 : 1))
  return open
    .flatMap((bill, position) =>
      slotsOf(bill, charges).map((slot, index) => {
        const found = steps.findIndex(
          ({ when, components: of }) => matches(when, slot.dueDate, on) && of.includes(slot.component),
        )
        const step = found < 0 ? steps.length : found
        const component = steps[step]?.components.indexOf(slot.component) ?? index
        const place = future === 'last' && slot.dueDate > on ? 2 * open.length - position : position
        const key = {
          bill: [place, step, component],
          step: [step, place, component],
          component: [step, component, place],
        }[walk]
        return { slot, key: [...key, index] }
      }),
    )
    .filter(({ slot }) => isPositive(slot.amount))
    .sort((a, b) => compare(a.key, b.key))
    .map(({ slot }) => slot)
}
