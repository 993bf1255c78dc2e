import { add, type Money, min, percent, sub, sum, zeroMoney } from '../../money.ts'
import { diffDays, type EatDate } from '../../time.ts'
import { isOpen, remaining } from '../bill.ts'
import { zero } from '../components.ts'
import { billOn, charged, replaceBill, scheduled } from './bills.ts'
import type { LoanEvent } from './events.ts'
import { recorded } from './money-in.ts'
import type { AccountBill, Charge, State } from './state.ts'

type ChargeEvent = Extract<LoanEvent, { type: 'charge' }>

const priceOf = (state: State, { price }: ChargeEvent, bills: readonly AccountBill[]): Money => {
  if ('amount' in price) return price.amount
  const base = sum(bills.flatMap(bill => price.of.map(component => bill.due[component])))
  return percent(base, price.percent, state.terms.rounding)
}

const onBill = (state: State, event: ChargeEvent, bill: AccountBill, amount: Money, dueDate: EatDate): State => {
  const { chargeNo, component } = event
  const charge: Charge = {
    chargeNo,
    component,
    dueDate,
    billNo: bill.billNo,
    amount,
    paid: zeroMoney,
    waived: zeroMoney,
  }
  const owing = replaceBill(state, charged(bill, { [component]: amount }, event.on))
  return { ...owing, charges: [...state.charges, charge] }
}

/** Puts a fee or penalty on the bill of its due date, on every bill, or on none when it was kept back from the payout. */
export const charge = (state: State, event: ChargeEvent): State => {
  const { when, chargeNo, component, on } = event
  const all = scheduled(state)
  if (when.on === 'upfront') {
    const amount = priceOf(state, event, all)
    return { ...state, upfront: [...state.upfront, { chargeNo, component, amount, on }] }
  }
  if (when.on === 'date') {
    const { state: found, bill } = billOn(state, when.dueDate)
    return onBill(found, event, bill, priceOf(state, event, all), when.dueDate)
  }
  return all
    .filter(bill => bill.kind !== 'downPayment')
    .reduce((after, bill) => onBill(after, event, bill, priceOf(state, event, [bill]), bill.dueDate), state)
}

/** Forgives a charge as far as it is unpaid, its earliest bill first. */
export const waiveCharge = (state: State, event: Extract<LoanEvent, { type: 'waiveCharge' }>): State => {
  let left = event.amount
  const split = zero()
  let after = state
  for (const own of state.charges.filter(each => each.chargeNo === event.chargeNo)) {
    const amount = min(left, sub(sub(own.amount, own.paid), own.waived))
    left = sub(left, amount)
    split[own.component] = add(split[own.component], amount)
    after = waived(after, own, amount, event.on)
  }
  return recorded(after, { ...event, amount: sub(event.amount, left) }, split, zeroMoney)
}

const waived = (state: State, own: Charge, amount: Money, on: EatDate): State => {
  const bill = state.bills.find(each => each.billNo === own.billNo)
  if (!bill) return state
  const lighter = charged(
    { ...bill, waived: { ...bill.waived, [own.component]: add(bill.waived[own.component], amount) } },
    {},
    on,
  )
  return {
    ...replaceBill(state, lighter),
    charges: state.charges.map(each => (each === own ? { ...each, waived: add(each.waived, amount) } : each)),
  }
}

/** What being late costs: a percentage of what is unpaid of some components, once per bill, due with the bill. */
export type OverdueCharge = {
  component: ChargeEvent['component']
  percent: string
  of: ('principal' | 'interest')[]
  graceDays: number
}

/** The charges that bills have earned by a day and do not carry yet, ready to be posted. */
export const overdueCharges = (
  state: State,
  { component, percent: rate, of, graceDays }: OverdueCharge,
  on: EatDate,
): { chargeNo: string; component: ChargeEvent['component']; amount: Money; dueDate: EatDate }[] =>
  scheduled(state)
    .filter(bill => isOpen(bill) && diffDays(bill.dueDate, on) > graceDays)
    .filter(bill => !state.charges.some(each => each.chargeNo === `late-${bill.billNo}`))
    .map(bill => ({
      chargeNo: `late-${bill.billNo}`,
      component,
      amount: percent(sum(of.map(part => remaining(bill)[part])), rate, state.terms.rounding),
      dueDate: bill.dueDate,
    }))
