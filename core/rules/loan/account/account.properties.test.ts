import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { add, isNegative, lte, type Money, sub, sum } from '../../money.ts'
import { addDays } from '../../time.ts'
import { allocate } from '../allocate.ts'
import { openBill, remaining } from '../bill.ts'
import { components, totalOf } from '../components.ts'
import { anyLoanAmount, anyMoney, anyTerms } from '../fixtures/samples.ts'
import { schedule } from '../schedule.ts'
import { entryOf } from './entries.ts'
import type { LoanEvent } from './events.ts'
import { dueThenFeesLast, dueThenPrincipal, oldestBillFirst, overdueDueAdvance } from './order.ts'
import { productContract, productPayout } from './product.ts'
import { type Account, openAccount, post, refusalOf, replay, settlementOn, stateOf, undo } from './replay.ts'
import { type Contract, owed, type State, statusOf } from './state.ts'

const start = '2026-01-31'

const anyContract: fc.Arbitrary<Contract> = fc
  .record({
    count: fc.integer({ min: 1, max: 8 }),
    percent: fc.integer({ min: 0, max: 60 }).map(String),
    method: fc.constantFrom('flat' as const, 'declining' as const),
    amortization: fc.constantFrom('equalInstallments' as const, 'equalPrincipal' as const),
    accrual: fc.constantFrom('daily' as const, 'period' as const),
    monthEnd: fc.constantFrom('clamp' as const, 'roll' as const),
    unit: fc.constantFrom('months' as const, 'weeks' as const),
    order: fc.constantFrom(oldestBillFirst, dueThenPrincipal, dueThenFeesLast, overdueDueAdvance),
    future: fc.constantFrom('next' as const, 'last' as const, 'spread' as const),
    grace: fc.record({ principal: fc.integer({ min: 0, max: 2 }), interest: fc.integer({ min: 0, max: 2 }) }),
    shillings: fc.boolean(),
    recalculation: fc.option(
      fc.record({
        prepayment: fc.constantFrom('lowerInstallment' as const, 'shortenTerm' as const, 'skipNext' as const),
        rest: fc.constantFrom('daily' as const, 'period' as const),
        compounding: fc.boolean(),
      }),
      { nil: undefined },
    ),
  })
  .map(({ count, percent, monthEnd, unit, order, future, shillings, recalculation, ...terms }) => {
    const frequency = { every: 1, unit }
    return {
      terms: {
        ...terms,
        ...(recalculation
          ? { grace: {}, method: 'declining' as const, amortization: 'equalInstallments' as const }
          : {}),
        rate: { percent, per: 'year' },
        dayCount: 'actual/365',
        start,
        frequency,
        rounding: { unit: shillings ? '1' : '0.01', mode: 'half_up' },
      },
      dates: { start, count, frequency, monthEnd },
      order: { ...order, future },
      ...(recalculation ? { recalculation } : {}),
    }
  })

type Plan = { day: number; kind: 'repay' | 'late' | 'goodwill' | 'chargeback' | 'refund'; amount: Money }
const anyPlan: fc.Arbitrary<Plan> = fc.record({
  day: fc.integer({ min: 0, max: 280 }),
  kind: fc.constantFrom(
    'repay' as const,
    'repay' as const,
    'repay' as const,
    'late' as const,
    'goodwill' as const,
    'chargeback' as const,
    'refund' as const,
  ),
  amount: anyMoney(3000, 1),
})

const eventOf = ({ day, kind, amount }: Plan, seq: number): LoanEvent => {
  const facts = { id: `e${seq}`, seq, on: addDays(start, day) }
  if (kind === 'repay') return { ...facts, type: 'repay', kind: 'repayment', amount }
  if (kind === 'goodwill') return { ...facts, type: 'repay', kind: 'goodwill', amount }
  if (kind === 'chargeback') return { ...facts, type: 'chargeback', amount }
  if (kind === 'refund') return { ...facts, type: 'refundCredit', amount }
  return {
    ...facts,
    type: 'charge',
    chargeNo: `c${seq}`,
    component: 'lateFee',
    price: { amount },
    when: { on: 'date', dueDate: facts.on },
  }
}

const paidOut = (contract: Contract): Account =>
  post(openAccount(contract), { id: 'payout', seq: 0, on: start, type: 'disburse', amount: '6000.00' })

const accountAfter = (contract: Contract, plans: readonly Plan[]): Account =>
  plans.reduce((account, plan, index) => {
    const event = eventOf(plan, index + 1)
    return refusalOf(account, event) ? account : post(account, event)
  }, paidOut(contract))

const anyAccount = fc.record({ contract: anyContract, plans: fc.array(anyPlan, { maxLength: 6 }) })
const lost = (state: State): boolean =>
  state.bills.some(bill => components.some(component => isNegative(remaining(bill)[component])))

describe('the account of any loan', () => {
  it('loses no cent and owes nothing below zero', () => {
    fc.assert(
      fc.property(anyAccount, ({ contract, plans }) => {
        const state = stateOf(accountAfter(contract, plans))
        expect(lost(state)).toBe(false)
        expect(isNegative(state.overpaid)).toBe(false)
        for (const line of state.transactions) {
          const moved = line.type === 'repay' || line.type === 'refundCredit' || line.type === 'chargeback'
          const credit = line.type === 'repay' ? line.overpaid : sub('0.00', line.overpaid)
          if (moved) expect(add(totalOf(line.split), credit)).toBe(line.amount)
          expect(sum(entryOf(line).map(each => each.amount))).toBe('0.00')
        }
        const credits = sum(state.transactions.map(line => line.overpaid))
        expect(credits).toBe(state.overpaid)
        for (const charge of state.charges)
          expect(isNegative(sub(sub(charge.amount, charge.paid), charge.waived))).toBe(false)
      }),
      { numRuns: 50 },
    )
  })

  it('is its principal less what was repaid', () => {
    fc.assert(
      fc.property(anyAccount, ({ contract, plans }) => {
        const state = stateOf(accountAfter(contract, plans))
        const repaid = sum(state.transactions.filter(line => line.type === 'repay').map(line => line.split.principal))
        const again = sum(
          state.transactions
            .filter(line => line.type === 'chargeback' || line.type === 'refundCredit')
            .map(line => line.split.principal),
        )
        expect(owed(state, ['principal'])).toBe(sub(add(state.disbursed, again), repaid))
        expect(state.transactions.at(-1)?.balance).toBe(owed(state, ['principal']))
      }),
      { numRuns: 50 },
    )
  })

  it('is settled by what it quotes for any day, and by no cent less', () => {
    fc.assert(
      fc.property(anyAccount, fc.integer({ min: 0, max: 300 }), ({ contract, plans }, later) => {
        const account = accountAfter(contract, plans)
        const last =
          account.events
            .map(event => event.on)
            .sort()
            .at(-1) ?? start
        const on = addDays(last, later)
        const amount = settlementOn(account, on)
        if (amount === '0.00') return
        const pay = (paid: Money) =>
          stateOf(post(account, { id: 'end', seq: 99, on, type: 'repay', kind: 'repayment', amount: paid }))
        const before = stateOf(account).overpaid
        const settled = pay(amount)
        expect([owed(settled), settled.overpaid]).toEqual(['0.00', before])
        if (amount !== '0.01') expect(owed(pay(sub(amount, '0.01')))).not.toBe('0.00')
      }),
      { numRuns: 50 },
    )
  })

  it('costs no less the next day', () => {
    fc.assert(
      fc.property(anyAccount, fc.integer({ min: 0, max: 200 }), ({ contract, plans }, later) => {
        const account = accountAfter(contract, plans)
        const last =
          account.events
            .map(event => event.on)
            .sort()
            .at(-1) ?? start
        const quote = (days: number) => {
          const on = addDays(last, days)
          const dates = stateOf(account)
            .bills.map(bill => bill.dueDate)
            .filter(date => date > last && date <= on)
          const rolled = dates.reduce((all, date, index) => {
            const event: LoanEvent = { id: `r${index}`, seq: 70 + index, on: date, type: 'recalculate' }
            return refusalOf(all, event) ? all : post(all, event)
          }, account)
          return settlementOn(rolled, on)
        }
        expect(lte(quote(later), quote(later + 1))).toBe(true)
      }),
      { numRuns: 50 },
    )
  })

  it('forgets what is undone', () => {
    fc.assert(
      fc.property(anyAccount, anyPlan, ({ contract, plans }, extra) => {
        const account = accountAfter(contract, plans)
        const event = { ...eventOf(extra, 50), id: 'extra' }
        if (refusalOf(account, event)) return
        const undone = undo(post(account, event), 'extra', event.on)
        expect(stateOf(undone)).toEqual(stateOf(account))
        expect(undone.reversed.map(each => each.event.id)).toEqual(['extra'])
      }),
      { numRuns: 50 },
    )
  })

  it('is the same whatever order its events are read in', () => {
    fc.assert(
      fc.property(anyAccount, fc.infiniteStream(fc.nat()), ({ contract, plans }, noise) => {
        const { events } = accountAfter(contract, plans)
        const shuffled = events
          .map(event => ({ event, key: noise.next().value ?? 0 }))
          .sort((a, b) => a.key - b.key)
          .map(({ event }) => event)
        expect(replay(contract, shuffled)).toEqual(replay(contract, events))
      }),
      { numRuns: 50 },
    )
  })

  it('owes the same whichever of two payments of a day was entered first', () => {
    fc.assert(
      fc.property(anyAccount, anyMoney(2000, 1), anyMoney(2000, 1), ({ contract, plans }, one, two) => {
        const account = accountAfter(contract, plans)
        const on = addDays(start, 290)
        const both = (first: Money, second: Money) => {
          const once = post(account, { id: 'x', seq: 60, on, type: 'repay', kind: 'repayment', amount: first })
          return stateOf(post(once, { id: 'y', seq: 61, on, type: 'repay', kind: 'repayment', amount: second }))
        }
        const [a, b] = [both(one, two), both(two, one)]
        expect([owed(a), a.overpaid, statusOf(a)]).toEqual([owed(b), b.overpaid, statusOf(b)])
        expect(a.bills.map(bill => bill.paid)).toEqual(b.bills.map(bill => bill.paid))
      }),
      { numRuns: 50 },
    )
  })

  it('never gets dearer by paying more at once', () => {
    fc.assert(
      fc.property(anyContract, fc.integer({ min: 0, max: 200 }), anyMoney(5000, 1), (contract, day, amount) => {
        const on = addDays(start, day)
        const owedAfter = (paid: Money) => {
          const account = post(paidOut(contract), {
            id: 'p',
            seq: 1,
            on,
            type: 'repay',
            kind: 'repayment',
            amount: paid,
          })
          return settlementOn(account, on)
        }
        expect(lte(owedAfter(add(amount, '1.00')), owedAfter(amount))).toBe(true)
      }),
      { numRuns: 50 },
    )
  })
})

describe('a product as a contract', () => {
  const state = (terms: Parameters<typeof schedule>[0], amount: Money) =>
    replay(productContract(terms, start), productPayout(terms, amount, start))

  it('has the bills of its schedule', () => {
    fc.assert(
      fc.property(anyTerms, anyLoanAmount, (terms, amount) => {
        const bills = schedule(terms, amount, start).map(each => openBill('', each))
        expect(state(terms, amount).bills.map(({ dueDate, due }) => ({ dueDate, due }))).toEqual(
          bills.map(({ dueDate, due }) => ({ dueDate, due })),
        )
      }),
      { numRuns: 50 },
    )
  })

  it('takes a payment as its bills do', () => {
    fc.assert(
      fc.property(anyTerms, anyLoanAmount, anyMoney(3_000_000, 1), (terms, amount, paid) => {
        const bills = schedule(terms, amount, start).map(each => openBill(`B${each.installmentNo}`, each))
        const account = {
          contract: productContract(terms, start),
          events: productPayout(terms, amount, start),
          reversed: [],
        }
        const after = stateOf(
          post(account, { id: 'p', seq: 999, on: addDays(start, 3), type: 'repay', kind: 'repayment', amount: paid }),
        )
        const { overflow, after: expected } = allocate(bills, terms, paid)
        expect(after.overpaid).toBe(overflow)
        expect(after.bills.map(bill => [bill.paid, bill.status])).toEqual(
          expected.map(bill => [bill.paid, bill.status]),
        )
      }),
      { numRuns: 50 },
    )
  })
})
