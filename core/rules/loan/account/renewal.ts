import { add, type Money, split, sub, sum, zeroMoney } from '../../money.ts'
import { isOpen, remaining } from '../bill.ts'
import { type Amounts, amounts, sumAmounts, zero } from '../components.ts'
import { step } from '../plan/calendar.ts'
import { newBill } from './bills.ts'
import type { LoanEvent } from './events.ts'
import { recorded } from './money-in.ts'
import { type AccountBill, restated, type State } from './state.ts'

/** A bill that asks for no more than what reached it. */
const emptied = (bill: AccountBill, on: string): AccountBill => {
  const due: Amounts = { ...bill.due }
  const left = remaining(bill)
  for (const component of ['principal', 'interest'] as const) due[component] = sub(due[component], left[component])
  return restated({ ...bill, due }, on)
}

const parts = (bills: readonly AccountBill[]): { principal: Money; interest: Money } => {
  const left = sumAmounts(bills.map(remaining))
  return { principal: left.principal, interest: left.interest }
}

/** Everything unpaid of principal and interest is due anew in equal parts from a date on; charges stay where they are. */
export const reage = (state: State, event: Extract<LoanEvent, { type: 'reage' }>): State => {
  const { start, count, frequency, on } = event
  const moved = parts(state.bills.filter(isOpen))
  const [principal, interest] = [split(moved.principal, count), split(moved.interest, count)]
  const no = Math.max(0, ...state.bills.map(bill => bill.installmentNo))
  const fresh = Array.from({ length: count }, (_, index) =>
    newBill(
      {
        installmentNo: no + index + 1,
        from: index === 0 ? on : step(start, frequency, index - 1),
        dueDate: step(start, frequency, index),
        kind: 'reaged',
      },
      { principal: principal[index], interest: interest[index] },
    ),
  )
  const old = state.bills.map(bill => (isOpen(bill) ? emptied(bill, on) : bill))
  const total = add(moved.principal, moved.interest)
  return recorded({ ...state, bills: [...old, ...fresh] }, { ...event, amount: total }, amounts(moved), zeroMoney)
}

/**
 * Everything overdue of principal and interest is due with the bills to come, in equal parts.
 * @throws RangeError when no bill is to come
 */
export const reamortize = (state: State, event: Extract<LoanEvent, { type: 'reamortize' }>): State => {
  const { on } = event
  const past = state.bills.filter(bill => isOpen(bill) && bill.dueDate <= on)
  const later = state.bills.filter(bill => bill.kind !== 'afterMaturity' && bill.dueDate > on)
  if (later.length === 0) throw new RangeError('no bill is to come')
  const moved = parts(past)
  const [principal, interest] = [split(moved.principal, later.length), split(moved.interest, later.length)]
  const bills = state.bills.map(bill => {
    if (past.includes(bill)) return emptied(bill, on)
    const index = later.indexOf(bill)
    if (index < 0) return bill
    const due = {
      ...bill.due,
      principal: add(bill.due.principal, principal[index] ?? zeroMoney),
      interest: add(bill.due.interest, interest[index] ?? zeroMoney),
    }
    return restated({ ...bill, due }, on)
  })
  const amount = sum([moved.principal, moved.interest])
  return recorded({ ...state, bills }, { ...event, amount }, { ...zero(), ...moved }, zeroMoney)
}
