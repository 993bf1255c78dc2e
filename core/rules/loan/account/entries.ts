import { add, isNegative, isPositive, isZero, type Money, neg, sub, sum } from '../../money.ts'
import { totalOf } from '../components.ts'
import type { Transaction } from './state.ts'

/** What an account of the books is for; a chart of accounts gives each its number. */
export type Role =
  | 'principal'
  | 'receivable'
  | 'clearing'
  | 'credit'
  | 'goodwill'
  | 'loss'
  | 'fraudLoss'
  | 'interestLoss'
  | 'feeLoss'
  | 'recovery'

/** One line of an entry: debit above zero, credit below. */
export type EntryLine = { role: Role; amount: Money }

const charges = ['serviceFee', 'managementFee', 'lateFee', 'liquidatedDamages'] as const

/** The same account once, and none with nothing on it. */
const merged = (lines: readonly EntryLine[]): EntryLine[] =>
  [...new Set(lines.map(line => line.role))]
    .map(role => ({ role, amount: sum(lines.filter(line => line.role === role).map(line => line.amount)) }))
    .filter(line => !isZero(line.amount))

/** Money that reached a debt still in the books: it leaves the receivables and the customer's credit takes the rest. */
const received = ({ split, overpaid, amount }: Transaction, from: Role): EntryLine[] => [
  { role: from, amount },
  { role: 'principal', amount: neg(split.principal) },
  { role: 'receivable', amount: neg(sub(totalOf(split), split.principal)) },
  { role: 'credit', amount: neg(overpaid) },
]

/** Money on a debt that was expensed before: a recovery where the customer pays, the loss taken back where a partner does. */
const recovered = (line: Transaction): EntryLine[] => {
  const { split, overpaid, amount, kind } = line
  const fees = totalOf(split, charges)
  const credit: EntryLine = { role: 'credit', amount: neg(overpaid) }
  if (kind === 'repayment' || kind === 'downPayment')
    return [{ role: 'clearing', amount }, { role: 'recovery', amount: neg(sub(amount, overpaid)) }, credit]
  if (kind === 'goodwill')
    return [
      { role: 'goodwill', amount: add(split.principal, overpaid) },
      { role: 'interestLoss', amount: split.interest },
      { role: 'feeLoss', amount: fees },
      { role: 'recovery', amount: neg(sub(amount, overpaid)) },
      credit,
    ]
  return [
    { role: 'clearing', amount },
    { role: 'loss', amount: neg(split.principal) },
    { role: 'interestLoss', amount: neg(split.interest) },
    { role: 'feeLoss', amount: neg(fees) },
    credit,
  ]
}

/** Receivables leave the books at the cost of three kinds of loss. */
const lost = ({ split }: Transaction): EntryLine[] => [
  { role: 'principal', amount: neg(split.principal) },
  { role: 'receivable', amount: neg(sub(totalOf(split), split.principal)) },
  { role: 'loss', amount: split.principal },
  { role: 'interestLoss', amount: split.interest },
  { role: 'feeLoss', amount: totalOf(split, charges) },
]

const linesOf = (line: Transaction, chargedOff: boolean): EntryLine[] => {
  switch (line.type) {
    case 'disburse':
      return [
        { role: 'principal', amount: line.amount },
        { role: 'clearing', amount: neg(line.amount) },
      ]
    case 'repay':
      return chargedOff ? recovered(line) : received(line, line.kind === 'goodwill' ? 'goodwill' : 'clearing')
    case 'chargeback':
    case 'refundCredit':
      return [
        { role: 'principal', amount: line.split.principal },
        { role: 'credit', amount: neg(line.overpaid) },
        { role: 'clearing', amount: neg(line.amount) },
      ]
    case 'chargeOff':
    case 'writeOff':
      return chargedOff ? [] : lost(line)
    default:
      return []
  }
}

/**
 * What a line of history posts, by the role of the accounts; debits and credits are equal.
 * @param chargedOff whether the debt was expensed before this line
 * @param fraud whether it is, or was, expensed as fraud
 */
export const entryOf = (line: Transaction, chargedOff = false, fraud = false): EntryLine[] =>
  merged(
    linesOf(line, chargedOff).map(each =>
      fraud && each.role === 'loss' ? { ...each, role: 'fraudLoss' as const } : each,
    ),
  )

/** The lines of an entry as most charts print them. */
export const debitsAndCredits = (
  entry: readonly EntryLine[],
): { role: Role; debit: Money | null; credit: Money | null }[] =>
  entry.map(({ role, amount }) => ({
    role,
    debit: isPositive(amount) ? amount : null,
    credit: isNegative(amount) ? neg(amount) : null,
  }))
