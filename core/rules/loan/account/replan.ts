import { add, Decimal, isPositive, type Money, max, min, round, sub, sum, zeroMoney } from '../../money.ts'
import type { EatDate } from '../../time.ts'
import { isOpen, remaining } from '../bill.ts'
import type { Component } from '../components.ts'
import { plainLevel } from '../plan/level.ts'
import { interestFactor } from '../plan/parts.ts'
import { factor } from '../plan/rate.ts'
import { principalDue, replaceBill, repriced } from './bills.ts'
import type { AccountBill, Contract, State } from './state.ts'

/** Bills of the schedule. */
export const installments = (state: State): AccountBill[] => state.bills.filter(bill => bill.kind === 'installment')
const periodOf = (bill: AccountBill) => ({ no: bill.installmentNo, from: bill.from, dueDate: bill.dueDate })

/** The bill whose period a day lies in; its due date still does. */
export const running = (state: State, on: EatDate): AccountBill | undefined =>
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

/** Interest of a period on the principal that runs through it, less what was prepaid from its day on; up to its due date or a day before. */
export const interestOf = (
  contract: Contract,
  state: State,
  bill: AccountBill,
  opening: Money,
  until: EatDate = bill.dueDate,
): Money => {
  const { terms } = state
  const prepaid = contract.recalculation?.rest === 'daily' ? bill.prepaid : []
  let balance = opening
  let at = bill.from
  let exact = new Decimal(0)
  for (const { on, amount } of prepaid.filter(each => each.on < until)) {
    exact = exact.plus(factor(terms, at, on).times(balance))
    balance = sub(balance, amount)
    at = on
  }
  const regular = at === bill.from && until === bill.dueDate
  const whole = regular ? interestFactor(terms, periodOf(bill)) : factor(terms, at, until)
  return add(round(exact.plus(whole.times(balance)), terms.rounding), bill.lateInterest)
}

/** What is prepaid takes from the installments to come as the contract says; the last bill repays what is left. */
export const replan = (contract: Contract, state: State, from: AccountBill, on: EatDate): State => {
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

/** As {@link withOverdueInterest}, with the installments to come priced anew. */
export const chargeOverdueInterest = (contract: Contract, state: State, on: EatDate): State => {
  const late = withOverdueInterest(contract, state, on)
  const bill = running(late, on)
  return bill ? replan(contract, late, bill, on) : late
}
