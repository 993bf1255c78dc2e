import type { ProductContent } from '../../../../core/rules/product/product-terms.ts'

/** Terms that the law allows: 0.07 % a day, 8 % up front. */
export const productTerms = (change: Partial<ProductContent> = {}) => ({
  term: 14,
  minAmount: '50000.00',
  maxAmount: '500000.00',
  amountStep: '10000.00',
  interestMethod: 'flat' as const,
  interestRateDay: '0.07',
  serviceFeeMode: 'rate' as const,
  serviceFeeValue: '8',
  serviceFeeTiming: 'upfront' as const,
  managementFeeMode: 'amount' as const,
  managementFeeValue: '2000.00',
  managementFeeTiming: 'spread' as const,
  lateFeeValue: '1',
  lateFeeCapRate: '30',
  graceDays: 0,
  damagesMode: 'rate' as const,
  damagesValue: '5',
  damagesAfterDays: 10,
  extensionFeeRate: '10',
  extensionDays: 7,
  extensionMax: 2,
  allocationOrder: (
    ['lateFee', 'liquidatedDamages', 'serviceFee', 'managementFee', 'interest', 'principal'] as const
  ).map(component => ({ component })),
  earlySettleRule: 'full' as const,
  auditPolicy: 'manual' as const,
  auditSteps: 1,
  ...change,
})
