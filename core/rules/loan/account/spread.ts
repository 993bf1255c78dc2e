import { isPositive, type Money, split, sub, sum, zeroMoney } from '../../money.ts'
import { fill } from '../allocate.ts'
import type { Slot } from './order.ts'

const rest = (slots: readonly Slot[], taken: readonly Slot[]): Slot[] => {
  const left = [...taken]
  return slots
    .map(slot => {
      const index = left.findIndex(each => each.component === slot.component && each.chargeNo === slot.chargeNo)
      const [line] = index < 0 ? [] : left.splice(index, 1)
      return { ...slot, amount: sub(slot.amount, line?.amount ?? zeroMoney) }
    })
    .filter(slot => isPositive(slot.amount))
}

/** Puts an amount on bills in equal parts, round after round, until it is used up or nothing is owed; `left` is what nothing takes. */
export const spread = (slots: readonly Slot[], amount: Money): { lines: Slot[]; left: Money } => {
  let bills = [...new Set(slots.map(slot => slot.billNo))].map(billNo => slots.filter(slot => slot.billNo === billNo))
  let left = amount
  const lines: Slot[] = []
  while (isPositive(left) && bills.length > 0) {
    const shares = split(left, bills.length)
    const rounds = bills.map((own, index) => ({ own, ...fill(own, shares[index] ?? zeroMoney) }))
    lines.push(...rounds.flatMap(each => each.lines))
    left = sum(rounds.map(each => each.left))
    bills = rounds.map(each => rest(each.own, each.lines)).filter(own => own.length > 0)
  }
  return { lines, left }
}
