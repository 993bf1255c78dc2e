import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { gte, lte } from './money.ts'
import { ageOn, type Facts, machineRefuseCodes, score, startingLimit } from './score.ts'

const limits = { minAmount: '50000.00', maxAmount: '1000000.00', amountStep: '10000.00' }
const good: Facts = {
  age: 34,
  monthlyIncome: '900000.00',
  requestedAmount: '200000.00',
  remainingLimit: '900000.00',
  contactCount: 3,
  overdueContacts: 0,
  rooted: false,
  emulator: false,
  sharedDeviceCount: 0,
  openLoans: 0,
  settledLoans: 0,
  maxOverdueDays: 0,
  overdueNow: false,
  recentRefusals: 0,
  ownWallet: true,
}
const of = (change: Partial<Facts> = {}) => score({ ...good, ...change }, limits)

describe('machine review', () => {
  it('suggests the whole amount to an ordinary first customer and says what counted', () => {
    expect(of()).toEqual({
      modelScore: 710,
      modelLevel: 'B',
      suggestedAmount: '200000.00',
      refuseCode: null,
      ruleHits: [
        { ruleNo: 'SC_INCOME', outcome: 'points', points: 60 },
        { ruleNo: 'SC_AGE', outcome: 'points', points: 20 },
        { ruleNo: 'SC_CONTACTS', outcome: 'points', points: 20 },
        { ruleNo: 'SC_WALLET', outcome: 'points', points: 10 },
      ],
    })
  })

  it('puts a customer who paid back on time on the highest level', () => {
    expect(of({ settledLoans: 2 })).toMatchObject({ modelScore: 790, modelLevel: 'A', suggestedAmount: '200000.00' })
  })

  it.each([
    [{ age: 17 }, 'MR_AGE'],
    [{ age: 66 }, 'MR_AGE'],
    [{ emulator: true }, 'MR_DEVICE'],
    [{ sharedDeviceCount: 3 }, 'MR_SHARED_DEVICE'],
    [{ overdueNow: true }, 'MR_OVERDUE'],
    [{ maxOverdueDays: 31 }, 'MR_HISTORY'],
    [{ remainingLimit: '40000.00' }, 'MR_LIMIT'],
    [{ monthlyIncome: '60000.00', rooted: true, openLoans: 2 }, 'MR_SCORE'],
    [{ monthlyIncome: '60000.00' }, 'MR_AMOUNT'],
  ] as const)('refuses %o as %s and suggests nothing', (change, refuseCode) => {
    expect(of(change)).toMatchObject({ refuseCode, suggestedAmount: null })
  })

  it('keeps 18, 65 and 30 days overdue in', () => {
    for (const change of [{ age: 18 }, { age: 65 }, { maxOverdueDays: 30 }]) expect(of(change).refuseCode).toBeNull()
  })

  it('names every refusal, the first in the order of the rules as the code', () => {
    const { refuseCode, ruleHits } = of({ age: 80, overdueNow: true })
    expect(refuseCode).toBe('MR_AGE')
    expect(ruleHits.filter(hit => hit.outcome === 'refuse').map(hit => hit.ruleNo)).toEqual(['MR_AGE', 'MR_OVERDUE'])
  })

  it('suggests no more than the limit left and what the income bears', () => {
    expect(of({ requestedAmount: '800000.00', remainingLimit: '125000.00' }).suggestedAmount).toBe('120000.00')
    expect(of({ requestedAmount: '1000000.00', monthlyIncome: '400000.00' })).toMatchObject({
      modelLevel: 'D',
      suggestedAmount: '160000.00',
    })
  })

  it('always decides: a code of the list, or an amount the product lends and nobody asked less than', () => {
    const amount = (from: number, to: number) =>
      fc.integer({ min: from, max: to }).map(thousands => `${thousands}000.00`)
    const facts = fc.record({
      age: fc.integer({ min: 10, max: 90 }),
      monthlyIncome: amount(0, 5000),
      requestedAmount: amount(50, 1000),
      remainingLimit: amount(0, 2000),
      contactCount: fc.integer({ min: 1, max: 10 }),
      overdueContacts: fc.nat(10),
      rooted: fc.boolean(),
      emulator: fc.boolean(),
      sharedDeviceCount: fc.nat(9),
      openLoans: fc.nat(9),
      settledLoans: fc.nat(9),
      maxOverdueDays: fc.nat(120),
      overdueNow: fc.boolean(),
      recentRefusals: fc.nat(9),
      ownWallet: fc.boolean(),
    })
    fc.assert(
      fc.property(facts, given => {
        const first = score(given, limits)
        expect(score(given, limits)).toEqual(first)
        expect(first.modelScore).toBeGreaterThanOrEqual(300)
        expect(first.modelScore).toBeLessThanOrEqual(850)
        if (first.refuseCode) {
          expect(machineRefuseCodes).toContain(first.refuseCode)
          return
        }
        const suggested = first.suggestedAmount ?? ''
        expect(
          gte(suggested, limits.minAmount) &&
            lte(suggested, given.requestedAmount) &&
            lte(suggested, given.remainingLimit),
        ).toBe(true)
        expect(Number(suggested) % 10_000).toBe(0)
      }),
    )
  })

  it('never scores a worse history higher', () => {
    fc.assert(
      fc.property(
        fc.nat(30),
        fc.nat(30),
        (a, b) =>
          of({ maxOverdueDays: Math.max(a, b) }).modelScore <= of({ maxOverdueDays: Math.min(a, b) }).modelScore,
      ),
    )
  })
})

describe('age', () => {
  it('counts whole years up to the day', () => {
    expect(ageOn('2008-03-02', '2026-03-02')).toBe(18)
    expect(ageOn('2008-03-03', '2026-03-02')).toBe(17)
    expect(ageOn('2000-02-29', '2026-02-28')).toBe(25)
  })
})

describe('the first credit limit', () => {
  it('is a month of income inside what the product lends', () => {
    expect(startingLimit('437500.00', limits)).toBe('430000.00')
    expect(startingLimit('9000.00', limits)).toBe('50000.00')
    expect(startingLimit('8000000.00', limits)).toBe('1000000.00')
  })
})
