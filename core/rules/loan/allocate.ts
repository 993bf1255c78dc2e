import { isNegative, isPositive, type Money, max, min, sub, zeroMoney } from '../money.ts'
import { applyLines, type Bill, oldestFirst, remaining } from './bill.ts'
import type { Amounts, Component, Line } from './components.ts'
import type { Terms } from './terms.ts'

/**
 * Takes an amount out of slots one after the other; what no slot can take is left.
 * @throws RangeError when the amount is negative
 */
export const fill = <Slot extends Line>(slots: readonly Slot[], amount: Money): { lines: Slot[]; left: Money } => {
  if (isNegative(amount)) throw new RangeError(`nothing can be taken out of ${amount}`)
  const lines: Slot[] = []
  let left = amount
  for (const slot of slots) {
    const taken = min(left, slot.amount)
    if (!isPositive(taken)) continue
    lines.push({ ...slot, amount: taken })
    left = sub(left, taken)
  }
  return { lines, left }
}

/** Everything owed, in the order in which money reaches it: oldest bill first, inside a bill the product's order. */
const owed = (bills: readonly Bill[], order: readonly Component[]): Line[] =>
  oldestFirst(bills).flatMap(bill => {
    const left = remaining(bill)
    return order.map(component => ({ billNo: bill.billNo, component, amount: left[component] }))
  })

type Order = Pick<Terms, 'allocation'>

/** Where an amount goes: `lines` plus `overflow` are the amount exactly. */
export type Allocation = { lines: Line[]; overflow: Money; after: Bill[] }

/** Puts money on bills. */
export const allocate = (bills: readonly Bill[], terms: Order, amount: Money): Allocation => {
  const { lines, left } = fill(owed(bills, terms.allocation), amount)
  return { lines, overflow: left, after: applyLines(bills, lines, 'paid') }
}

/** What is forgiven: `uncovered` is the part of the shortfall that may not be. */
export type Waiver = { lines: Line[]; uncovered: Money; after: Bill[] }

/** Forgives a shortfall: what money would reach last goes first, principal only after everything else and up to `principalLimit` in all. */
export const waive = (
  bills: readonly Bill[],
  terms: Order,
  shortfall: Money,
  { principalLimit = zeroMoney }: { principalLimit?: Money } = {},
): Waiver => {
  const slots = owed(bills, terms.allocation).reverse()
  const others = fill(
    slots.filter(slot => slot.component !== 'principal'),
    shortfall,
  )
  const allowed = min(others.left, max(principalLimit, zeroMoney))
  const principal = fill(
    slots.filter(slot => slot.component === 'principal'),
    allowed,
  )
  const lines = [...others.lines, ...principal.lines]
  return { lines, uncovered: sub(others.left, sub(allowed, principal.left)), after: applyLines(bills, lines, 'waived') }
}

/** A discount of a coupon: on interest alone, or on interest and fees; never on principal or penalties. */
export type Discount = { amount: Money; interestOnly: boolean }

const discounted = (of: Discount): readonly Component[] =>
  of.interestOnly ? ['interest'] : ['interest', 'serviceFee', 'managementFee']

/** Spends a discount: one on interest on the oldest bill alone, another from the oldest bill on; what is not owed stays unspent. */
export const discount = (bills: readonly Bill[], terms: Order, of: Discount): { lines: Line[]; after: Bill[] } => {
  const [oldest] = oldestFirst(bills)
  const slots = owed(bills, terms.allocation).filter(
    slot => discounted(of).includes(slot.component) && (!of.interestOnly || slot.billNo === oldest?.billNo),
  )
  const { lines } = fill(slots, of.amount)
  return { lines, after: applyLines(bills, lines, 'waived') }
}

/** Spends a granted exemption, per component on the oldest bill first and never on principal; what is not owed stays unspent. */
export const exempt = (
  bills: readonly Bill[],
  terms: Order,
  granted: Partial<Amounts>,
): { lines: Line[]; after: Bill[] } => {
  const slots = owed(bills, terms.allocation)
  const lines = terms.allocation
    .filter(component => component !== 'principal')
    .flatMap(
      component =>
        fill(
          slots.filter(slot => slot.component === component),
          granted[component] ?? zeroMoney,
        ).lines,
    )
  return { lines, after: applyLines(bills, lines, 'waived') }
}
