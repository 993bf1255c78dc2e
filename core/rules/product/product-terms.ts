import { type CapVerdict, type CostFigures, checkCaps, costFigures, type LegalCap } from '../legal-cap.ts'
import type { Component } from '../loan/components.ts'
import { Terms } from '../loan/terms.ts'
import { Decimal, type Money } from '../money.ts'
import type { EatDate } from '../time.ts'

/** Single-bill products make a case of each order, installment products one of each overdue bill. */
export type Track = Terms['track']
type Basis = 'rate' | 'amount'
type Taken = 'upfront' | 'spread'

/** The terms of a product as people type them, field by field; rates in percent with at most four decimals. */
export type ProductContent = {
  term: number
  /** 1 on the case track, where it is not asked for. */
  installmentCount?: number
  minAmount: Money
  maxAmount: Money
  amountStep: Money
  interestMethod: Terms['interest']['method']
  interestRateDay: string
  serviceFeeMode: Basis
  serviceFeeValue: string
  serviceFeeTiming: Taken
  managementFeeMode: Basis
  managementFeeValue: string
  managementFeeTiming: Taken
  lateFeeValue: string
  lateFeeCapRate: string
  damagesMode: Basis
  damagesValue: string
  damagesAfterDays: number
  extensionFeeRate: string
  extensionDays: number
  extensionMax: number
  extensionMaxOverdueDays?: number
  graceDays: number
  /** Inside a bill, what is paid first. */
  allocationOrder: readonly { component: Component }[]
  earlySettleRule: Terms['earlySettlement']
  auditPolicy: 'manual' | 'auto'
  auditSteps: number
  autoApproveMax?: Money
}

/** Which field of {@link ProductContent} holds each part of the terms. */
const fieldOf: Readonly<Record<string, keyof ProductContent>> = {
  termDays: 'term',
  installmentCount: 'installmentCount',
  minAmount: 'minAmount',
  maxAmount: 'maxAmount',
  amountStep: 'amountStep',
  'interest.method': 'interestMethod',
  'interest.ratePerDay': 'interestRateDay',
  'serviceFee.value': 'serviceFeeValue',
  'managementFee.value': 'managementFeeValue',
  'lateFee.ratePerDay': 'lateFeeValue',
  'lateFee.capRate': 'lateFeeCapRate',
  'liquidatedDamages.value': 'damagesValue',
  'liquidatedDamages.afterDays': 'damagesAfterDays',
  'extension.feeRate': 'extensionFeeRate',
  'extension.days': 'extensionDays',
  'extension.max': 'extensionMax',
  'extension.maxOverdueDays': 'extensionMaxOverdueDays',
  graceDays: 'graceDays',
  allocation: 'allocationOrder',
  auditStepCount: 'auditSteps',
  autoApproveMax: 'autoApproveMax',
}

/** The rounding of every product: it is shown and cannot be chosen. */
const rounding = { unit: '0.01', mode: 'half_up' } as const

const shaped = (track: Track, c: ProductContent): Terms => ({
  track,
  termDays: c.term,
  installmentCount: track === 'case' ? 1 : (c.installmentCount ?? 0),
  minAmount: c.minAmount,
  maxAmount: c.maxAmount,
  amountStep: c.amountStep,
  interest: { method: c.interestMethod, ratePerDay: c.interestRateDay },
  serviceFee: { basis: c.serviceFeeMode, value: c.serviceFeeValue, taken: c.serviceFeeTiming },
  managementFee: { basis: c.managementFeeMode, value: c.managementFeeValue, taken: c.managementFeeTiming },
  lateFee: { ratePerDay: c.lateFeeValue, capRate: c.lateFeeCapRate },
  liquidatedDamages: { afterDays: c.damagesAfterDays, basis: c.damagesMode, value: c.damagesValue },
  extension: {
    feeRate: c.extensionFeeRate,
    days: c.extensionDays,
    max: c.extensionMax,
    ...(c.extensionMaxOverdueDays == null ? {} : { maxOverdueDays: c.extensionMaxOverdueDays }),
  },
  graceDays: c.graceDays,
  allocation: c.allocationOrder.map(one => one.component),
  earlySettlement: c.earlySettleRule,
  rounding,
  auditStepCount: c.auditSteps,
  manualReview: c.auditPolicy === 'manual',
  ...(c.autoApproveMax == null ? {} : { autoApproveMax: c.autoApproveMax }),
})

/** The terms of what was typed. @throws {z.ZodError} when they are not in order: {@link contentFlaw} says why */
export const termsOf = (track: Track, content: ProductContent): Terms => Terms.parse(shaped(track, content))

/** What is wrong with what was typed: the field, and a key of words. */
export const contentFlaw = (track: Track, content: ProductContent): { path: string; message: string } | null => {
  const issue = Terms.safeParse(shaped(track, content)).error?.issues[0]
  if (!issue) return null
  const path = fieldOf[issue.path.join('.')] ?? fieldOf[String(issue.path[0])] ?? 'term'
  return { path, message: issue.message.startsWith('validation.') ? issue.message : 'validation.wrongValue' }
}

/** The fields that stand for terms: the reverse of {@link termsOf}. */
export const contentOf = (terms: Terms): ProductContent => ({
  term: terms.termDays,
  ...(terms.track === 'stage' ? { installmentCount: terms.installmentCount } : {}),
  minAmount: terms.minAmount,
  maxAmount: terms.maxAmount,
  amountStep: terms.amountStep,
  interestMethod: terms.interest.method,
  interestRateDay: terms.interest.ratePerDay,
  serviceFeeMode: terms.serviceFee.basis,
  serviceFeeValue: terms.serviceFee.value,
  serviceFeeTiming: terms.serviceFee.taken,
  managementFeeMode: terms.managementFee.basis,
  managementFeeValue: terms.managementFee.value,
  managementFeeTiming: terms.managementFee.taken,
  lateFeeValue: terms.lateFee.ratePerDay,
  lateFeeCapRate: terms.lateFee.capRate,
  damagesMode: terms.liquidatedDamages.basis,
  damagesValue: terms.liquidatedDamages.value,
  damagesAfterDays: terms.liquidatedDamages.afterDays,
  extensionFeeRate: terms.extension.feeRate,
  extensionDays: terms.extension.days,
  extensionMax: terms.extension.max,
  ...(terms.extension.maxOverdueDays === undefined ? {} : { extensionMaxOverdueDays: terms.extension.maxOverdueDays }),
  graceDays: terms.graceDays,
  allocationOrder: terms.allocation.map(component => ({ component })),
  earlySettleRule: terms.earlySettlement,
  auditPolicy: terms.manualReview ? 'manual' : 'auto',
  auditSteps: terms.auditStepCount,
  ...(terms.autoApproveMax === undefined ? {} : { autoApproveMax: terms.autoApproveMax }),
})

/** Prices of the terms: one that is higher than before is a rise that the regulator hears of. */
const prices = [
  'interestRateDay',
  'serviceFeeValue',
  'managementFeeValue',
  'lateFeeValue',
  'lateFeeCapRate',
  'damagesValue',
  'extensionFeeRate',
] as const
/** Bases of the fees: their values cannot be compared across them. */
const bases = ['serviceFeeMode', 'managementFeeMode', 'damagesMode'] as const

/** Whether a price rises, or is charged on another base than before. */
export const isRaised = (content: ProductContent, before: ProductContent): boolean =>
  prices.some(name => new Decimal(content[name]).gt(before[name])) || bases.some(name => content[name] !== before[name])

/** What a loan costs, and what the caps in force on a day say of it. */
export type LoanCost = CostFigures & { verdict: CapVerdict['verdict']; caps: CapVerdict[] }

const worst = { ok: 0, warn: 1, over: 2 } as const

/**
 * The highest figures of some amounts at a product's terms; fixed fees weigh most on the smallest amount.
 * @throws RangeError when fees leave nothing to pay out
 */
export const loanCost = (
  terms: Terms,
  amounts: readonly [Money, ...Money[]],
  caps: readonly LegalCap[],
  on: EatDate,
): LoanCost => {
  const at = amounts.map(amount => ({
    figures: costFigures(terms, amount),
    caps: checkCaps(terms, amount, caps, on),
  }))
  const highest = (name: keyof CostFigures) =>
    at.map(({ figures }) => figures[name]).reduce((a, b) => (new Decimal(a).gte(b) ? a : b))
  const dearest = at
    .map(one => one.caps)
    .reduce((a, b) =>
      a.map((one, index) => {
        const other = b[index] as CapVerdict
        return new Decimal(one.figure).gte(other.figure) ? one : other
      }),
    )
  return {
    interestMonthRate: highest('interestMonthRate'),
    interestYearRate: highest('interestYearRate'),
    allInMonthRate: highest('allInMonthRate'),
    lateMaxRate: highest('lateMaxRate'),
    verdict: dearest
      .map(one => one.verdict)
      .reduce<CapVerdict['verdict']>((a, b) => (worst[a] >= worst[b] ? a : b), 'ok'),
    caps: dearest,
  }
}
