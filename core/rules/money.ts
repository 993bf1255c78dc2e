import { Decimal as DecimalJs } from 'decimal.js'
import { isNegative, type Money, neg, sub, sum } from './amount.ts'

/** The exact part, free of the decimal library: what a browser needs to show and compare amounts imports it directly. */
export * from './amount.ts'

/** How a computed amount is rounded: to cents or whole shillings, halves away from zero or to the even neighbour. */
export type Rounding = { unit: '0.01' | '1'; mode: 'half_up' | 'half_even' }

/** Decimals with room for any rate times any amount; never use the library's default precision for money. */
export const Decimal = DecimalJs.clone({ precision: 60 })
/** A number that is not yet rounded to money. */
export type Exact = DecimalJs

/** Half up to 0.01: the rounding of every computed component unless the product says otherwise. */
export const toCent: Rounding = { unit: '0.01', mode: 'half_up' }
/** Half up to whole shillings: payouts, refunds, links and transfers. */
export const toShilling: Rounding = { unit: '1', mode: 'half_up' }

const modes = {
  half_up: Decimal.ROUND_HALF_UP,
  half_even: Decimal.ROUND_HALF_EVEN,
} as const satisfies Record<Rounding['mode'], DecimalJs.Rounding>

/**
 * The one place where a computed number becomes money: rounds to a unit (a cent unless given), half up unless the terms say half even.
 * @returns two decimals as text: `"1240.50"`
 */
export const round = (value: DecimalJs.Value, { unit, mode }: Rounding = toCent): Money =>
  new Decimal(value).toNearest(unit, modes[mode]).toFixed(2)

/** An amount times a plain factor (`"0.5"` is a half), rounded once. */
export const mul = (amount: Money, factor: string, rounding?: Rounding): Money =>
  round(new Decimal(amount).times(factor), rounding)

/** A rate in percent of an amount: `percent("200000.00", "8")` is `"16000.00"`. */
export const percent = (amount: Money, rate: string, rounding?: Rounding): Money =>
  round(new Decimal(amount).times(rate).div(100), rounding)

/** Rounds to whole shillings: the networks move nothing smaller. */
export const toWhole = (amount: Money): Money => round(amount, toShilling)

/** The whole shillings in an amount of 0 or more. */
export const wholePart = (amount: Money): Money => new Decimal(amount).floor().toFixed(2)

/**
 * Rounds parts so that they add up to `total` exactly: each is rounded by itself and the last takes the remainder.
 * Where that would leave the last one short of zero, all are rounded down instead.
 */
export const distribute = (total: Money, exact: readonly DecimalJs.Value[], rounding: Rounding = toCent): Money[] => {
  const rounded = exact.slice(0, -1).map(part => round(part, rounding))
  const last = sub(total, sum(rounded))
  if (!isNegative(last)) return [...rounded, last]
  const down = exact
    .slice(0, -1)
    .map(part => new Decimal(part).toNearest(rounding.unit, Decimal.ROUND_FLOOR).toFixed(2))
  return [...down, sub(total, sum(down))]
}

/** Splits an amount into `parts` equal shares; the last takes the remainder. */
export const split = (total: Money, parts: number, rounding?: Rounding): Money[] => {
  if (!Number.isInteger(parts) || parts < 1) throw new RangeError(`cannot split into ${parts} parts`)
  if (isNegative(total)) return split(neg(total), parts, rounding).map(neg)
  return distribute(total, Array<Exact>(parts).fill(new Decimal(total).div(parts)), rounding)
}
