import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { isKey } from '../../i18n/server.ts'
import { anyTerms, installments, singleBill } from './fixtures/samples.ts'
import { amountRefusal, defaultAllocation, Terms } from './terms.ts'

/** What is wrong, as `path: key`. */
const problems = (terms: unknown): string[] => {
  const answer = Terms.safeParse(terms)
  return answer.success ? [] : answer.error.issues.map(({ path, message }) => `${path.join('.')}: ${message}`)
}

describe('terms', () => {
  it('take the products we lend, and are a snapshot that survives JSON', () => {
    for (const terms of [singleBill(), installments()])
      expect(Terms.parse(JSON.parse(JSON.stringify(terms)))).toEqual(terms)
  })

  it('are accepted for any product of the generator', () => {
    fc.assert(
      fc.property(anyTerms, terms => {
        expect(problems(terms)).toEqual([])
      }),
    )
  })

  it.each([
    ['a lower maximum', { maxAmount: '40000.00' }, ['maxAmount: validation.amountRange']],
    ['a step that does not divide', { amountStep: '15000.00' }, ['amountStep: validation.amountStep']],
    ['cents in an amount', { minAmount: '50000.50' }, ['minAmount: validation.wholeShillings']],
    ['junk for an amount', { maxAmount: '1e9' }, ['maxAmount: validation.moneyFormat']],
    [
      'junk for an up-front fee',
      { serviceFee: { basis: 'amount' as const, value: 'x', taken: 'upfront' as const } },
      ['serviceFee.value: validation.chargeFormat'],
    ],
    ['a zero step', { amountStep: '0.00' }, ['amountStep: validation.wholeShillings']],
    ['several bills on the case track', { installmentCount: 2 }, ['installmentCount: validation.installmentCount']],
    ['one bill on the stage track', { track: 'stage' as const }, ['installmentCount: validation.installmentCount']],
    [
      'a term the installments do not divide',
      { track: 'stage' as const, installmentCount: 3 },
      ['termDays: validation.termMultiple'],
    ],
    [
      'a rate of five decimals',
      { interest: { method: 'flat' as const, ratePerDay: '0.08001' } },
      ['interest.ratePerDay: validation.rateFormat'],
    ],
    [
      'a rate above 100',
      { lateFee: { ratePerDay: '100.5', capRate: '20' } },
      ['lateFee.ratePerDay: validation.rateFormat'],
    ],
    [
      'a fee rate above 100',
      { serviceFee: { basis: 'rate' as const, value: '120', taken: 'spread' as const } },
      ['serviceFee.value: validation.chargeFormat'],
    ],
    [
      'a fee in junk',
      { serviceFee: { basis: 'amount' as const, value: '1e3', taken: 'spread' as const } },
      ['serviceFee.value: validation.chargeFormat'],
    ],
    [
      'a fee that eats the smallest loan',
      { managementFee: { basis: 'amount' as const, value: '50000', taken: 'upfront' as const } },
      ['managementFee.value: validation.feeBelowMinAmount'],
    ],
    [
      'damages in junk',
      { liquidatedDamages: { afterDays: 3, basis: 'rate' as const, value: '101' } },
      ['liquidatedDamages.value: validation.chargeFormat'],
    ],
    [
      'extensions of no days',
      { extension: { feeRate: '5', days: 0, max: 1 } },
      ['extension.days: validation.extensionDays'],
    ],
    [
      'a component twice',
      { allocation: [...defaultAllocation.slice(0, 5), 'interest' as const] },
      ['allocation: validation.allocationOrder'],
    ],
    [
      'principal in the middle',
      {
        allocation: [
          'lateFee',
          'principal',
          'liquidatedDamages',
          'serviceFee',
          'managementFee',
          'interest',
        ] as typeof defaultAllocation,
      },
      ['allocation: validation.allocationOrder'],
    ],
  ])('refuse %s', (_, change, expected) => expect(problems(singleBill(change))).toEqual(expected))

  it('refuse what is missing, unknown or of another type', () => {
    const { graceDays, ...incomplete } = singleBill()
    expect(graceDays).toBe(1)
    expect(problems(incomplete)).toHaveLength(1)
    expect(problems({ ...singleBill(), discount: '5' })).toHaveLength(1)
    expect(problems({ ...singleBill(), termDays: '14' })).toHaveLength(1)
    expect(problems({ ...singleBill(), termDays: 14.5 })).toHaveLength(1)
    expect(problems({ ...singleBill(), termDays: 366 })).toHaveLength(1)
    expect(problems(null)).toHaveLength(1)
  })

  it('have words for every refusal', () => {
    const keys = [
      'amountRange',
      'amountStep',
      'wholeShillings',
      'installmentCount',
      'termMultiple',
      'rateFormat',
      'chargeFormat',
      'feeBelowMinAmount',
      'extensionDays',
      'allocationOrder',
      'amountOutOfRange',
      'amountOffStep',
    ]
    for (const key of keys) expect(isKey(`validation.${key}`)).toBe(true)
  })
})

describe('the amount of a loan', () => {
  const terms = singleBill()
  it.each([
    ['50000.00', null],
    ['2000000.00', null],
    ['60000.00', null],
    ['40000.00', 'validation.amountOutOfRange'],
    ['2010000.00', 'validation.amountOutOfRange'],
    ['55000.00', 'validation.amountOffStep'],
    ['60000.50', 'validation.wholeShillings'],
  ])('%s: %s', (amount, refusal) => expect(amountRefusal(terms, amount)?.words ?? null).toBe(refusal))
})
