import type { Money } from '../../money.ts'
import type { EatDate } from '../../time.ts'
import type { Component } from '../components.ts'
import type { Frequency } from '../plan/calendar.ts'

/** Whose money reduces the debt: it decides the order of allocation and the accounts that are posted. */
export const paymentKinds = ['repayment', 'downPayment', 'goodwill', 'merchantRefund', 'payoutRefund'] as const
export type PaymentKind = (typeof paymentKinds)[number]

/** What a percentage is of: the principal and interest of the whole loan, or of one installment where the charge is on each. */
export type ChargeBase = readonly ('principal' | 'interest')[]

/** A fee or penalty beside the schedule. */
export type ChargeEvent = {
  type: 'charge'
  chargeNo: string
  component: Exclude<Component, 'principal' | 'interest'>
  /** Money, or a percentage of `of`. */
  price: { amount: Money } | { percent: string; of: ChargeBase }
  /** `date` on one day, `installment` on each due date, `upfront` kept back from the payout and never owed. */
  when: { on: 'date'; dueDate: EatDate } | { on: 'installment' } | { on: 'upfront' }
}

/** A change of the schedule from one due date on. Counted in installments; a date moves the later ones with it. */
export type RescheduleEvent = {
  type: 'reschedule'
  from: EatDate
  dueDate?: EatDate
  extraTerms?: number
  principalGrace?: number
  interestGrace?: number
  /** Percent, in the unit of the contract's rate. */
  ratePercent?: string
}

/** What can happen to a loan. */
export type LoanEvent = {
  id: string
  /** Ties of one value date are settled by it: the order in which things were entered. */
  seq: number
  /** The day from which it counts. */
  on: EatDate
} & (
  | { type: 'disburse'; amount: Money }
  | { type: 'repay'; amount: Money; kind: PaymentKind }
  | ChargeEvent
  /** Forgives part of a charge. `charge` counts from the charge's own date, as if it had been smaller; `date` from the value date. */
  | { type: 'waiveCharge'; chargeNo: string; amount: Money; counts: 'charge' | 'date' }
  /** Money that a payer took back: it is owed again, after what was overpaid is used up. */
  | { type: 'chargeback'; amount: Money }
  /** Money that the customer had paid too much and gets back. */
  | { type: 'refundCredit'; amount: Money }
  /** The debt is expensed and still collected; fraud has its own account. */
  | { type: 'chargeOff'; fraud?: boolean }
  /** The debt is closed unpaid. */
  | { type: 'writeOff' }
  | RescheduleEvent
  /** Everything unpaid is due anew in equal parts. */
  | { type: 'reage'; start: EatDate; count: number; frequency: Frequency }
  /** Everything overdue is due with the later installments, in equal parts. */
  | { type: 'reamortize' }
  /** Interest of the days since the last one is computed on what is overdue; the day roll does it on contracts that recalculate. */
  | { type: 'recalculate' }
)

/** A waiver that counts from its charge stands right behind it. */
const place = (event: LoanEvent, all: readonly LoanEvent[]): { on: EatDate; seq: number } => {
  if (event.type !== 'waiveCharge' || event.counts === 'date') return event
  return all.find(other => other.type === 'charge' && other.chargeNo === event.chargeNo) ?? event
}

/** Events in the order in which they count: by value date, then as entered. */
export const inOrder = (events: readonly LoanEvent[]): LoanEvent[] =>
  events
    .map(event => ({ event, at: place(event, events) }))
    .sort((a, b) =>
      a.at.on === b.at.on ? a.at.seq - b.at.seq || a.event.seq - b.event.seq : a.at.on < b.at.on ? -1 : 1,
    )
    .map(({ event }) => event)
