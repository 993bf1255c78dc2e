import {
  type Applied,
  apply,
  type Bill,
  billsAt,
  contractLeft,
  isOpen,
  type Line,
  type Loan,
  left,
  leftOf,
  owed,
  taken,
  unused,
  type Waived,
} from './bills.ts'
import { type Cents, latest, percent, total } from './sums.ts'

export type Ask = {
  repayType: 'settle' | 'partial' | 'overpayment'
  valueDate: string
  today: string
  amounts: readonly Cents[]
  shortfallLimit: Cents
  principalLimit: Cents
}
export type Past = { records: readonly Applied[]; writtenOff: Cents; payout: Cents; lastValueDate: string | null }

export type Foreseen = {
  before: Bill[]
  settleAmount: Cents
  amount: Cents
  paid: Line[]
  waived: Waived[]
  overflow: Cents
  shortfall: Cents
  after: Bill[]
  outstandingAfter: Cents
  settled: boolean
  confirmGreater: boolean
  confirmLess: boolean
  /** The amount is exactly that of putting the oldest bill off. */
  extends: boolean
  refused: boolean
}

const putOff = (loan: Loan, bill: Bill | undefined): Cents | null => {
  if (!bill || loan.terms.extension.max < 1) return null
  const rest = left(bill)
  const unit = loan.terms.rounding.unit === '1' ? 100 : 1
  return percent(rest.principal, loan.terms.extension.feeRate, { unit }) + leftOf([bill]) - rest.principal
}

/** What a repayment does to a loan, by the words of the product alone. */
export const foresee = (loan: Loan, past: Past, ask: Ask): Foreseen => {
  const { repayType, valueDate } = ask
  const asOf = () => billsAt(loan, past.records, valueDate)
  const before = asOf()
  const amount = total(ask.amounts)
  const early = unused(loan, before, valueDate)
  const cheap = asOf()
  apply(cheap, early, 'waived')
  const settleAmount = leftOf(cheap.filter(isOpen))
  const bills = repayType === 'partial' ? asOf() : cheap

  const shortfall = repayType === 'settle' ? Math.max(settleAmount - amount, 0) : 0
  const forgivable = owed(bills, loan.terms.allocation).reverse()
  const others = taken(
    forgivable.filter(line => line.part !== 'principal'),
    shortfall,
  )
  const some = Math.min(others.rest, ask.principalLimit)
  const principal = taken(
    forgivable.filter(line => line.part === 'principal'),
    some,
  )
  const isCovered = shortfall <= ask.shortfallLimit && others.rest - (some - principal.rest) === 0
  const forgiven = isCovered ? [...others.lines, ...principal.lines] : []
  const contractual = contractLeft(cheap.filter(isOpen))
  apply(bills, forgiven, 'waived')
  const { lines: paid, rest: overflow } = taken(owed(bills, loan.terms.allocation), amount)

  const waived: Waived[] = [
    ...(repayType === 'partial' ? [] : early.map(line => ({ ...line, why: 'proRata' as const }))),
    ...forgiven.map(line => ({ ...line, why: 'shortfall' as const })),
  ]
  const day = latest(valueDate, ask.today)
  const after = billsAt(loan, [...past.records, { valueDate, paid, waived }], day)
  const extension = putOff(loan, before.find(isOpen))
  const tooSmall = repayType !== 'settle' && amount <= 0
  const tooEarly = valueDate < loan.payoutDate || (past.lastValueDate !== null && valueDate < past.lastValueDate)
  const refused =
    tooSmall ||
    tooEarly ||
    (repayType === 'settle' && (past.writtenOff + amount < past.payout || !isCovered)) ||
    (repayType === 'partial' && amount >= settleAmount) ||
    (repayType === 'overpayment' && settleAmount > 0 && amount <= settleAmount)
  return {
    before,
    settleAmount,
    amount,
    paid,
    waived,
    overflow,
    shortfall: total(waived.filter(line => line.why === 'shortfall').map(line => line.amount)),
    after,
    outstandingAfter: leftOf(after.filter(isOpen)),
    settled: after.every(bill => !isOpen(bill)),
    confirmGreater: repayType === 'settle' && past.writtenOff + amount > past.payout,
    confirmLess: repayType === 'settle' && (amount < contractual || shortfall > 0),
    extends: repayType === 'partial' && extension === amount,
    refused,
  }
}
