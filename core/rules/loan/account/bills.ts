import { add, type Money, sub, sum, zeroMoney } from '../../money.ts'
import type { EatDate } from '../../time.ts'
import { remaining } from '../bill.ts'
import { type Amounts, amounts, type Component, zero } from '../components.ts'
import type { Slot } from './order.ts'
import { type AccountBill, type Charge, restated, type State } from './state.ts'

/** An unpaid bill; its number is its kind and place. */
export const newBill = (
  facts: Pick<AccountBill, 'installmentNo' | 'from' | 'dueDate' | 'kind'>,
  due: Partial<Amounts>,
): AccountBill => ({
  ...facts,
  billNo: `${facts.kind}-${facts.installmentNo}`,
  status: 'pending',
  due: amounts(due),
  paid: zero(),
  waived: zero(),
  inAdvance: zeroMoney,
  late: zeroMoney,
  prepaid: [],
  lateInterest: zeroMoney,
  pool: zeroMoney,
})

/** A bill that asks for more, or for less, of some components. */
export const charged = (bill: AccountBill, more: Partial<Amounts>, on: EatDate): AccountBill => {
  const due = { ...bill.due }
  for (const [component, amount] of Object.entries(more) as [Component, Money][])
    due[component] = add(due[component], amount)
  return restated({ ...bill, due }, on)
}

/** A bill that asks for exactly this principal and interest. */
export const repriced = (bill: AccountBill, principal: Money, interest: Money, on: EatDate): AccountBill =>
  restated({ ...bill, due: { ...bill.due, principal, interest } }, on)

/** Bills of the schedule in order of their dates; what was charged after maturity comes after them. */
export const scheduled = (state: State): AccountBill[] => state.bills.filter(bill => bill.kind !== 'afterMaturity')

export const replaceBill = (state: State, bill: AccountBill): State => ({
  ...state,
  bills: state.bills.map(each => (each.billNo === bill.billNo ? bill : each)),
})

/** The first bill of the schedule that is not due before a day; the line after maturity, made or prolonged, when all are. */
export const billOn = (state: State, on: EatDate): { state: State; bill: AccountBill } => {
  const found = scheduled(state).find(bill => on <= bill.dueDate)
  if (found) return { state, bill: found }
  const extra = state.bills.find(bill => bill.kind === 'afterMaturity')
  if (extra) {
    const bill = { ...extra, dueDate: on > extra.dueDate ? on : extra.dueDate }
    return { state: replaceBill(state, bill), bill }
  }
  const last = state.bills.at(-1)
  const bill = newBill(
    {
      installmentNo: (last?.installmentNo ?? 0) + 1,
      from: last?.dueDate ?? on,
      dueDate: on,
      kind: 'afterMaturity',
    },
    {},
  )
  return { state: { ...state, bills: [...state.bills, bill] }, bill }
}

/** Puts money on bills and charges. */
export const applySlots = (state: State, lines: readonly Slot[], on: EatDate, as: 'paid' | 'waived'): State => {
  const bills = state.bills.map(bill => {
    const own = lines.filter(line => line.billNo === bill.billNo)
    if (own.length === 0) return bill
    const changed = { ...bill, [as]: { ...bill[as] } }
    for (const { component, amount } of own) {
      changed[as][component] = add(changed[as][component], amount)
      if (as === 'paid' && on < bill.dueDate) changed.inAdvance = add(changed.inAdvance, amount)
      if (as === 'paid' && on > bill.dueDate) changed.late = add(changed.late, amount)
    }
    return restated(changed, on)
  })
  const charges = state.charges.map((charge): Charge => {
    const own = lines.filter(line => line.chargeNo === charge.chargeNo && line.billNo === charge.billNo)
    return { ...charge, [as]: sum([charge[as], ...own.map(line => line.amount)]) }
  })
  return { ...state, bills, charges }
}

/** Principal of a bill that is still owed. */
export const principalLeft = (bill: AccountBill): Money => remaining(bill).principal

/** Principal that bills ask for in all, paid or not. */
export const principalDue = (bills: readonly AccountBill[]): Money =>
  sum(bills.map(bill => sub(bill.due.principal, bill.waived.principal)))
