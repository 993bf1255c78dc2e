import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { bandsIn } from '../../../../core/contract/risk/cutoff.ts'
import { bandOf, bandsFlaw } from '../../../../core/rules/risk/bands.ts'
import { cardFlaw } from '../../../../core/rules/risk/scorecard.ts'
import { type Facts, score } from '../../../../core/rules/score.ts'
import { baseBands, baseCard, baseModel } from './base-card.ts'
import { cardAnswer, hashOf, isIntact } from './content.ts'
import { factValues, knownFact } from './facts.ts'

const limits = { minAmount: '50000.00', maxAmount: '1000000.00', amountStep: '10000.00' }
const amount = (from: number, to: number) => fc.integer({ min: from, max: to }).map(thousands => `${thousands}000.00`)
const facts: fc.Arbitrary<Facts> = fc.record({
  age: fc.integer({ min: 10, max: 90 }),
  monthlyIncome: amount(0, 5000),
  requestedAmount: amount(50, 1000),
  remainingLimit: amount(0, 2000),
  contactCount: fc.integer({ min: 0, max: 10 }),
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

describe('the first scorecard as a champion', () => {
  it('is a scorecard of facts that are offered, with bands that cover it', () => {
    expect(cardFlaw(baseCard.bins ?? [])).toBeNull()
    expect(baseCard.bins?.every(bin => knownFact(bin.fact))).toBe(true)
    expect(bandsFlaw(bandsIn(baseBands), baseCard)).toBeNull()
  })

  it('gives each application the score and level that it had before', () => {
    fc.assert(
      fc.property(facts, given => {
        const before = score(given, limits)
        const now = cardAnswer(baseCard, factValues(given, 'first')).score
        expect(now).toBe(before.modelScore)
        expect(bandOf(bandsIn(baseBands), 'first', now)?.modelLevel).toBe(before.modelLevel)
      }),
      { numRuns: 500 },
    )
  })

  it('keeps shares of income at their borders', () => {
    for (const [requested, income] of [
      ['150000.00', '1000000.00'],
      ['300000.00', '1000000.00'],
      ['60000.00', '100000.00'],
      ['70000.00', '70000.00'],
    ] as const)
      fc.assert(
        fc.property(facts, one => {
          const given = { ...one, requestedAmount: requested, monthlyIncome: income }
          expect(cardAnswer(baseCard, factValues(given, 'first')).score).toBe(score(given, limits).modelScore)
        }),
        { numRuns: 20 },
      )
  })

  it('is not used once it computes something else', () => {
    const known = { 'customer.age': 30 }
    const examples = [{ facts: known, score: cardAnswer(baseCard, known).score }]
    expect(isIntact(baseModel, examples)).toBe(true)
    expect(isIntact(baseModel, [{ facts: known, score: 1 }])).toBe(false)
    expect(isIntact({ ...baseModel, basePoints: 601 }, examples)).toBe(false)
    expect(hashOf({ ...baseCard, bins: [...(baseCard.bins ?? [])] })).toBe(baseModel.sha256)
  })
})
