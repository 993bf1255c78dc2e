import { add, Decimal, type Exact, isPositive, type Money, min, round, sub, sum, zeroMoney } from '../../money.ts'
import { diffDays, type EatDate } from '../../time.ts'
import { chargesOn, dueOn, type PaymentStatus, paymentStatus } from './due.ts'
import { interestBetween, lentOf } from './interest.ts'
import type { Asked, DailyEvent, DailyTerms } from './terms.ts'

/** One day of a statement. Interest is unrounded as long as nobody pays or quotes it. */
export type StatementLine = {
  on: EatDate
  /** Days since the payout. */
  day: number
  asked?: Asked
  due: Money
  status?: PaymentStatus
  /** What was paid, written off or given back. */
  net: Money
  newCharges: Money
  /** Interest of the days since the line before. */
  interest: Exact
  chargesPaid: Money
  interestPaid: Money
  principalPaid: Money
  chargesBalance: Money
  interestBalance: Exact
  principalBalance: Money
  /** What settles the loan on this day, after what was paid. */
  settlement: Money
  balanceStatus: 'open' | 'closed' | 'refundDue'
}

/** A loan between two days of its statement. */
type Balance = {
  principal: Exact
  interest: Exact
  charges: Money
  /** Interest that has arisen in all. */
  arisen: Exact
  /** Interest that was asked for in all. */
  asked: Exact
  paid: Money
  used: Set<'late' | 'failed'>
}

/** Interest that was agreed in advance: what the schedule asks for beyond what was lent. */
const agreedInterest = (terms: DailyTerms): Exact =>
  terms.method === 'addOn'
    ? new Decimal(sum(terms.schedule.map(each => each.amount))).minus(lentOf(terms))
    : new Decimal(0)

const closedBalance = ({ principal, interest, charges }: Balance): boolean =>
  principal.isZero() && interest.isZero() && charges === zeroMoney

/** What settles a balance: add-on loans owe the interest that has arisen and not what was agreed. */
const settlementOf = (terms: DailyTerms, balance: Balance, lent: Exact): Money => {
  if (closedBalance(balance)) return zeroMoney
  if (terms.method === 'addOn' && balance.principal.gt(0)) {
    const total = new Decimal(round(balance.arisen, terms.rounding)).plus(lent).minus(balance.paid)
    return add(round(total), balance.charges)
  }
  return add(add(round(balance.principal), round(balance.interest, terms.rounding)), balance.charges)
}

type Parts = { charges: Money; interest: Money; principal: Money }

/** Splits a payment: charges, interest, principal. Settling an add-on loan early gives agreed interest back. */
const splitPayment = (terms: DailyTerms, balance: Balance, amount: Money, settlement: Money): Parts => {
  if (!isPositive(amount)) return { charges: zeroMoney, interest: zeroMoney, principal: amount }
  const charges = min(amount, balance.charges)
  const rest = sub(amount, charges)
  const owedInterest = round(balance.interest, terms.rounding)
  const agreed = add(round(balance.principal), owedInterest)
  if (terms.method === 'addOn' && isPositive(sub(agreed, rest)) && !isPositive(sub(settlement, amount)))
    return { charges, interest: sub(rest, round(balance.principal)), principal: round(balance.principal) }
  const interest = min(rest, owedInterest)
  return { charges, interest, principal: sub(rest, interest) }
}

const settled = (terms: DailyTerms, balance: Balance, parts: Parts, amount: Money): Balance => {
  const full = parts.interest === round(balance.interest, terms.rounding) || parts.interest.startsWith('-')
  return {
    ...balance,
    charges: sub(balance.charges, parts.charges),
    interest: full ? new Decimal(0) : balance.interest.minus(parts.interest),
    principal: balance.principal.minus(parts.principal),
    paid: add(balance.paid, amount),
  }
}

const statusOf = ({ principal, interest, charges }: Balance): StatementLine['balanceStatus'] => {
  if (principal.lt(0)) return 'refundDue'
  return principal.isZero() && interest.isZero() && charges === zeroMoney ? 'closed' : 'open'
}

/** Lets time pass to a day: interest arises, and from the last date on an add-on loan owes what arose beyond the agreement. */
const passed = (
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

const netOf = (events: readonly DailyEvent[]): Money =>
  sum(
    events
      .filter(each => each.type !== 'failed')
      .map(each => (each.type === 'refund' ? sub(zeroMoney, each.amount) : each.amount)),
  )

/**
 * The statement of a day-priced loan: a line for the payout, for every day on which something was asked, paid, tried or agreed, and for `asOf`.
 * After `asOf` it is a forecast in which what is asked is paid.
 * @param settleOn the day on which the rest is paid off; settling within the free days costs no interest
 */
export const statementOf = (
  terms: DailyTerms,
  events: readonly DailyEvent[],
  asOf: EatDate,
  { settleOn }: { settleOn?: EatDate } = {},
): StatementLine[] => {
  const free = settleOn !== undefined && diffDays(terms.start, settleOn) <= (terms.settleFreeDays ?? 0)
  const price = free ? { ...terms, rate: { ...terms.rate, percent: '0' }, windows: [] } : terms
  const lent = lentOf(terms)
  const agreed = agreedInterest(terms)
  const asked = terms.schedule.filter(each => !each.cancelled || each.on <= asOf)
  const days = [terms.start, asOf, ...asked.map(each => each.on), ...events.map(each => each.on)]
  let balance: Balance = {
    principal: lent,
    interest: agreed,
    charges: zeroMoney,
    arisen: new Decimal(0),
    asked: agreed,
    paid: zeroMoney,
    used: new Set(),
  }
  let before = terms.start
  return [...new Set(settleOn ? [...days, settleOn] : days)].sort().map(on => {
    const open = !closedBalance(balance)
    const time = passed(price, balance, before, on)
    before = on
    const own = asked.find(each => each.on === on)
    const running = own && open && (settleOn === undefined || on <= settleOn)
    const due = running ? dueOn(terms.schedule, events, own) : zeroMoney
    const charges = running ? chargesOn(terms, events, own, asOf, balance.used) : []
    const newCharges = sum(charges.map(each => each.amount))
    balance = {
      ...time.balance,
      charges: add(time.balance.charges, newCharges),
      used: new Set([...balance.used, ...charges.map(each => each.kind)]),
    }
    const settlement = settlementOf(price, balance, lent)
    const forecast = on > asOf ? due : zeroMoney
    const net = on === settleOn ? settlement : add(netOf(events.filter(each => each.on === on)), forecast)
    const parts = splitPayment(price, balance, net, settlement)
    if (net !== zeroMoney) balance = settled(price, balance, parts, net)
    return {
      on,
      day: diffDays(terms.start, on),
      asked: own,
      due,
      status: running ? paymentStatus(terms, events, own, asOf) : undefined,
      net,
      newCharges,
      interest: time.interest,
      chargesPaid: net === zeroMoney ? zeroMoney : parts.charges,
      interestPaid: net === zeroMoney ? zeroMoney : parts.interest,
      principalPaid: net === zeroMoney ? zeroMoney : parts.principal,
      chargesBalance: balance.charges,
      interestBalance: balance.interest,
      principalBalance: round(balance.principal),
      settlement: settlementOf(price, balance, lent),
      balanceStatus: statusOf(balance),
    }
  })
}

/** What settles a day-priced loan on a day. */
export const settlementQuote = (terms: DailyTerms, events: readonly DailyEvent[], on: EatDate): Money =>
  statementOf(
    terms,
    events.filter(each => each.on <= on),
    on,
    { settleOn: on },
  ).find(line => line.on === on)?.net ?? zeroMoney
