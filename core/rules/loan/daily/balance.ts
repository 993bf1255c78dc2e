import { add, Decimal, type Exact, isPositive, type Money, min, round, sub, sum, zeroMoney } from '../../money.ts'
import type { EatDate } from '../../time.ts'
import { interestBetween, lentOf } from './interest.ts'
import type { DailyTerms } from './terms.ts'

/** A loan between two days of its statement. */
export type Balance = {
  principal: Exact
  interest: Exact
  charges: Money
  /** Interest that has arisen in all. */
  arisen: Exact
  /** Interest that was asked for in all. */
  asked: Exact
  /** What was paid of principal and interest; charges are paid beside them. */
  paid: Money
  used: Set<'late' | 'failed'>
}

/** Interest that was agreed in advance: what the schedule asks for beyond what was lent. */
const agreedInterest = (terms: DailyTerms): Exact =>
  terms.method === 'addOn'
    ? new Decimal(sum(terms.schedule.map(each => each.amount))).minus(lentOf(terms))
    : new Decimal(0)

/** Whether nothing is owed any more. */
const isClosed = ({ principal, interest, charges }: Balance): boolean =>
  principal.isZero() && interest.isZero() && charges === zeroMoney

/** What settles a balance: add-on loans owe the interest that has arisen and not what was agreed. */
export const settlementOf = (terms: DailyTerms, balance: Balance): Money => {
  if (isClosed(balance)) return zeroMoney
  if (terms.method === 'addOn' && balance.principal.gt(0)) {
    const total = new Decimal(round(balance.arisen, terms.rounding)).plus(lentOf(terms)).minus(balance.paid)
    return add(round(total), balance.charges)
  }
  return add(add(round(balance.principal), round(balance.interest, terms.rounding)), balance.charges)
}

/** Where a payment goes. */
export type Parts = { charges: Money; interest: Money; principal: Money; closes: boolean }

/** Splits a payment: charges, interest, principal. Settling an add-on loan early gives agreed interest back. */
export const splitPayment = (terms: DailyTerms, balance: Balance, amount: Money, settlement: Money): Parts => {
  if (!isPositive(amount)) return { charges: zeroMoney, interest: zeroMoney, principal: amount, closes: false }
  const charges = min(amount, balance.charges)
  const rest = sub(amount, charges)
  const owedInterest = round(balance.interest, terms.rounding)
  const agreed = add(round(balance.principal), owedInterest)
  if (terms.method === 'addOn' && isPositive(sub(agreed, rest)) && !isPositive(sub(settlement, amount))) {
    const principal = round(balance.principal)
    return { charges, interest: sub(rest, principal), principal, closes: true }
  }
  const interest = min(rest, owedInterest)
  return { charges, interest, principal: sub(rest, interest), closes: interest === owedInterest }
}

/** A balance after a payment. What rounding leaves of interest that was paid in full is nobody's. */
export const settled = (balance: Balance, parts: Parts, amount: Money): Balance => ({
  ...balance,
  charges: sub(balance.charges, parts.charges),
  interest: parts.closes ? new Decimal(0) : balance.interest.minus(parts.interest),
  principal: balance.principal.minus(parts.principal),
  paid: add(balance.paid, sub(amount, parts.charges)),
})

/** Whether something is owed, nothing, or too much was paid. */
export const balanceStatus = (balance: Balance): 'open' | 'closed' | 'refundDue' => {
  if (balance.principal.lt(0)) return 'refundDue'
  return isClosed(balance) ? 'closed' : 'open'
}

/** Lets time pass to a day: interest arises, and from the last date on an add-on loan owes what arose beyond the agreement. */
export const passed = (
  terms: DailyTerms,
  balance: Balance,
  from: EatDate,
  to: EatDate,
): { balance: Balance; interest: Exact } => {
  const interest = interestBetween(terms, balance.principal, from, to, balance.arisen)
  const arisen = balance.arisen.plus(interest)
  if (terms.method === 'actuarial')
    return { balance: { ...balance, arisen, asked: arisen, interest: balance.interest.plus(interest) }, interest }
  const last = terms.schedule.at(-1)?.on ?? terms.start
  const beyond = to >= last && balance.principal.gt(0) ? Decimal.max(0, arisen.minus(balance.asked)) : new Decimal(0)
  // Fractions of a cent beyond the agreement are nobody's.
  const extra = new Decimal(round(beyond, terms.rounding))
  return {
    balance: { ...balance, arisen, asked: balance.asked.plus(extra), interest: balance.interest.plus(extra) },
    interest,
  }
}

/** What is owed on the payout day. */
export const openingBalance = (terms: DailyTerms): Balance => {
  const agreed = agreedInterest(terms)
  return {
    principal: lentOf(terms),
    interest: agreed,
    charges: zeroMoney,
    arisen: new Decimal(0),
    asked: agreed,
    paid: zeroMoney,
    used: new Set(),
  }
}
