import type { PriceCell } from '../../../../core/rules/risk-price.ts'

/** A grid that the fixture product allows; the better the level, the more is lent, at the same price. */
export const cellsAt = (interestRateDay = '1', change: Partial<PriceCell> = {}) =>
  (['A', 'B', 'C', 'D'] as const).map((modelLevel, at) => ({
    modelLevel,
    amountMin: '50000.00',
    amountMax: `${500_000 - at * 100_000}.00`,
    initialLimit: `${300_000 - at * 50_000}.00`,
    stepUpAmount: '50000.00',
    stepUpAfterSettled: 1,
    maxLimit: '600000.00',
    interestRateDay,
    serviceFeeValue: '5',
    managementFeeValue: '2000.00',
    ...change,
  }))
