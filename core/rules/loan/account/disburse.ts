import { add, type Money, percent, round, sub, zeroMoney } from '../../money.ts'
import type { EatDate } from '../../time.ts'
import { zero } from '../components.ts'
import { levelOf } from '../plan/declining.ts'
import { plan } from '../plan/plan.ts'
import { factor } from '../plan/rate.ts'
import { type Period, type PlanRow, periodsOf } from '../plan/terms.ts'
import { newBill, principalDue, repriced, scheduled } from './bills.ts'
import type { LoanEvent } from './events.ts'
import { recorded, repay } from './money-in.ts'
import type { AccountBill, Contract, State } from './state.ts'

type Disburse = Extract<LoanEvent, { type: 'disburse' }>

const installment = (row: PlanRow, shift: number): AccountBill => {
  const { no, from, dueDate, principal, interest } = row
  const bill = newBill({ installmentNo: no + shift, from, dueDate, kind: 'installment' }, {})
  return repriced(bill, principal, interest, from)
}

/** Makes the bills. */
const firstPayout = (contract: Contract, state: State, lent: Money, down: AccountBill[], on: EatDate): State => {
  const periods = periodsOf(contract.dates)
  const rows = plan(contract.terms, lent, periods)
  const rounding = contract.terms.installmentRounding ?? contract.terms.rounding
  const level =
    contract.terms.method === 'declining' ? round(levelOf(contract.terms, lent, periods), rounding) : zeroMoney
  const bills = [...down, ...rows.map(row => installment(row, down.length))]
  return { ...state, bills, level, recalculatedOn: on }
}

/** The bills to come carry the new money too; in the running period it bears interest from its day. */
const laterPayout = (_: Contract, state: State, lent: Money, down: AccountBill[], on: EatDate): State => {
  const tail = scheduled(state).filter(bill => bill.kind === 'installment' && bill.dueDate > on)
  if (tail.length === 0) throw new RangeError('nothing is due after this payout')
  const periods = tail.map((bill): Period => ({ no: bill.installmentNo, from: bill.from, dueDate: bill.dueDate }))
  const rows = plan(state.terms, add(principalDue(tail), lent), periods, add(state.disbursed, lent))
  const [first] = periods
  const unused =
    first && state.terms.accrual === 'daily' && state.terms.method === 'declining'
      ? round(factor(state.terms, first.from, on).times(lent), state.terms.rounding)
      : zeroMoney
  const again = new Map(
    rows.map((row, index) => [row.no, { ...row, interest: index === 0 ? sub(row.interest, unused) : row.interest }]),
  )
  const bills = state.bills.map(bill => {
    const row = bill.kind === 'installment' ? again.get(bill.installmentNo) : undefined
    return row ? repriced(bill, row.principal, row.interest, on) : bill
  })
  const all = [...bills, ...down].sort((a, b) => (a.dueDate < b.dueDate ? -1 : a.dueDate > b.dueDate ? 1 : 0))
  return { ...state, bills: all }
}

/**
 * Pays out: the first time it makes the bills, later ones lie on the bills to come. A down payment is due at once, and paid at once where the
 * contract says so.
 * @throws RangeError when a later payout comes after the last due date
 */
export const disburse = (contract: Contract, state: State, event: Disburse): State => {
  const { amount, on } = event
  const share = contract.downPayment
    ? percent(amount, contract.downPayment.percent, contract.terms.rounding)
    : zeroMoney
  const facts = { installmentNo: state.bills.length + 1, from: on, dueDate: on, kind: 'downPayment' as const }
  const down = share === zeroMoney ? [] : [newBill(facts, { principal: share })]
  const first = state.disbursed === zeroMoney
  const planned = (first ? firstPayout : laterPayout)(contract, state, sub(amount, share), down, on)
  const paidOut = recorded({ ...planned, disbursed: add(state.disbursed, amount) }, event, zero(), zeroMoney)
  if (!contract.downPayment?.auto) return paidOut
  return repay(contract, paidOut, {
    ...event,
    id: `${event.id}-down`,
    type: 'repay',
    kind: 'downPayment',
    amount: share,
  })
}
