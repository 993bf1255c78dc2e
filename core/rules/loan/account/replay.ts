import { gt, isPositive, type Money } from '../../money.ts'
import type { EatDate } from '../../time.ts'
import { charge, waiveCharge } from './charges.ts'
import { chargeOff, writeOff } from './closing.ts'
import { disburse } from './disburse.ts'
import { inOrder, type LoanEvent } from './events.ts'
import { chargeback, refundCredit, repay } from './money-in.ts'
import { payoffOn } from './recalculate.ts'
import { reage, reamortize } from './renewal.ts'
import { chargeOverdueInterest } from './replan.ts'
import { reschedule } from './reschedule.ts'
import { type Contract, emptyState, owed, type State, statusOf, type Transaction } from './state.ts'

/** A contract and what happened to it. The account is its history: everything else is computed from it. */
export type Account = {
  contract: Contract
  events: readonly LoanEvent[]
  /** What was taken back, with the day of that and what it had done until then. */
  reversed: readonly { event: LoanEvent; on: EatDate; transaction: Transaction | null }[]
}

const apply = (contract: Contract, state: State, event: LoanEvent): State => {
  switch (event.type) {
    case 'disburse':
      return disburse(contract, state, event)
    case 'repay':
      return repay(contract, state, event)
    case 'charge':
      return charge(state, event)
    case 'waiveCharge':
      return waiveCharge(state, event)
    case 'chargeback':
      return chargeback(state, event)
    case 'refundCredit':
      return refundCredit(state, event)
    case 'chargeOff':
      return chargeOff(state, event)
    case 'writeOff':
      return writeOff(state, event)
    case 'reschedule':
      return reschedule(contract, state, event)
    case 'reage':
      return reage(state, event)
    case 'reamortize':
      return reamortize(state, event)
    case 'recalculate':
      return contract.recalculation ? chargeOverdueInterest(contract, state, event.on) : state
  }
}

/** History by date: a waiver that counted from its charge stands on its own day, and moves no principal there. */
const byDate = (transactions: readonly Transaction[]): Transaction[] =>
  [...transactions]
    .sort((a, b) => (a.on < b.on ? -1 : a.on > b.on ? 1 : 0))
    .map((line, index, all) =>
      line.type === 'waiveCharge' ? { ...line, balance: all[index - 1]?.balance ?? line.balance } : line,
    )

/** The state of a loan from its history, whatever order the events are given in. */
export const replay = (contract: Contract, events: readonly LoanEvent[]): State => {
  const state = inOrder(events).reduce((after, event) => apply(contract, after, event), emptyState(contract))
  return { ...state, transactions: byDate(state.transactions) }
}

export const openAccount = (contract: Contract): Account => ({ contract, events: [], reversed: [] })

/** What a loan looks like now. */
export const stateOf = ({ contract, events }: Account): State => replay(contract, events)

/** Why something cannot happen to a loan. */
export type Refusal =
  | 'notPaidOut'
  | 'closed'
  | 'notPositive'
  | 'beforePayout'
  | 'notOverpaid'
  | 'unknownCharge'
  | 'unknownEvent'
  | 'duplicate'

const amountOf = (event: LoanEvent): Money | null => ('amount' in event ? event.amount : null)

/** Why an event cannot be posted, or null. */
export const refusalOf = (account: Account, event: LoanEvent): Refusal | null => {
  const state = stateOf(account)
  const amount = amountOf(event)
  if (account.events.some(other => other.id === event.id)) return 'duplicate'
  if (statusOf(state) === 'writtenOff') return 'closed'
  if (amount !== null && !isPositive(amount)) return 'notPositive'
  if (event.type === 'disburse') return null
  const paidOut = account.events.find(other => other.type === 'disburse')
  if (!paidOut) return 'notPaidOut'
  if (event.on < paidOut.on) return 'beforePayout'
  if (event.type === 'refundCredit' && gt(event.amount, state.overpaid)) return 'notOverpaid'
  if (event.type === 'waiveCharge' && !state.charges.some(each => each.chargeNo === event.chargeNo))
    return 'unknownCharge'
  return null
}

/**
 * An account with one more event. A trial is the state of this account, thrown away: there is no second computation.
 * @throws RangeError with the {@link Refusal} when it cannot be posted
 */
export const post = (account: Account, event: LoanEvent): Account => {
  const refusal = refusalOf(account, event)
  if (refusal) throw new RangeError(refusal)
  const next = { ...account, events: [...account.events, event] }
  stateOf(next)
  return next
}

/**
 * An account as if an event had never been; everything after it is replayed.
 * @throws RangeError when there is no such event, or the debt has been written off
 */
export const undo = (account: Account, id: string, on: EatDate): Account => {
  const event = account.events.find(each => each.id === id)
  if (!event) throw new RangeError('unknownEvent' satisfies Refusal)
  const state = stateOf(account)
  if (statusOf(state) === 'writtenOff' && event.type !== 'writeOff') throw new RangeError('closed' satisfies Refusal)
  const transaction = state.transactions.find(each => each.id === id) ?? null
  return {
    ...account,
    events: account.events.filter(each => each !== event),
    reversed: [...account.reversed, { event, on, transaction }],
  }
}

/** What settles a loan on a day: posted as a repayment it leaves nothing owed and nothing overpaid. */
export const settlementOn = (account: Account, on: EatDate): Money => {
  const state = stateOf(account)
  return account.contract.recalculation ? payoffOn(account.contract, state, on).amount : owed(state)
}
