import { add, type Exact, type Money, round, sub, sum, zeroMoney } from '../../money.ts'
import { diffDays, type EatDate } from '../../time.ts'
import {
  type Balance,
  balanceStatus,
  openingBalance,
  type Parts,
  passed,
  settled,
  settlementOf,
  splitPayment,
} from './balance.ts'
import { chargesOn, dueOn, type PaymentStatus, paymentStatus } from './due.ts'
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

const netOf = (events: readonly DailyEvent[]): Money =>
  sum(
    events
      .filter(each => each.type !== 'failed')
      .map(each => (each.type === 'refund' ? sub(zeroMoney, each.amount) : each.amount)),
  )

/** Without interest where the loan is settled within its free days. */
const withFreeDays = (terms: DailyTerms, settleOn: EatDate): DailyTerms =>
  diffDays(terms.start, settleOn) <= (terms.settleFreeDays ?? -1)
    ? { ...terms, rate: { ...terms.rate, percent: '0' }, windows: [] }
    : terms

type Step = { balance: Balance; parts: Parts }
const nothing: Parts = { charges: zeroMoney, interest: zeroMoney, principal: zeroMoney, closes: false }

const paidOff = (terms: DailyTerms, { balance, parts }: Step, amount: Money): Step => {
  if (amount === zeroMoney) return { balance, parts }
  const own = splitPayment(terms, balance, amount, settlementOf(terms, balance))
  return {
    balance: settled(balance, own, amount),
    parts: {
      charges: add(parts.charges, own.charges),
      interest: add(parts.interest, own.interest),
      principal: add(parts.principal, own.principal),
      closes: own.closes,
    },
  }
}

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
  const price = settleOn === undefined ? terms : withFreeDays(terms, settleOn)
  const asked = terms.schedule.filter(each => !each.cancelled || each.on <= asOf)
  const days = [terms.start, asOf, ...asked.map(each => each.on), ...events.map(each => each.on)]
  let balance = openingBalance(terms)
  let before = terms.start
  return [...new Set(settleOn ? [...days, settleOn] : days)].sort().map(on => {
    const open = balanceStatus(balance) === 'open'
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
    const forecast = on > asOf ? due : zeroMoney
    const moved = add(netOf(events.filter(each => each.on === on)), forecast)
    let step = paidOff(price, { balance, parts: nothing }, moved)
    const rest = on === settleOn ? settlementOf(price, step.balance) : zeroMoney
    step = paidOff(price, step, rest)
    balance = step.balance
    return {
      on,
      day: diffDays(terms.start, on),
      asked: own,
      due,
      status: running ? paymentStatus(terms, events, own, asOf) : undefined,
      net: add(moved, rest),
      newCharges,
      interest: time.interest,
      chargesPaid: step.parts.charges,
      interestPaid: step.parts.interest,
      principalPaid: step.parts.principal,
      chargesBalance: balance.charges,
      interestBalance: balance.interest,
      principalBalance: round(balance.principal),
      settlement: settlementOf(price, balance),
      balanceStatus: balanceStatus(balance),
    }
  })
}

/** What settles a day-priced loan on a day, after what was paid on it; below zero what it gives back. */
export const settlementQuote = (terms: DailyTerms, events: readonly DailyEvent[], on: EatDate): Money =>
  statementOf(
    withFreeDays(terms, on),
    events.filter(each => each.on <= on),
    on,
  ).find(line => line.on === on)?.settlement ?? zeroMoney
