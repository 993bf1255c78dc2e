import { add, Decimal, isPositive, type Money, max, min, round, sub, sum, zeroMoney } from '../../money.ts'
import type { EatDate } from '../../time.ts'
import { fill } from '../allocate.ts'
import { isOpen, remaining } from '../bill.ts'
import type { Component } from '../components.ts'
import { plainLevel } from '../plan/level.ts'
import { interestFactor } from '../plan/parts.ts'
import { factor } from '../plan/rate.ts'
import { applySlots, principalDue, principalLeft, replaceBill, repriced } from './bills.ts'
import { type Slot, slotsInOrder } from './order.ts'
import type { AccountBill, Contract, State } from './state.ts'

const installments = (state: State): AccountBill[] => state.bills.filter(bill => bill.kind === 'installment')
const periodOf = (bill: AccountBill) => ({ no: bill.installmentNo, from: bill.from, dueDate: bill.dueDate })

/** The bill whose period a day lies in; its due date still does. */
const running = (state: State, on: EatDate): AccountBill | undefined =>
  installments(state).find(bill => on <= bill.dueDate)

const overdueParts = ({ recalculation }: Contract): Component[] =>
  recalculation?.compounding ? ['principal', 'interest'] : ['principal']

/** Charges the running bill the interest of what has been overdue since its period began, or since the last time. Periods that are over stay as billed. */
const withOverdueInterest = (contract: Contract, state: State, on: EatDate): State => {
  const bill = running(state, on)
  if (!bill) return state
  const since = state.recalculatedOn && state.recalculatedOn > bill.from ? state.recalculatedOn : bill.from
  const overdue = sum(
    installments(state)
      .filter(each => isOpen(each) && each.dueDate <= bill.from)
      .flatMap(each => overdueParts(contract).map(component => remaining(each)[component])),
  )
  const interest = round(factor(state.terms, since, on).times(overdue), state.terms.rounding)
  return { ...replaceBill(state, { ...bill, lateInterest: add(bill.lateInterest, interest) }), recalculatedOn: on }
}

/** Interest of a period on the principal that runs through it, less what was prepaid from its day on. */
const interestOf = (contract: Contract, state: State, bill: AccountBill, opening: Money): Money => {
  const { terms } = state
  const prepaid = contract.recalculation?.rest === 'daily' ? bill.prepaid : []
  let balance = opening
  let at = bill.from
  let exact = new Decimal(0)
  for (const { on, amount } of prepaid.filter(each => each.on < bill.dueDate)) {
    exact = exact.plus(factor(terms, at, on).times(balance))
    balance = sub(balance, amount)
    at = on
  }
  const whole = at === bill.from ? interestFactor(terms, periodOf(bill)) : factor(terms, at, bill.dueDate)
  return add(round(exact.plus(whole.times(balance)), terms.rounding), bill.lateInterest)
}

/** What is prepaid takes from the installments to come as the contract says; the last bill repays what is left. */
const replan = (contract: Contract, state: State, from: AccountBill, on: EatDate): State => {
  const { prepayment } = contract.recalculation ?? { prepayment: 'lowerInstallment' }
  const { terms } = state
  const tail = installments(state).filter(bill => bill.installmentNo >= from.installmentNo)
  let opening = principalDue(tail)
  let { level } = state
  let { pool } = from
  const priced: AccountBill[] = []
  for (const [index, old] of tail.entries()) {
    const bill = { ...old, pool }
    const prepaid = sum(bill.prepaid.map(each => each.amount))
    const interest = interestOf(contract, state, bill, opening)
    const wanted = max(sub(level, interest), zeroMoney)
    const spared = min(pool, wanted)
    const planned = index === tail.length - 1 ? opening : min(sub(wanted, spared), opening)
    const early = sum(bill.prepaid.filter(each => each.on < bill.dueDate).map(each => each.amount))
    const principal = min(add(max(planned, early), sub(prepaid, early)), opening)
    const excess = sub(principal, planned)
    pool = prepayment === 'skipNext' ? add(sub(pool, spared), excess) : zeroMoney
    opening = sub(opening, principal)
    priced.push(repriced(bill, principal, interest, on))
    const later = tail.length - index - 1
    if (prepayment === 'lowerInstallment' && isPositive(excess) && later > 0) {
      const [first] = installments(state)
      const each = first ? interestFactor(terms, periodOf(first)) : new Decimal(0)
      level = round(plainLevel(opening, each, later), terms.installmentRounding ?? terms.rounding)
    }
    if (opening === zeroMoney && prepayment !== 'skipNext') break
  }
  const dropped = new Set(tail.slice(priced.length).map(bill => bill.billNo))
  const bills = state.bills
    .filter(bill => !dropped.has(bill.billNo))
    .map(bill => priced.find(each => each.billNo === bill.billNo) ?? bill)
  return { ...state, bills, level }
}

/** {@link withOverdueInterest}, with the installments to come priced anew. */
export const chargeOverdueInterest = (contract: Contract, state: State, on: EatDate): State => {
  const late = withOverdueInterest(contract, state, on)
  const bill = running(late, on)
  return bill ? replan(contract, late, bill, on) : late
}

/** What repays everything on a day: all that is due, the principal to come, and interest up to that day. */
export const payoffOn = (contract: Contract, state: State, on: EatDate): { amount: Money; interest: Money | null } => {
  const due = withOverdueInterest(contract, state, on)
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
  const cut = interestOf(contract, due, { ...bill, dueDate: on }, principalDue(tail))
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
