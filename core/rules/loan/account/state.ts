import { type Money, zeroMoney } from '../../money.ts'
import type { EatDate } from '../../time.ts'
import { type Bill, isOpen, outstandingOf, remaining } from '../bill.ts'
import { type Amounts, type Component, isNothing } from '../components.ts'
import type { DueDates } from '../plan/calendar.ts'
import type { PlanTerms } from '../plan/terms.ts'
import type { LoanEvent, PaymentKind } from './events.ts'
import type { AllocationOrder } from './order.ts'

/** What was agreed for one loan. */
export type Contract = {
  terms: PlanTerms
  dates: DueDates
  /** The order of payments, and those of other money where it differs. */
  order: AllocationOrder
  orders?: Partial<Record<PaymentKind, AllocationOrder>>
  /** A share of every payout that is due at once; `auto` pays it out of the payout. */
  downPayment?: { percent: string; auto: boolean }
  /** Interest follows what was really paid, and when. */
  recalculation?: {
    /** What money before its date changes: the installments to come get smaller, end sooner, or the next ones are skipped. */
    prepayment: 'lowerInstallment' | 'shortenTerm' | 'skipNext'
    /** Whether money works from its day or from the next due date. */
    rest: 'daily' | 'period'
    /** Whether overdue interest bears interest. */
    compounding: boolean
  }
}

/** A fee or penalty beside the schedule, with what became of it. */
export type Charge = {
  chargeNo: string
  component: Component
  dueDate: EatDate
  billNo: string
  amount: Money
  paid: Money
  waived: Money
}

/** A bill with what a statement says of it. */
export type AccountBill = Bill & {
  /** The day from which it bears interest. */
  from: EatDate
  kind: 'installment' | 'downPayment' | 'afterMaturity' | 'reaged'
  /** What was paid before and after its due date. */
  inAdvance: Money
  late: Money
  settledOn?: EatDate
  /** Principal paid before its date, on contracts that recalculate. */
  prepaid: readonly { on: EatDate; amount: Money }[]
  /** Interest of days on which an older bill was overdue. */
  lateInterest: Money
  /** Prepaid money that this and later bills need not ask for. */
  pool: Money
}

/** One line of an account's history. Positive amounts reduce a debt, except those of payouts, chargebacks and refunds. */
export type Transaction = {
  id: string
  type: LoanEvent['type']
  kind?: PaymentKind
  on: EatDate
  amount: Money
  /** The parts of the debt it moved. */
  split: Amounts
  /** What it added to, or took from, the customer's credit. */
  overpaid: Money
  /** Principal owed after it. */
  balance: Money
}

export type LoanStatus = 'approved' | 'active' | 'settled' | 'overpaid' | 'writtenOff'

/** A loan after some events. */
export type State = {
  bills: readonly AccountBill[]
  charges: readonly Charge[]
  transactions: readonly Transaction[]
  disbursed: Money
  /** Fees kept back from payouts. */
  upfront: readonly { chargeNo: string; component: Component; amount: Money; on: EatDate }[]
  /** What the customer has paid beyond the debt. */
  overpaid: Money
  /** The equal installment now, on contracts that recalculate. */
  level: Money
  /** The day up to which overdue interest is charged. */
  recalculatedOn?: EatDate
  /** The rate in force, percent in the contract's unit. */
  terms: PlanTerms
  chargedOffOn?: EatDate
  /** Whether it was expensed as fraud. */
  fraud?: boolean
  writtenOffOn?: EatDate
}

export const emptyState = ({ terms }: Contract): State => ({
  bills: [],
  charges: [],
  transactions: [],
  disbursed: zeroMoney,
  upfront: [],
  overpaid: zeroMoney,
  level: zeroMoney,
  terms,
})

/** What is owed, of some components or of all. */
export const owed = (state: State, of?: readonly Component[]): Money => outstandingOf(state.bills, of)

export const statusOf = (state: State): LoanStatus => {
  if (state.disbursed === zeroMoney) return 'approved'
  if (state.writtenOffOn) return 'writtenOff'
  if (state.overpaid !== zeroMoney) return 'overpaid'
  return owed(state) === zeroMoney ? 'settled' : 'active'
}

/** A bill whose status says what is left of it; `on` is the day on which it may have been settled. */
export const restated = (bill: AccountBill, on: EatDate): AccountBill => {
  if (!isNothing(remaining(bill)))
    return { ...bill, status: isNothing(bill.paid) ? 'pending' : 'partial', settledOn: undefined }
  return { ...bill, status: 'paid', settledOn: isOpen(bill) || !bill.settledOn ? on : bill.settledOn }
}
