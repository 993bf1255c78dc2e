import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { addDays } from '../../time.ts'
import { countDays, dayCounts, yearFraction } from './day-count.ts'
import { factor, periodFactor, type Rate } from './rate.ts'

describe('days', () => {
  it.each([
    ['30/360', '2026-01-31', '2026-02-28', 28],
    ['30/360', '2026-01-31', '2026-03-31', 60],
    ['30/360', '2026-01-30', '2026-03-31', 60],
    ['30/360', '2026-01-15', '2026-03-31', 76],
    ['30E/360', '2026-01-15', '2026-03-31', 75],
    ['30E/360', '2026-01-31', '2026-02-28', 28],
    ['30E/360ISDA', '2026-01-31', '2026-02-28', 30],
    ['30E/360ISDA', '2024-02-29', '2024-03-31', 30],
    ['30E/360ISDA', '2024-02-28', '2024-03-31', 32],
    ['30/360', '2025-12-15', '2027-01-15', 390],
    ['actual/360', '2024-02-01', '2024-03-01', 29],
    ['actual/365', '2026-02-01', '2026-03-01', 28],
  ] as const)('%s from %s to %s are %i', (convention, from, to, days) =>
    expect(countDays(convention, from, to)).toBe(days),
  )

  it.each([
    ['30/360', '2026-01-01', '2026-07-01', '0.5'],
    ['actual/360', '2026-01-01', '2026-03-02', '0.16666667'],
    ['actual/364', '2026-01-01', '2026-04-02', '0.25'],
    ['actual/365', '2024-01-01', '2025-01-01', '1.00273973'],
    ['actual/actual', '2024-01-01', '2025-01-01', '1'],
    ['actual/actual', '2023-11-01', '2024-05-01', '0.49772438'],
    ['actual/actual', '2022-07-01', '2025-07-01', '2.99999999'],
    ['actual/startYear', '2024-01-01', '2024-01-30', '0.07923497'],
  ] as const)('%s from %s to %s is %s of a year', (convention, from, to, expected) =>
    expect(Number(yearFraction(convention, from, to).toFixed(8))).toBeCloseTo(Number(expected), 6),
  )

  it('keeps the length of the year in which the loan began', () => {
    expect(
      yearFraction('actual/startYear', '2024-02-01', '2024-03-01', '2023-11-01').times(365).toNumber(),
    ).toBeCloseTo(29, 9)
    expect(
      yearFraction('actual/startYear', '2025-02-01', '2025-03-01', '2024-11-01').times(366).toNumber(),
    ).toBeCloseTo(28, 9)
    expect(
      [2000, 2100].map(year =>
        Math.round(1 / yearFraction('actual/startYear', `${year}-01-01`, `${year}-01-02`).toNumber()),
      ),
    ).toEqual([366, 365])
  })

  it('runs backwards below zero, forwards above', () => {
    fc.assert(
      fc.property(
        fc.constantFrom(...dayCounts),
        fc.integer({ min: 0, max: 20_000 }),
        fc.integer({ min: 0, max: 900 }),
        (by, at, days) => {
          const from = addDays('1990-01-01', at)
          const to = addDays(from, days)
          const forward = yearFraction(by, from, to, from)
          expect(forward.gte(by.startsWith('30') ? -1 / 180 : 0)).toBe(true)
          expect(Math.abs(forward.toNumber() - days / 365)).toBeLessThan(0.06)
          if (!by.startsWith('30')) {
            const middle = addDays(from, Math.floor(days / 2))
            expect(
              yearFraction(by, from, middle, from)
                .plus(yearFraction(by, middle, to, from))
                .minus(forward)
                .abs()
                .lt(1e-30),
            ).toBe(true)
            expect(yearFraction(by, to, from, from).plus(forward).toNumber()).toBe(0)
          }
        },
      ),
    )
  })
})

describe('rates', () => {
  const price = (rate: Rate, windows?: { from: string; to: string; percent: string }[]) => ({
    rate,
    windows,
    dayCount: 'actual/365' as const,
    start: '2026-01-01',
  })
  const days = (rate: Rate, windows?: { from: string; to: string; percent: string }[]) =>
    factor(price(rate, windows), '2026-01-01', '2026-01-31').times(100).toFixed(4)

  it('are per day, month or year', () => {
    expect(days({ percent: '0.08', per: 'day' })).toBe('2.4000')
    expect(days({ percent: '2.8', per: 'month' })).toBe('2.7616')
    expect(days({ percent: '33.6', per: 'year' })).toBe('2.7616')
    expect(
      factor({ ...price({ percent: '2.8', per: 'month' }), dayCount: '30/360' }, '2026-01-15', '2026-02-15').toFixed(4),
    ).toBe('0.0280')
  })

  it('leave out the days of an interest-free window, both its ends', () => {
    const free = (from: string, to: string, percent = '0') =>
      days({ percent: '1', per: 'day' }, [{ from, to, percent }])
    expect(free('2026-01-10', '2026-01-12')).toBe('27.0000')
    expect(free('2026-01-01', '2026-01-02')).toBe('29.0000')
    expect(free('2026-01-31', '2026-02-20')).toBe('29.0000')
    expect(free('2025-12-01', '2026-01-01')).toBe('30.0000')
    expect(free('2026-02-01', '2026-02-20')).toBe('30.0000')
    expect(free('2026-01-11', '2026-01-20', '2')).toBe('40.0000')
    const two = [
      { from: '2026-01-20', to: '2026-01-21', percent: '0' },
      { from: '2026-01-10', to: '2026-01-12', percent: '0' },
    ]
    expect(days({ percent: '1', per: 'day' }, two)).toBe('25.0000')
  })

  it('bear the same for every regular period, whatever its days', () => {
    const of = (
      per: Rate['per'],
      percent: string,
      unit: 'days' | 'weeks' | 'months',
      every = 1,
      dayCount: 'actual/365' | '30/360' = 'actual/365',
    ) =>
      periodFactor({ ...price({ percent, per }), dayCount }, { every, unit })
        .times(100)
        .toFixed(4)
    expect(of('year', '12', 'months')).toBe('1.0000')
    expect(of('year', '12', 'months', 3)).toBe('3.0000')
    expect(of('month', '2.8', 'months', 2)).toBe('5.6000')
    expect(of('day', '0.1', 'months')).toBe('3.0000')
    expect(of('day', '0.1', 'weeks', 2)).toBe('1.4000')
    expect(of('day', '0.1', 'days', 10)).toBe('1.0000')
    expect(of('year', '36.5', 'weeks')).toBe('0.7000')
    expect(of('year', '36', 'days', 10, '30/360')).toBe('1.0000')
    expect(of('month', '3', 'days', 10, '30/360')).toBe('1.0000')
  })
})
