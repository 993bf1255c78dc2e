import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { add, Decimal, gt, isNegative, isWhole, lte, type Money, sub, sum } from '../../money.ts'
import { anyMoney } from '../fixtures/samples.ts'
import { exactLevel, plainLevel } from './level.ts'
import { plan, planTotals } from './plan.ts'
import { type PlanTerms, periodsOf } from './terms.ts'

const start = '2026-01-15'
const terms = (changes: Partial<PlanTerms> = {}): PlanTerms => ({
  rate: { percent: '12', per: 'year' },
  dayCount: 'actual/365',
  start,
  method: 'declining',
  amortization: 'equalInstallments',
  accrual: 'period',
  frequency: { every: 1, unit: 'months' },
  rounding: { unit: '0.01', mode: 'half_up' },
  ...changes,
})
const periods = (count: number, first?: string) =>
  periodsOf({ start, count, frequency: { every: 1, unit: 'months' }, first })
const said = (changes: Partial<PlanTerms>, count = 4, amount: Money = '1000.00', first?: string) =>
  plan(terms(changes), amount, periods(count, first)).map(row => `${row.principal} ${row.interest}`)

describe('a plan', () => {
  it('asks for a balloon with the last installment', () => {
    expect(said({ balloon: '400.00' })).toEqual(['147.77 10.00', '149.25 8.52', '150.74 7.03', '552.24 5.52'])
    expect(said({ balloon: '400.00', amortization: 'equalPrincipal' })).toEqual([
      '150.00 10.00',
      '150.00 8.50',
      '150.00 7.00',
      '550.00 5.50',
    ])
    expect(said({ balloon: '400.00', method: 'flat' })).toEqual([
      '150.00 10.00',
      '150.00 10.00',
      '150.00 10.00',
      '550.00 10.00',
    ])
  })

  it('is a bullet when all but the last installment rest from principal', () =>
    expect(said({ grace: { principal: 3 } })).toEqual(['0.00 10.00', '0.00 10.00', '0.00 10.00', '1000.00 10.00']))

  it('puts interest off, or asks for none', () => {
    expect(said({ method: 'flat', grace: { interest: 2 } })).toEqual([
      '250.00 0.00',
      '250.00 0.00',
      '250.00 30.00',
      '250.00 10.00',
    ])
    expect(said({ method: 'flat', grace: { interest: 9 } })).toEqual([
      '250.00 0.00',
      '250.00 0.00',
      '250.00 0.00',
      '250.00 40.00',
    ])
    expect(said({ method: 'flat', grace: { interestFree: 1 } })[0]).toBe('250.00 0.00')
    expect(said({ amortization: 'equalPrincipal', grace: { interestFree: 1, principal: 2 } })).toEqual([
      '0.00 0.00',
      '0.00 10.00',
      '500.00 10.00',
      '500.00 5.00',
    ])
    expect(said({ grace: { interestFree: 2 } }).map(each => each.split(' ')[1])).toEqual([
      '0.00',
      '0.00',
      '4.96',
      '2.49',
    ])
  })

  it('follows an agreed installment, and single ones of another amount', () => {
    expect(said({ installment: '300.00' })).toEqual(['290.00 10.00', '292.90 7.10', '295.83 4.17', '121.27 1.21'])
    expect(said({ amounts: { 2: '500.00' } })[1]).toBe('492.46 7.54')
    expect(said({ amounts: { 1: '5.00' } })[0]).toBe('0.00 10.00')
    expect(said({ amounts: { 1: '5000.00' } })).toEqual(['1000.00 10.00', '0.00 0.00', '0.00 0.00', '0.00 0.00'])
    expect(said({ method: 'flat', amounts: { 2: '110.00' } })).toEqual([
      '250.00 10.00',
      '100.00 10.00',
      '250.00 10.00',
      '400.00 10.00',
    ])
    expect(said({ method: 'flat', installment: '200.00' })).toEqual([
      '190.00 10.00',
      '190.00 10.00',
      '190.00 10.00',
      '430.00 10.00',
    ])
  })

  it('charges an irregular first period by its days', () =>
    expect(said({}, 2, '3650.00', '2026-01-25').map(each => each.split(' ')[1])[0]).toBe('12.00'))

  it('rounds installments to the coin in use', () => {
    const rows = plan(terms({ installmentRounding: { unit: '50', mode: 'up' } }), '100000.00', periods(6))
    expect(rows.slice(0, -1).map(row => add(row.principal, row.interest))).toEqual(Array(5).fill('17300.00'))
    expect(planTotals(rows).principal).toBe('100000.00')
  })

  it('divides a plain balance where there is no interest', () =>
    expect(said({ rate: { percent: '0', per: 'year' } })).toEqual(Array(4).fill('250.00 0.00')))

  it('takes the smallest installment that leaves no greater last one', () => {
    const rows = plan(terms({ level: 'solved' }), '1000.00', periods(5))
    const asked = rows.map(row => add(row.principal, row.interest))
    expect(lte(asked.at(-1) ?? '', asked[0] ?? '')).toBe(true)
    const lower = sub(asked[0] ?? '', '0.01')
    const less = plan(terms({ installment: lower }), '1000.00', periods(5)).at(-1)
    expect(gt(add(less?.principal ?? '', less?.interest ?? ''), lower)).toBe(true)
  })

  it('refuses what is no plan', () => {
    expect(() => plan(terms(), '1000.00', [])).toThrow(RangeError)
    expect(() => plan(terms(), '-1.00', periods(2))).toThrow(RangeError)
    expect(() => plan(terms({ balloon: '1000.01' }), '1000.00', periods(2))).toThrow(RangeError)
    expect(planTotals(plan(terms({ balloon: '1000.00' }), '1000.00', periods(2))).principal).toBe('1000.00')
  })

  it('knows one installment for equal periods, however it is reckoned', () => {
    fc.assert(
      fc.property(
        anyMoney(100_000, 100),
        fc.integer({ min: 0, max: 400 }),
        fc.integer({ min: 1, max: 60 }),
        (amount, perMille, count) => {
          const interest = new Decimal(perMille).div(1000)
          const exact = exactLevel(amount, Array(count).fill(interest))
          expect(
            exact
              .minus(plainLevel(amount, interest, count))
              .abs()
              .lt(1e-20),
          ).toBe(true)
        },
      ),
    )
  })

  const anyPlanTerms: fc.Arbitrary<PlanTerms> = fc
    .record({
      percent: fc.integer({ min: 0, max: 300 }).map(String),
      per: fc.constantFrom('year' as const, 'month' as const),
      method: fc.constantFrom('flat' as const, 'declining' as const),
      amortization: fc.constantFrom('equalInstallments' as const, 'equalPrincipal' as const),
      accrual: fc.constantFrom('daily' as const, 'period' as const),
      level: fc.constantFrom('plain' as const, 'exact' as const, 'solved' as const, 'parts' as const),
      grace: fc.record({
        principal: fc.integer({ min: 0, max: 12 }),
        interest: fc.integer({ min: 0, max: 5 }),
        interestFree: fc.integer({ min: 0, max: 3 }),
      }),
      unit: fc.constantFrom('0.01' as const, '1' as const),
      mode: fc.constantFrom(
        'half_up' as const,
        'half_even' as const,
        'half_down' as const,
        'up' as const,
        'down' as const,
      ),
      coin: fc.constantFrom(undefined, '1' as const, '50' as const),
    })
    .map(({ percent, per, unit, mode, coin, ...rest }) =>
      terms({
        ...rest,
        rate: { percent: per === 'month' ? String(Number(percent) / 12) : percent, per },
        rounding: { unit, mode },
        ...(coin ? { installmentRounding: { unit: coin, mode } } : {}),
      }),
    )

  it('repays the principal exactly, with nothing below zero, whatever is agreed', () => {
    fc.assert(
      fc.property(
        anyPlanTerms,
        fc.integer({ min: 1, max: 12 }),
        fc.integer({ min: 1, max: 500_000 }),
        (agreed, count, shillings) => {
          const amount = `${shillings}.00`
          const rows = plan(agreed, amount, periods(count))
          expect(rows).toHaveLength(count)
          expect(sum(rows.map(row => row.principal))).toBe(amount)
          expect(rows.flatMap(row => [row.principal, row.interest, row.balance]).some(isNegative)).toBe(false)
          expect(rows.at(-1)?.balance).toBe('0.00')
          if (agreed.rounding.unit === '1')
            expect(rows.every(row => isWhole(row.principal) && isWhole(row.interest))).toBe(true)
          expect(planTotals(rows).due).toBe(add(amount, sum(rows.map(row => row.interest))))
        },
      ),
      { numRuns: 300 },
    )
  })

  it('leaves what rounding leaves in the last installment only', () => {
    fc.assert(
      fc.property(fc.integer({ min: 2, max: 12 }), fc.integer({ min: 1000, max: 500_000 }), (count, shillings) => {
        const rows = plan(terms({ method: 'flat' }), `${shillings}.00`, periods(count)).slice(0, -1)
        expect(new Set(rows.map(row => `${row.principal} ${row.interest}`)).size).toBe(1)
        const level = plan(terms(), `${shillings}.00`, periods(count)).slice(0, -1)
        expect(new Set(level.map(row => add(row.principal, row.interest))).size).toBe(1)
      }),
    )
  })

  it('never costs more for a lower rate, nor on what is still owed than on what was lent', () => {
    fc.assert(
      fc.property(
        anyPlanTerms,
        fc.integer({ min: 1, max: 12 }),
        fc.integer({ min: 1, max: 100 }),
        (agreed, count, percent) => {
          const cost = (changes: Partial<PlanTerms>) =>
            planTotals(plan({ ...agreed, level: 'exact', grace: {}, ...changes }, '100000.00', periods(count))).interest
          const price = (value: number) => ({ rate: { percent: String(value), per: 'year' as const } })
          expect(lte(cost(price(percent)), add(cost(price(percent + 1)), '1.00'))).toBe(true)
          expect(lte(cost({ method: 'declining' }), add(cost({ method: 'flat' }), `${count}.00`))).toBe(true)
        },
      ),
      { numRuns: 150 },
    )
  })
})
