import { add, isPositive, type Money, max, min, sub, sum, zeroMoney } from '../../money.ts'
import type { EatDate } from '../../time.ts'
import { fill } from '../allocate.ts'
import { isOpen, remaining } from '../bill.ts'
import { applySlots, principalDue, principalLeft, replaceBill, repriced } from './bills.ts'
import { type Slot, slotsInOrder } from './order.ts'
import { chargeOverdueInterest, installments, interestOf, replan, running } from './replan.ts'
import type { Contract, State } from './state.ts'

/** What repays everything on a day: all that is due, the principal to come, and interest up to that day. */
export const payoffOn = (contract: Contract, state: State, on: EatDate): { amount: Money; interest: Money | null } => {
  const due = chargeOverdueInterest(contract, state, on)
  const bill = running(due, on)
  const open = due.bills.filter(isOpen)
  const past = sum(open.filter(each => each.dueDate <= on).flatMap(each => Object.values(remaining(each))))
  const later = open.filter(each => each.dueDate > on)
  const charges = sum(
    later.flatMap(each => {
      const { principal, interest, ...rest } = remaining(each)
      return Object.values(rest)
    }),
  )
  const principal = sum(later.map(principalLeft))
  if (!bill || bill.dueDate <= on) return { amount: sum([past, principal, charges]), interest: null }
  const tail = installments(due).filter(each => each.installmentNo >= bill.installmentNo)
  const opening = principalDue(tail)
  const cut = min(interestOf(contract, due, bill, opening, on), interestOf(contract, due, bill, opening))
  const interest = max(sub(cut, bill.paid.interest), zeroMoney)
  return { amount: sum([past, principal, interest, charges]), interest: cut }
}

/** Everything to come becomes one bill of the running period, with interest up to the day. */
const closed = (state: State, on: EatDate, interest: Money): State => {
  const bill = running(state, on)
  if (!bill) return state
  const tail = installments(state).filter(each => each.installmentNo > bill.installmentNo)
  const principal = add(bill.due.principal, principalDue(tail))
  const kept = repriced(bill, principal, max(interest, bill.paid.interest), on)
  const gone = new Set(tail.map(each => each.billNo))
  return { ...replaceBill(state, kept), bills: replaceBill(state, kept).bills.filter(each => !gone.has(each.billNo)) }
}

/** Takes a payment on a contract that recalculates: what is due first, the rest off the principal to come. */
export const reprice = (
  contract: Contract,
  before: State,
  { on, amount }: { on: EatDate; amount: Money },
): { state: State; lines: Slot[]; left: Money } => {
  const payoff = payoffOn(contract, before, on)
  const state = chargeOverdueInterest(contract, before, on)
  const finish = (of: State, lines: readonly Slot[], left: Money) => ({
    state: applySlots(of, lines, on, 'paid'),
    lines: [...lines],
    left,
  })
  if (payoff.interest !== null && !isPositive(sub(payoff.amount, amount))) {
    const whole = closed(state, on, payoff.interest)
    const taken = fill(slotsInOrder(whole.bills, whole.charges, contract.order, on), amount)
    return finish(whole, taken.lines, taken.left)
  }
  const slots = slotsInOrder(state.bills, state.charges, contract.order, on).filter(slot => slot.dueDate <= on)
  const due = fill(slots, amount)
  const paid = applySlots(state, due.lines, on, 'paid')
  const bill = running(paid, on)
  if (!bill) {
    const rest = fill(slotsInOrder(paid.bills, paid.charges, contract.order, on), due.left)
    const again = applySlots(paid, rest.lines, on, 'paid')
    return { state: again, lines: [...due.lines, ...rest.lines], left: rest.left }
  }
  const ahead = installments(paid).filter(each => each.installmentNo >= bill.installmentNo)
  const early = min(due.left, sum(ahead.map(principalLeft)))
  const prepaid = isPositive(early) ? [...bill.prepaid, { on, amount: early }] : bill.prepaid
  const planned = replan(contract, replaceBill(paid, { ...bill, prepaid }), { ...bill, prepaid }, on)
  const line: Slot = { billNo: bill.billNo, component: 'principal', amount: early, dueDate: bill.dueDate }
  const all = isPositive(early) ? [line] : []
  return {
    state: applySlots(planned, all, on, 'paid'),
    lines: [...due.lines, ...all],
    left: sub(due.left, early),
  }
}
