import { zeroMoney } from '../../money.ts'
import { isOpen, remaining } from '../bill.ts'
import { sumAmounts, totalOf } from '../components.ts'
import { applySlots } from './bills.ts'
import type { LoanEvent } from './events.ts'
import { recorded } from './money-in.ts'
import { oldestBillFirst, slotsInOrder } from './order.ts'
import type { State } from './state.ts'

/** Everything owed becomes a loss in the books; the customer owes it still. */
export const chargeOff = (state: State, event: Extract<LoanEvent, { type: 'chargeOff' }>): State => {
  const split = sumAmounts(state.bills.filter(isOpen).map(remaining))
  return recorded(
    { ...state, chargedOffOn: event.on, fraud: event.fraud },
    { ...event, amount: totalOf(split) },
    split,
    zeroMoney,
  )
}

/** Everything owed is given up; the account is closed for good. */
export const writeOff = (state: State, event: Extract<LoanEvent, { type: 'writeOff' }>): State => {
  const slots = slotsInOrder(state.bills, state.charges, oldestBillFirst, event.on)
  const split = sumAmounts(state.bills.filter(isOpen).map(remaining))
  const closed = { ...applySlots(state, slots, event.on, 'waived'), writtenOffOn: event.on }
  return recorded(closed, { ...event, amount: totalOf(split) }, split, zeroMoney)
}
