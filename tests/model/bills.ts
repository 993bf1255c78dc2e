import type { Terms } from '../../core/rules/loan/terms.ts'
import { type Cents, cents, daysFrom, percent, plusDays, ratio, shares, total } from './sums.ts'

export const parts = ['lateFee', 'liquidatedDamages', 'serviceFee', 'managementFee', 'interest', 'principal'] as const
export type Part = (typeof parts)[number]
export type Sums = Record<Part, Cents>
export type Line = { bill: number; part: Part; amount: Cents }
export type Waived = Line & { why: 'proRata' | 'shortfall' }

/** What was written off on a value date; a loan is a payout and a list of these, everything else follows. */
export type Applied = { valueDate: string; paid: Line[]; waived: Waived[] }
export type Loan = {
  terms: Terms
  amount: Cents
  payoutDate: string
  /** Days on which nothing was charged, because the payout was being taken back. */
  spared: string[]
}
export type Bill = {
  no: number
  dueDate: string
  due: Sums
  paid: Sums
  waived: Sums
  touched: 'no' | 'waived' | 'paid'
}

const contract = ['serviceFee', 'managementFee', 'interest', 'principal'] as const satisfies readonly Part[]
export const nothing = (): Sums => Object.fromEntries(parts.map(part => [part, 0])) as Sums

export const left = (bill: Bill): Sums =>
  Object.fromEntries(parts.map(part => [part, bill.due[part] - bill.paid[part] - bill.waived[part]])) as Sums
const of = (sums: Sums, some: readonly Part[] = parts): Cents => total(some.map(part => sums[part]))
export const leftOf = (bills: readonly Bill[], some?: readonly Part[]): Cents =>
  total(bills.map(bill => of(left(bill), some)))
export const contractLeft = (bills: readonly Bill[]): Cents => leftOf(bills, contract)

export const statusOf = (bill: Bill): 'pending' | 'partial' | 'paid' => {
  if (bill.touched !== 'no' && of(left(bill)) === 0) return 'paid'
  return bill.touched === 'paid' ? 'partial' : 'pending'
}
export const isOpen = (bill: Bill): boolean => statusOf(bill) !== 'paid'

const unitOf = (terms: Terms): Cents => (terms.rounding.unit === '1' ? 100 : 1)

/** The two fees of a loan as they are taken: kept back in whole shillings, or owed in the bills. */
export const feesOf = (terms: Terms, amount: Cents, taken: 'upfront' | 'spread') => {
  const fee = (name: 'serviceFee' | 'managementFee'): Cents => {
    const { basis, value, taken: when } = terms[name]
    if (when !== taken) return 0
    const unit = when === 'upfront' ? 100 : unitOf(terms)
    return basis === 'rate' ? percent(amount, value, { unit }) : cents(value)
  }
  return { serviceFee: fee('serviceFee'), managementFee: fee('managementFee') }
}

/** The bills as the contract has them. */
export const billsOf = ({ terms, amount, payoutDate }: Loan): Bill[] => {
  const unit = unitOf(terms)
  const { installmentCount: count, termDays, interest } = terms
  const period = termDays / count
  const fees = feesOf(terms, amount, 'spread')
  const principal = shares(amount, count, unit)
  const serviceFee = shares(fees.serviceFee, count, unit)
  const managementFee = shares(fees.managementFee, count, unit)
  const whole = percent(amount, interest.ratePerDay, { times: termDays, unit })
  const each = percent(amount, interest.ratePerDay, { times: period, unit })
  return principal.map((share, index) => ({
    no: index + 1,
    dueDate: plusDays(payoutDate, (index + 1) * period),
    due: {
      ...nothing(),
      principal: share,
      interest: index < count - 1 ? each : whole - each * (count - 1),
      serviceFee: serviceFee[index] ?? 0,
      managementFee: managementFee[index] ?? 0,
    },
    paid: nothing(),
    waived: nothing(),
    touched: 'no' as const,
  }))
}

/** What one day of being late costs. */
const charge = (bill: Bill, terms: Terms, day: string): void => {
  const late = daysFrom(bill.dueDate, day)
  const unit = unitOf(terms)
  const unpaid = of(left(bill), contract)
  if (unpaid === 0) return
  const { lateFee, liquidatedDamages: damages, graceDays } = terms
  const cap = percent(of(bill.due, contract), lateFee.capRate, { unit })
  const room = Math.max(0, cap - bill.due.lateFee)
  const owes = late > damages.afterDays && bill.due.liquidatedDamages === 0
  if (late > graceDays) bill.due.lateFee += Math.min(room, percent(unpaid, lateFee.ratePerDay, { unit }))
  if (owes)
    bill.due.liquidatedDamages +=
      damages.basis === 'rate' ? percent(unpaid, damages.value, { unit }) : cents(damages.value)
}

export const apply = (bills: readonly Bill[], lines: readonly Line[], as: 'paid' | 'waived'): void => {
  for (const { bill: no, part, amount } of lines) {
    const bill = bills.find(one => one.no === no) as Bill
    bill[as][part] += amount
    if (as === 'paid' || bill.touched === 'no') bill.touched = as
  }
}

const applyRecord = (bills: readonly Bill[], { paid, waived }: Applied) => {
  apply(bills, waived, 'waived')
  apply(bills, paid, 'paid')
}

/** The bills at the end of a day: every day from the payout on lived through once more, with every record on its own day. */
export const billsAt = (loan: Loan, records: readonly Applied[], day: string): Bill[] => {
  const bills = billsOf(loan)
  const waiting = [...records]
  const first = plusDays(bills[0]?.dueDate ?? day, 1)
  for (let date = first; date <= day; date = plusDays(date, 1)) {
    while (waiting[0] && waiting[0].valueDate < date) applyRecord(bills, waiting.shift() as Applied)
    if (loan.spared.includes(date)) continue
    for (const bill of bills) if (date > bill.dueDate && isOpen(bill)) charge(bill, loan.terms, date)
  }
  for (const record of waiting) applyRecord(bills, record)
  return bills
}

/** Everything owed, in the order in which money reaches it. */
export const owed = (bills: readonly Bill[], order: readonly Part[]): Line[] =>
  bills.filter(isOpen).flatMap(bill => order.map(part => ({ bill: bill.no, part, amount: left(bill)[part] })))

/** Takes an amount out of lines one after the other. */
export const taken = (lines: readonly Line[], amount: Cents): { lines: Line[]; rest: Cents } => {
  let rest = amount
  const some: Line[] = []
  for (const line of lines) {
    const now = Math.min(rest, line.amount)
    if (now <= 0) continue
    some.push({ ...line, amount: now })
    rest -= now
  }
  return { lines: some, rest }
}

/** What paying on a day forgives of interest and fees that were not used up, where the terms forgive it. */
export const unused = ({ terms, payoutDate }: Loan, bills: readonly Bill[], day: string): Line[] => {
  if (terms.earlySettlement === 'full') return []
  const period = terms.termDays / terms.installmentCount
  return bills.filter(isOpen).flatMap(bill => {
    const used = Math.min(Math.max(daysFrom(payoutDate, day) - (bill.no - 1) * period, 0), period)
    return (['interest', 'serviceFee', 'managementFee'] as const)
      .map(part => {
        const earned = ratio(BigInt(bill.due[part]) * BigInt(used), BigInt(period), unitOf(terms))
        return { bill: bill.no, part, amount: Math.min(Math.max(bill.due[part] - earned, 0), left(bill)[part]) }
      })
      .filter(line => line.amount > 0)
  })
}
