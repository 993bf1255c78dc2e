import { z } from 'zod'
import { formatMoney, gte, isPositive, isWhole, lte } from '../money.ts'
import { moneyFormat, rateFormat } from '../text/formats.ts'
import { type Component, components } from './components.ts'

/** Single values end the check: the rules between them are only asked of values that are in order. */
const wholeAmount = z
  .string()
  .regex(moneyFormat, { error: 'validation.moneyFormat', abort: true })
  .refine(value => isWhole(value) && isPositive(value), { error: 'validation.wholeShillings', abort: true })
const rate = z.string().regex(rateFormat, { error: 'validation.rateFormat', abort: true })
const days = (min: number, max = 365) => z.int().min(min).max(max)

/** A price that is either a percentage of something or a fixed amount. */
const charge = {
  basis: z.enum(['rate', 'amount']),
  /** Percent for `rate`, money for `amount`. */
  value: z.string(),
}
const checkCharge = ({ basis, value }: { basis: 'rate' | 'amount'; value: string }): boolean =>
  (basis === 'rate' ? rateFormat : moneyFormat).test(value)
const fee = z
  .strictObject({ ...charge, taken: z.enum(['upfront', 'spread']) })
  .refine(checkCharge, { path: ['value'], error: 'validation.chargeFormat', abort: true })

/**
 * What a customer agreed to: the prices and rules of a product, frozen on the order when its terms become final.
 * Every rate is in percent with at most four decimals (`"0.0800"` is 0.08 %); amounts are money.
 */
export const Terms = z
  .strictObject({
    track: z.enum(['case', 'stage']),
    termDays: days(1),
    /** 1 on the case track, 2–24 on the stage track; divides `termDays`. */
    installmentCount: z.int().min(1).max(24),
    /** Whole shillings; the step divides both. */
    minAmount: wholeAmount,
    maxAmount: wholeAmount,
    amountStep: wholeAmount,
    /** Per day, on the loan amount (`flat`) or on the principal not yet due (`declining`). */
    interest: z.strictObject({ method: z.enum(['flat', 'declining']), ratePerDay: rate }),
    /** A `rate` is of the loan amount; `upfront` is kept back from the payout, `spread` is owed in the bills. */
    serviceFee: fee,
    managementFee: fee,
    /** Per day after the grace days, on what is unpaid of principal, interest and fees; in all at most `capRate` of the bill. */
    lateFee: z.strictObject({ ratePerDay: rate, capRate: rate }),
    /** Once per bill, as soon as it is more than `afterDays` overdue; a `rate` is of the same base as the late fee. */
    liquidatedDamages: z
      .strictObject({ afterDays: days(1), ...charge })
      .refine(checkCharge, { path: ['value'], error: 'validation.chargeFormat', abort: true }),
    /** A bill may be put off `max` times by `days`, for `feeRate` of its unpaid principal, while not more than `maxOverdueDays` overdue. */
    extension: z.strictObject({
      feeRate: rate,
      days: days(0),
      max: z.int().min(0).max(12),
      maxOverdueDays: days(0).optional(),
    }),
    graceDays: days(0, 30),
    /** Inside a bill; all six components, principal last or first. */
    allocation: z.array(z.enum(components)).length(components.length),
    /** Whether paying early forgives the interest and spread fees of the days not used. */
    earlySettlement: z.enum(['full', 'proRata']),
    rounding: z.strictObject({ unit: z.enum(['0.01', '1']), mode: z.enum(['half_up', 'half_even']) }),
    /** Steps of manual review; `manualReview` false lets machine review approve. */
    auditStepCount: z.int().min(1).max(2),
    manualReview: z.boolean(),
    /** Without manual review: up to this amount, above it a person decides. */
    autoApproveMax: wholeAmount.optional(),
  })
  .check(({ value: terms, issues }) => {
    const refuse = (path: string[], message: string) => issues.push({ code: 'custom', path, message, input: terms })
    const { minAmount, maxAmount, amountStep, installmentCount, allocation, extension } = terms
    if (!lte(minAmount, maxAmount)) refuse(['maxAmount'], 'validation.amountRange')
    if (!divides(amountStep, minAmount) || !divides(amountStep, maxAmount))
      refuse(['amountStep'], 'validation.amountStep')
    if ((installmentCount === 1) !== (terms.track === 'case'))
      refuse(['installmentCount'], 'validation.installmentCount')
    if (terms.termDays % installmentCount !== 0) refuse(['termDays'], 'validation.termMultiple')
    for (const name of ['serviceFee', 'managementFee'] as const)
      if (terms[name].basis === 'amount' && terms[name].taken === 'upfront' && gte(terms[name].value, minAmount))
        refuse([name, 'value'], 'validation.feeBelowMinAmount')
    if (extension.max > 0 && extension.days < 1) refuse(['extension', 'days'], 'validation.extensionDays')
    const complete = new Set(allocation).size === components.length
    if (!complete || (allocation[0] !== 'principal' && allocation.at(-1) !== 'principal'))
      refuse(['allocation'], 'validation.allocationOrder')
  })
export type Terms = z.output<typeof Terms>

/** Days from one installment of a product to the next. */
export const periodDays = ({ termDays, installmentCount }: Terms): number => termDays / installmentCount

/** The order of a payment inside a bill unless the product says otherwise. */
export const defaultAllocation: Component[] = [...components]

const divides = (step: string, whole: string): boolean =>
  BigInt(whole.split('.')[0] ?? 0) % BigInt(step.split('.')[0] ?? 1) === 0n

/** Why a product does not lend an amount: a text key, and the values of its places. */
export type AmountRefusal = {
  words: 'validation.wholeShillings' | 'validation.amountOutOfRange' | 'validation.amountOffStep'
  step: string
}

/** Why a product does not lend this amount, or null. */
export const amountRefusal = (terms: Terms, loanAmount: string): AmountRefusal | null => {
  const refused = (words: AmountRefusal['words']) => ({ words, step: formatMoney(terms.amountStep) })
  if (!isWhole(loanAmount)) return refused('validation.wholeShillings')
  if (!gte(loanAmount, terms.minAmount) || !lte(loanAmount, terms.maxAmount))
    return refused('validation.amountOutOfRange')
  return divides(terms.amountStep, loanAmount) ? null : refused('validation.amountOffStep')
}
