import { add, type Money, min, neg, sub, zeroMoney } from '../../money.ts'
import type { EatDate } from '../../time.ts'
import { fill } from '../allocate.ts'
import { type Amounts, amounts, amountsOf, zero } from '../components.ts'
import { applySlots, billOn, charged, replaceBill } from './bills.ts'
import type { LoanEvent, PaymentKind } from './events.ts'
import { type Slot, slotsInOrder } from './order.ts'
import { reprice } from './recalculate.ts'
import { spread } from './spread.ts'
import { type Contract, owed, type State, type Transaction } from './state.ts'

type Facts = Pick<Transaction, 'id' | 'type' | 'kind' | 'on' | 'amount'>

/** Writes a line of history: what it moved, and the principal owed after it. */
export const recorded = (
  state: State,
  { id, type, kind, on, amount }: Facts,
  split: Amounts,
  overpaid: Money,
): State => ({
  ...state,
  overpaid: add(state.overpaid, overpaid),
  transactions: [
    ...state.transactions,
    { id, type, kind, on, amount, split, overpaid, balance: owed(state, ['principal']) },
  ],
})

/** Where an amount goes on a day in the contract's order; `left` is what nothing is owed for. */
export const reach = (
  contract: Contract,
  state: State,
  kind: PaymentKind,
  on: EatDate,
  amount: Money,
): { lines: Slot[]; left: Money } => {
  const order = contract.orders?.[kind] ?? contract.order
  const slots = slotsInOrder(state.bills, state.charges, order, on)
  if (order.future !== 'spread') return fill(slots, amount)
  const now = fill(
    slots.filter(slot => slot.dueDate <= on),
    amount,
  )
  const later = spread(
    slots.filter(slot => slot.dueDate > on),
    now.left,
  )
  return { lines: [...now.lines, ...later.lines], left: later.left }
}

type Repay = Extract<LoanEvent, { type: 'repay' }>

/** Takes a payment: on what is owed, on the schedule to come where the contract recalculates, and the rest to the customer's credit. */
export const repay = (contract: Contract, state: State, event: Repay): State => {
  const { kind, on, amount } = event
  if (contract.recalculation) {
    const { state: paid, lines, left } = reprice(contract, state, event)
    return recorded(paid, event, amountsOf(lines), left)
  }
  const { lines, left } = reach(contract, state, kind, on, amount)
  return recorded(applySlots(state, lines, on, 'paid'), event, amountsOf(lines), left)
}

/** Money that leaves again: from the customer's credit first, the rest is owed as principal of the day. */
const takenBack = (state: State, event: Facts): State => {
  const credit = min(state.overpaid, event.amount)
  const debt = sub(event.amount, credit)
  if (debt === zeroMoney) return recorded(state, event, zero(), neg(credit))
  const { state: found, bill } = billOn(state, event.on)
  const owing = replaceBill(found, charged(bill, { principal: debt }, event.on))
  return recorded(owing, event, amounts({ principal: debt }), neg(credit))
}

/** A payer took money back. */
export const chargeback = (state: State, event: Extract<LoanEvent, { type: 'chargeback' }>): State =>
  takenBack(state, event)

/** The customer gets credit back; what an undone payment left uncovered is owed again. */
export const refundCredit = (state: State, event: Extract<LoanEvent, { type: 'refundCredit' }>): State =>
  takenBack(state, event)
