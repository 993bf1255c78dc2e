import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  type CapVerdict,
  capsInForce,
  checkCaps,
  costFigures,
  isLegal,
  type LegalCap,
  lateRoomOf,
} from './legal-cap.ts'
import { anyLoanAmount, anyTerms, installments, singleBill } from './loan/fixtures/samples.ts'
import { Decimal } from './money.ts'

/** Legal Notice 21 of 2024. */
const month: LegalCap = {
  capKey: 'interest_month',
  capValue: '2.8',
  capBase: 'advanced',
  capMode: 'enforce',
  effectiveFrom: '2024-11-15',
  feeTreatment: 'interestOnly',
}
const year: LegalCap = { ...month, capKey: 'interest_year', capValue: '33.6' }
const late: LegalCap = { ...month, capKey: 'default_charges', capValue: '50', capMode: 'warn', capBase: 'principal' }
const said = (verdicts: CapVerdict[]) => verdicts.map(each => `${each.cap.capKey} ${each.figure} ${each.verdict}`)

describe('what a loan costs', () => {
  it('is a share of what was paid out, or of the principal', () => {
    // 200,000 for 14 days: 16,000 kept back, 2,240 interest; late fee at most 20 % of 202,240 and 5,000 damages
    expect(costFigures(singleBill(), '200000.00')).toEqual({
      interestMonthRate: '2.6087',
      interestYearRate: '31.7392',
      allInMonthRate: '21.2423',
      lateMaxRate: '22.7240',
    })
    expect(costFigures(singleBill(), '200000.00', 'principal')).toMatchObject({
      interestMonthRate: '2.4000',
      interestYearRate: '29.2000',
      allInMonthRate: '21.2423',
    })
  })

  it('counts the damages of every bill', () =>
    expect(
      costFigures(installments({ liquidatedDamages: { afterDays: 7, basis: 'rate', value: '5' } }), '300000.00')
        .lateMaxRate,
    ).toBe('28.6750'))

  it('is rounded up, never down', () => {
    fc.assert(
      fc.property(anyTerms, anyLoanAmount, (terms, amount) => {
        const { interestMonthRate, interestYearRate } = costFigures(terms, amount, 'principal')
        const exact = new Decimal(terms.interest.ratePerDay).times(30)
        expect(
          new Decimal(interestMonthRate).gte(exact) && new Decimal(interestMonthRate).minus(exact).lt('0.0001'),
        ).toBe(true)
        expect(new Decimal(interestYearRate).gte(interestMonthRate)).toBe(true)
        expect(new Decimal(costFigures(terms, amount).interestMonthRate).gte(interestMonthRate)).toBe(true)
      }),
      { numRuns: 60 },
    )
  })
})

describe('legal caps', () => {
  const check = (caps: LegalCap[], on = '2026-03-01', terms = singleBill()) => checkCaps(terms, '200000.00', caps, on)

  it('pass, warn or refuse', () => {
    expect(said(check([month, year, late]))).toEqual([
      'interest_month 2.6087 ok',
      'interest_year 31.7392 ok',
      'default_charges 22.7240 ok',
    ])
    const dear = singleBill({
      interest: { method: 'flat', ratePerDay: '0.0859' },
      lateFee: { ratePerDay: '1', capRate: '60' },
    })
    expect(said(check([month, year, late], '2026-03-01', dear))).toEqual([
      'interest_month 2.8011 over',
      'interest_year 34.0799 over',
      'default_charges 63.2216 warn',
    ])
    expect([
      isLegal(check([month])),
      isLegal(check([late], '2026-03-01', dear)),
      isLegal(check([month, late], '2026-03-01', dear)),
    ]).toEqual([true, true, false])
  })

  it('allow the cap itself', () => {
    const exact = singleBill({
      interest: { method: 'flat', ratePerDay: '0.0859' },
      serviceFee: { basis: 'rate', value: '0', taken: 'upfront' },
    })
    expect(said(check([{ ...month, capValue: '2.577' }], '2026-03-01', exact))).toEqual(['interest_month 2.5770 ok'])
    expect(said(check([{ ...month, capValue: '2.5769' }], '2026-03-01', exact))).toEqual(['interest_month 2.5770 over'])
  })

  it('hold from their first to their last day, unless they are off', () => {
    const dated = { ...month, effectiveTo: '2026-02-28' }
    const held = (cap: LegalCap, on: string) => capsInForce([cap], on).length
    expect([
      held(dated, '2024-11-14'),
      held(dated, '2024-11-15'),
      held(dated, '2026-02-28'),
      held(dated, '2026-03-01'),
    ]).toEqual([0, 1, 1, 0])
    expect([
      held({ ...month, effectiveTo: null }, '2099-01-01'),
      held({ ...month, capMode: 'off' }, '2026-01-01'),
    ]).toEqual([1, 0])
  })

  it('look at everything the customer pays where fees count', () =>
    expect(
      said(
        check([
          { ...month, feeTreatment: 'allIn' },
          { ...year, feeTreatment: 'allIn', capMode: 'warn' },
        ]),
      ),
    ).toEqual(['interest_month 21.2423 over', 'interest_year 258.4480 warn']))

  it('stop charges for lateness where they are enforced', () => {
    const enforced = { ...late, capMode: 'enforce' as const }
    const room = (caps: LegalCap[], lent: string, on = '2026-03-01') => lateRoomOf(caps, lent)(on, '45000.00')
    expect(room([late], '100000.00')).toBeNull()
    expect(room([enforced], '100000.00')).toBe('5000.00')
    expect(room([enforced, { ...enforced, capValue: '46' }], '100000.00')).toBe('1000.00')
    expect(room([enforced], '50000.00')).toBe('0.00')
    expect(room([enforced], '50000.00', '2024-11-14')).toBeNull()
  })
})
