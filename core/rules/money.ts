import { Decimal as DecimalJs } from 'decimal.js'

/** An exact amount in shillings as a decimal string with two places, e.g. `"120000.00"`; `numeric(18,2)` in SQL. */
export type Money = string

/** How a computed amount is rounded: to a multiple of `unit`, with `mode` deciding the halves. */
export type Rounding = { unit: '0.01' | '1'; mode: 'half_up' | 'half_even' }

/** Decimals with room for any rate times any amount; never use the library's default precision for money. */
export const Decimal = DecimalJs.clone({ precision: 60 })
/** A number that is not yet rounded to money. */
export type Exact = DecimalJs

export const zeroMoney: Money = '0.00'
/** Half up to 0.01: the rounding of every computed component unless the product says otherwise. */
export const toCent: Rounding = { unit: '0.01', mode: 'half_up' }
/** Half up to whole shillings: payouts, refunds, links and transfers. */
export const toShilling: Rounding = { unit: '1', mode: 'half_up' }

const accepted = /^-?\d+(\.\d{1,2})?$/
const modes = { half_up: Decimal.ROUND_HALF_UP, half_even: Decimal.ROUND_HALF_EVEN } as const

/** Cents of an amount. @throws TypeError on anything that is not a decimal of at most two places. */
const cents = (amount: Money): bigint => {
  if (!accepted.test(amount)) throw new TypeError(`not an amount: ${amount}`)
  const dot = amount.indexOf('.')
  if (dot < 0) return BigInt(amount) * 100n
  return BigInt(amount.slice(0, dot) + amount.slice(dot + 1).padEnd(2, '0'))
}

const fromCents = (value: bigint): Money => {
  const digits = (value < 0n ? -value : value).toString().padStart(3, '0')
  return `${value < 0n ? '-' : ''}${digits.slice(0, -2)}.${digits.slice(-2)}`
}

/** The two-place form of an amount, so that equal amounts are equal strings: `"5"` → `"5.00"`. */
export const money = (amount: string): Money => fromCents(cents(amount))

export const add = (a: Money, b: Money): Money => fromCents(cents(a) + cents(b))
export const sub = (a: Money, b: Money): Money => fromCents(cents(a) - cents(b))
export const neg = (a: Money): Money => fromCents(-cents(a))
export const sum = (amounts: Iterable<Money>): Money => {
  let total = 0n
  for (const amount of amounts) total += cents(amount)
  return fromCents(total)
}

/** Negative, zero or positive, as for `Array.prototype.sort`. */
export const cmp = (a: Money, b: Money): -1 | 0 | 1 => {
  const difference = cents(a) - cents(b)
  return difference < 0n ? -1 : difference > 0n ? 1 : 0
}
export const eq = (a: Money, b: Money): boolean => cmp(a, b) === 0
export const gt = (a: Money, b: Money): boolean => cmp(a, b) > 0
export const lt = (a: Money, b: Money): boolean => cmp(a, b) < 0
export const gte = (a: Money, b: Money): boolean => cmp(a, b) >= 0
export const lte = (a: Money, b: Money): boolean => cmp(a, b) <= 0
export const min = (first: Money, ...rest: Money[]): Money => money(rest.reduce((a, b) => (lt(b, a) ? b : a), first))
export const max = (first: Money, ...rest: Money[]): Money => money(rest.reduce((a, b) => (gt(b, a) ? b : a), first))
export const isZero = (a: Money): boolean => cents(a) === 0n
export const isNegative = (a: Money): boolean => cents(a) < 0n
export const isPositive = (a: Money): boolean => cents(a) > 0n
/** Whether an amount is whole shillings. */
export const isWhole = (a: Money): boolean => cents(a) % 100n === 0n

/** The one place where a computed number becomes money. */
export const round = (value: DecimalJs.Value, { unit, mode }: Rounding = toCent): Money =>
  new Decimal(value)
    .toNearest(unit, modes[mode])
    .toFixed(2)
    .replace(/^-(0\.00)$/, '$1')

/** An amount times a plain factor (`"0.5"` is a half), rounded once. */
export const mul = (amount: Money, factor: string, rounding?: Rounding): Money =>
  round(new Decimal(amount).times(factor), rounding)

/** A rate in percent of an amount: `percent("200000.00", "8")` is `"16000.00"`. */
export const percent = (amount: Money, rate: string, rounding?: Rounding): Money =>
  round(new Decimal(amount).times(rate).div(100), rounding)

export const toWhole = (amount: Money): Money => round(amount, toShilling)

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

/** What a person typed, as money, or null: thousands separators are dropped; exponents, more than two decimals and junk refused. */
export const parseMoneyInput = (text: string, { negative = false } = {}): Money | null => {
  const plain = text.trim().replaceAll(',', '')
  if (!/^-?\d{1,16}(\.\d{1,2})?$/.test(plain) || (!negative && plain.startsWith('-'))) return null
  return money(plain)
}

/** For people: thousands separators, no trailing `.00`, no currency: `"1,240,000"`, `"1,240,000.50"`. */
export const formatMoney = (amount: Money): string => {
  const [whole = '', fraction] = money(amount).split('.')
  const grouped = whole.replace(/\B(?=(\d{3})+$)/g, ',')
  return fraction === '00' ? grouped : `${grouped}.${fraction}`
}
