import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { add, Decimal, gt, lte, type Money, neg, round, sub, sum } from '../../money.ts'
import { addDays } from '../../time.ts'
import { anyMoney } from '../fixtures/samples.ts'
import { addOnSchedule } from './add-on.ts'
import { chargesOn, dueOn, paymentStatus } from './due.ts'
import { settlementQuote, statementOf } from './statement.ts'
import type { DailyEvent, DailyTerms } from './terms.ts'

const start = '2026-01-01'
const day = (days: number) => addDays(start, days)
const terms = (changes: Partial<DailyTerms> = {}): DailyTerms => ({
  start,
  principal: '1000.00',
  rate: { percent: '0.8', per: 'day' },
  dayCount: 'actual/365',
  method: 'actuarial',
  caps: { total: '100', daily: '0.8' },
  rounding: { unit: '0.01', mode: 'down' },
  schedule: [
    { on: day(30), amount: '400.00' },
    { on: day(60), amount: '400.00' },
  ],
  lateCharge: { amount: '10.00', graceDays: 3 },
  failedCharge: { amount: '7.50' },
  ...changes,
})
const pay = (days: number, amount: Money, type: DailyEvent['type'] = 'payment'): DailyEvent => ({
  on: day(days),
  type,
  amount,
})
const quoted = (changes: Partial<DailyTerms>, days: number, events: DailyEvent[] = []) =>
  settlementQuote(terms(changes), events, day(days))

describe('what settles a day-priced loan', () => {
  it('grows with every day up to the cap of the whole, and with no day above the cap of one', () => {
    const plain = { schedule: [] }
    expect([0, 1, 10, 125, 400].map(days => quoted(plain, days))).toEqual([
      '1000.00',
      '1008.00',
      '1080.00',
      '2000.00',
      '2000.00',
    ])
    expect(quoted({ ...plain, rate: { percent: '1.2', per: 'day' } }, 10)).toBe('1080.00')
    expect(quoted({ ...plain, caps: {}, rate: { percent: '1.2', per: 'day' } }, 10)).toBe('1120.00')
    expect(quoted({ ...plain, caps: { daily: '0.05' }, rate: { percent: '36.5', per: 'year' } }, 10)).toBe('1005.00')
    expect(quoted({ ...plain, addedFee: '500.00' }, 10)).toBe('1620.00')
  })

  it('is the principal alone within the free days', () =>
    expect([3, 4].map(days => quoted({ schedule: [], settleFreeDays: 3 }, days))).toEqual(['1000.00', '1032.00']))

  it('has nothing free for who does not settle', () =>
    expect(
      statementOf(terms({ schedule: [], settleFreeDays: 3 }), [pay(2, '100.00')], day(2)).at(-1)?.interestPaid,
    ).toBe('16.00'))

  it('carries charges, and gives back what was overpaid', () => {
    expect(quoted({}, 34)).toBe('1282.00')
    expect(quoted({ schedule: [] }, 5, [pay(5, '1500.00')])).toBe('-460.00')
  })
})

describe('what falls due', () => {
  const { schedule } = terms()
  const first = schedule[0] ?? { on: '', amount: '' }
  const second = schedule[1] ?? { on: '', amount: '' }

  it('is less what was paid ahead, and never more than was asked', () => {
    expect(dueOn(schedule, [pay(10, '150.00')], first)).toBe('250.00')
    expect(dueOn(schedule, [pay(10, '500.00')], first)).toBe('0.00')
    expect(dueOn(schedule, [pay(10, '500.00')], second)).toBe('300.00')
    expect(dueOn(schedule, [], second)).toBe('400.00')
    expect(dueOn(schedule, [pay(10, '500.00', 'failed')], first)).toBe('400.00')
    expect(dueOn(schedule, [pay(10, '500.00', 'writeOff')], first)).toBe('0.00')
    expect(dueOn(schedule, [pay(30, '400.00')], first)).toBe('400.00')
  })

  it('starts anew with an agreement, and is nothing once given up', () => {
    const agreed = { on: day(50), amount: '50.00', agreedOn: day(40) }
    expect(dueOn([...schedule, agreed], [pay(10, '900.00')], agreed)).toBe('50.00')
    expect(dueOn([...schedule, agreed], [pay(45, '20.00')], agreed)).toBe('30.00')
    expect(dueOn(schedule, [], { ...first, cancelled: true })).toBe('0.00')
    expect(dueOn([{ ...first, cancelled: true }, second], [pay(10, '100.00')], second)).toBe('300.00')
  })

  it('is paid, paid later, short, missed or still open', () => {
    const status = (events: DailyEvent[], asOf: number) => paymentStatus(terms(), events, first, day(asOf))
    expect(status([pay(30, '400.00')], 30)).toEqual({ status: 'paid' })
    expect(status([pay(31, '400.00')], 31)).toEqual({ status: 'paidLater' })
    expect(status([pay(31, '399.99')], 31)).toEqual({ status: 'paidLaterShort', short: '0.01' })
    expect(status([], 33)).toEqual({ status: 'due' })
    expect(status([pay(60, '400.00')], 60)).toEqual({ status: 'missed' })
    expect(status([], 29)).toEqual({ status: 'notYetDue' })
    expect(status([pay(1, '400.00')], 40)).toEqual({ status: 'nothingDue' })
  })

  it('costs a charge when it is late by more than the grace days, and one for a failed debit', () => {
    const kinds = (events: DailyEvent[], asOf: number, changes: Partial<DailyTerms> = {}, used: 'late'[] = []) =>
      chargesOn(terms(changes), events, first, day(asOf), new Set(used)).map(each => each.kind)
    expect(kinds([], 33)).toEqual([])
    expect(kinds([], 34)).toEqual(['late'])
    expect(kinds([pay(33, '400.00')], 40)).toEqual([])
    expect(kinds([pay(34, '400.00')], 40)).toEqual(['late'])
    expect(kinds([pay(33, '399.99')], 40)).toEqual(['late'])
    const failed = [pay(30, '400.00', 'failed'), pay(30, '400.00', 'failed')]
    expect(kinds(failed, 30)).toEqual(['failed'])
    expect(kinds(failed, 30, { grouping: 'all' })).toEqual(['failed', 'failed'])
    expect(kinds(failed, 40, { grouping: 'schedule' }, ['late'])).toEqual(['failed'])
    expect(kinds([pay(1, '400.00'), ...failed], 40)).toEqual([])
    expect(kinds([], 20)).toEqual([])
  })
})

describe('a statement', () => {
  it('pays charges, then interest, then principal, and forgets the cent that rounding leaves', () => {
    const lines = statementOf(terms(), [pay(35, '400.00')], day(35))
    expect(
      lines.map(line => [line.day, line.chargesPaid, line.interestPaid, line.principalPaid, line.settlement]),
    ).toEqual([
      [0, '0.00', '0.00', '0.00', '1000.00'],
      [30, '0.00', '0.00', '0.00', '1250.00'],
      [35, '10.00', '280.00', '110.00', '890.00'],
      [60, '0.00', '178.00', '222.00', '668.00'],
    ])
  })

  it('leaves unpaid interest, and takes a part of it', () => {
    const [, line] = statementOf(terms({ schedule: [] }), [pay(10, '30.00')], day(10))
    expect([line?.interestPaid, line?.principalPaid, line?.interestBalance.toFixed(2)]).toEqual([
      '30.00',
      '0.00',
      '50.00',
    ])
  })

  it('closes with a refund of what was overpaid', () => {
    const events = [pay(10, '1200.00'), pay(12, '120.00', 'refund')]
    expect(
      statementOf(terms({ schedule: [] }), events, day(20)).map(line => [
        line.day,
        line.balanceStatus,
        line.settlement,
      ]),
    ).toEqual([
      [0, 'open', '1000.00'],
      [10, 'refundDue', '-120.00'],
      [12, 'closed', '0.00'],
      [20, 'closed', '0.00'],
    ])
  })

  const anyEvents = fc.array(
    fc.record({
      days: fc.integer({ min: 0, max: 120 }),
      amount: anyMoney(600, 1),
      type: fc.constantFrom('payment' as const, 'payment' as const, 'failed' as const),
    }),
    { maxLength: 6 },
  )
  const anyDaily = fc.record({
    events: anyEvents.map(all => all.map(({ days, amount, type }) => pay(days, amount, type))),
    grouping: fc.constantFrom('day' as const, 'schedule' as const, 'all' as const),
    method: fc.constantFrom('actuarial' as const, 'actuarial' as const, 'addOn' as const),
    percent: fc.integer({ min: 0, max: 80 }).map(tenths => String(tenths / 100)),
  })
  const build = ({
    grouping,
    method,
    percent,
  }: {
    grouping: 'day' | 'schedule' | 'all'
    method: 'actuarial' | 'addOn'
    percent: string
  }) => {
    const base = terms({ grouping, method, rate: { percent, per: 'day' } })
    if (method === 'actuarial') return base
    return {
      ...base,
      ...addOnSchedule({ ...base, schedule: [] }, [day(30), day(60), day(90)], { unit: '0.01', mode: 'up' }),
    }
  }

  it('accounts for every cent that moved', () => {
    fc.assert(
      fc.property(anyDaily, facts => {
        const price = build(facts)
        const lines = statementOf(price, facts.events, day(150))
        for (const line of lines) expect(sum([line.chargesPaid, line.interestPaid, line.principalPaid])).toBe(line.net)
        expect(sum(lines.map(line => line.net))).toBe(
          sum(facts.events.filter(each => each.type === 'payment').map(each => each.amount)),
        )
        expect(lines.at(-1)?.principalBalance).toBe(sub('1000.00', sum(lines.map(line => line.principalPaid))))
        expect(sum(lines.map(line => line.newCharges))).toBe(
          add(sum(lines.map(line => line.chargesPaid)), lines.at(-1)?.chargesBalance ?? ''),
        )
        expect(Decimal.sum(...lines.map(line => line.interest)).lte(1000)).toBe(true)
        expect(lines.every(line => line.interest.gte(0) && line.interestBalance.gte(0))).toBe(true)
      }),
      { numRuns: 150 },
    )
  })

  it('of interest agreed in advance is not closed by what was paid for charges', () => {
    const price = build({ grouping: 'day', method: 'addOn', percent: '0' })
    const events = [pay(64, '513.90'), pay(0, '486.10')]
    const lines = statementOf(price, events, day(121))
    const line = lines.at(-1)
    expect(sum(lines.map(each => each.chargesPaid))).toBe('10.00')
    expect([line?.principalBalance, line?.balanceStatus]).toEqual(['10.00', 'open'])
    expect(settlementQuote(price, events, day(121))).toBe(add('10.00', line?.chargesBalance ?? ''))
    const end = statementOf(price, [...events, pay(121, line?.settlement ?? '')], day(121)).at(-1)
    expect([end?.balanceStatus, end?.settlement]).toEqual(['closed', '0.00'])
  })

  it('of somebody who has paid too much is not charged for dates on which nothing more came', () => {
    const price = build({ grouping: 'day', method: 'addOn', percent: '0.01' })
    const line = statementOf(price, [pay(0, '1000.00'), pay(1, '0.01')], day(121)).at(-1)
    expect([line?.chargesBalance, line?.balanceStatus, line?.settlement]).toEqual(['0.00', 'refundDue', '-0.01'])
  })

  it('is closed by its quote, and costs no less the next day', () => {
    fc.assert(
      fc.property(anyDaily, fc.integer({ min: 121, max: 200 }), (facts, days) => {
        const price = build(facts)
        const quote = settlementQuote(price, facts.events, day(days))
        const event: DailyEvent = gt(quote, '0.00') ? pay(days, quote) : { ...pay(days, neg(quote)), type: 'refund' }
        const end = statementOf(price, [...facts.events, event], day(days)).find(line => line.on === day(days))
        expect([end?.balanceStatus, end?.settlement]).toEqual(['closed', '0.00'])
        expect(lte(quote, settlementQuote(price, facts.events, day(days + 1)))).toBe(true)
      }),
      { numRuns: 150 },
    )
  })
})

describe('interest agreed in advance', () => {
  it('is the least that covers what arises', () => {
    fc.assert(
      fc.property(
        anyMoney(5000, 10_000),
        fc.integer({ min: 1, max: 6 }),
        fc.integer({ min: 1, max: 80 }),
        (principal, count, percent) => {
          const price = terms({
            principal,
            method: 'addOn',
            caps: {},
            rate: { percent: String(percent / 100), per: 'day' },
            schedule: [],
          })
          const dates = Array.from({ length: count }, (_, index) => day(30 * (index + 1)))
          const { schedule, interest } = addOnSchedule(price, dates, { unit: '0.01', mode: 'up' })
          expect(sum(schedule.map(each => each.amount))).toBe(add(round(principal), interest))
          const kept = statementOf(
            { ...price, schedule },
            schedule.map(each => ({ ...each, type: 'payment' })),
            day(200),
          )
          const arisen = Decimal.sum(...kept.map(line => line.interest))
          expect(arisen.lt(new Decimal(interest).plus('0.01'))).toBe(true)
          expect(arisen.gt(new Decimal(interest).minus('0.15'))).toBe(true)
          expect(kept.at(-1)?.balanceStatus).toBe('closed')
        },
      ),
      { numRuns: 40 },
    )
  })

  it('is given back for the days that settling early spares', () => {
    const price = terms({ method: 'addOn', schedule: [] })
    const { schedule, interest } = addOnSchedule(price, [day(30), day(60)], { unit: '0.01', mode: 'up' })
    const agreed = { ...price, schedule }
    expect(settlementQuote(agreed, [], day(10))).toBe('1080.00')
    const [end] = statementOf(agreed, [pay(10, '1080.00')], day(10)).slice(1)
    expect([end?.interestPaid, end?.principalPaid, end?.balanceStatus]).toEqual(['80.00', '1000.00', 'closed'])
    expect(gt(interest, '80.00')).toBe(true)
  })
})
