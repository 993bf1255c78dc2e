import { describe, expect, it } from 'vitest'
import type { PriceCell } from '../risk-price.ts'
import { type Inputs, judge, mostOfBand } from './judge.ts'
import type { RuleSet } from './rule.ts'

const bands = [
  { modelLevel: 'A', bandDecision: 'approve', maxAmountRate: '100' },
  { modelLevel: 'B', bandDecision: 'approve', maxAmountRate: '45.5' },
  { modelLevel: 'C', bandDecision: 'review', maxAmountRate: '20' },
  { modelLevel: 'E', bandDecision: 'refuse', maxAmountRate: '0' },
] as const
const inputs: Inputs = {
  requestedAmount: '800000.00',
  monthlyIncome: '2000000.00',
  remainingLimit: '1000000.00',
  settledLoans: 0,
  limits: { minAmount: '50000.00', maxAmount: '1000000.00', amountStep: '10000.00' },
  manualReview: false,
  autoApproveMax: null,
  scoring: { modelScore: 700, modelLevel: 'B', isRefused: false, bandDecision: 'approve', hits: [] },
  bands,
  lists: [],
  cell: null,
  verifyResult: 'passed',
  overCap: false,
}
const cell = (change: Partial<PriceCell> = {}): PriceCell => ({
  modelLevel: 'B',
  amountMin: '50000.00',
  amountMax: '400000.00',
  initialLimit: '300000.00',
  stepUpAmount: '0.00',
  stepUpAfterSettled: 0,
  maxLimit: '400000.00',
  interestRateDay: '0.05',
  serviceFeeValue: '0',
  managementFeeValue: '0',
  ...change,
})
const at = (change: Partial<Inputs> = {}) => judge([], {}, { ...inputs, ...change })
const lower = (steps: number): RuleSet => ({
  ruleSetNo: 'RS-CREDIT',
  versionNo: 'RS-CREDIT-1',
  stage: 'credit',
  executeMode: 'all',
  whitelistSkips: false,
  rules: [
    {
      ruleNo: 'LOWER',
      ruleNameZh: '降级',
      ruleNameEn: 'Lower',
      ruleNameSw: 'Shusha',
      expression: 'true',
      ruleAction: 'downgrade',
      downgradeSteps: steps,
      onMissing: 'skip',
      ruleMode: 'enforce',
    },
  ],
})

describe('the share of a band', () => {
  it('bounds the amount decided, on the step of the product', () => {
    // 45.5 % of 1,000,000 is 455,000, on steps of 10,000.
    expect(at()).toMatchObject({ decision: 'approve', modelLevel: 'B', suggestedAmount: '450000.00' })
    expect(at({ requestedAmount: '300000.00' }).suggestedAmount).toBe('300000.00')
    expect(at({ scoring: { ...inputs.scoring, modelLevel: 'A' } }).suggestedAmount).toBe('800000.00')
  })

  it('is of what the level is lent at its price, and never lifts what the price allows', () => {
    expect(at({ cell: cell() }).suggestedAmount).toBe('180000.00')
    expect(at({ cell: cell({ initialLimit: '100000.00' }) }).suggestedAmount).toBe('100000.00')
  })

  it('is that of the level to which rules move an order', () => {
    const lowered = judge([lower(1)], {}, inputs)
    expect(lowered).toMatchObject({ decision: 'review', modelLevel: 'C', suggestedAmount: '200000.00' })
    // No band is of level D: a person looks, and no share bounds the amount.
    expect(judge([lower(2)], {}, inputs)).toMatchObject({ decision: 'review', modelLevel: 'D' })
    expect(mostOfBand(inputs, 'D')).toBeNull()
  })

  it('below which the product lends nothing refuses as too small', () => {
    const small = { ...inputs, bands: [{ modelLevel: 'B', bandDecision: 'approve', maxAmountRate: '4.99' }] } as const
    expect(judge([], {}, small)).toMatchObject({ decision: 'refuse', refuseCode: 'MR_AMOUNT', suggestedAmount: null })
    expect(judge([], {}, { ...small, cell: cell() }).refuseCode).toBe('MR_AMOUNT')
  })

  it('bounds nothing where none was kept, as before there was one', () => {
    const old = bands.map(({ modelLevel, bandDecision }) => ({ modelLevel, bandDecision }))
    expect(at({ bands: old }).suggestedAmount).toBe('800000.00')
    expect(at({ bands: old, cell: cell() }).suggestedAmount).toBe('300000.00')
  })

  it('bounds nobody without a score', () => {
    const none = { modelScore: null, modelLevel: null, isRefused: false, bandDecision: 'review' as const, hits: [] }
    expect(at({ scoring: none })).toMatchObject({ decision: 'review', suggestedAmount: '800000.00' })
  })
})
