/** An exact amount in shillings as a decimal string with two places, e.g. `"120000.00"`; `numeric(18,2)` in SQL. */
export type Money = string

/** Nothing, as an amount. */
export const zeroMoney: Money = '0.00'

const accepted = /^-?\d+(\.\d{1,2})?$/

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

/** a + b. Amounts are exact: they are computed in cents. */
export const add = (a: Money, b: Money): Money => fromCents(cents(a) + cents(b))
/** a − b. */
export const sub = (a: Money, b: Money): Money => fromCents(cents(a) - cents(b))
/** −a. */
export const neg = (a: Money): Money => fromCents(-cents(a))
/** The sum of any number of amounts; 0.00 of none. */
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
/** a = b. */
export const eq = (a: Money, b: Money): boolean => cmp(a, b) === 0
/** a > b. */
export const gt = (a: Money, b: Money): boolean => cmp(a, b) > 0
/** a < b. */
export const lt = (a: Money, b: Money): boolean => cmp(a, b) < 0
/** a ≥ b. */
export const gte = (a: Money, b: Money): boolean => cmp(a, b) >= 0
/** a ≤ b. */
export const lte = (a: Money, b: Money): boolean => cmp(a, b) <= 0
/** The smallest of several amounts. */
export const min = (first: Money, ...rest: Money[]): Money => money(rest.reduce((a, b) => (lt(b, a) ? b : a), first))
/** The largest of several amounts. */
export const max = (first: Money, ...rest: Money[]): Money => money(rest.reduce((a, b) => (gt(b, a) ? b : a), first))
/** Whether an amount is 0.00. */
export const isZero = (a: Money): boolean => cents(a) === 0n
/** Whether an amount is below 0.00. */
export const isNegative = (a: Money): boolean => cents(a) < 0n
/** Whether an amount is above 0.00. */
export const isPositive = (a: Money): boolean => cents(a) > 0n
/** Whether an amount is whole shillings. */
export const isWhole = (a: Money): boolean => cents(a) % 100n === 0n

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

/** What is being typed, with separators: junk and a second point go, what a point promises stays. */
export const formatTyped = (text: string): string => {
  const [whole = '', ...rest] = text.replace(/[^\d.]/g, '').split('.')
  const grouped = whole.replace(/\B(?=(\d{3})+$)/g, ',')
  return rest.length ? `${grouped}.${rest.join('').slice(0, 2)}` : grouped
}

/** How many digits and points stand before a place in a text. */
export const digitsBefore = (text: string, at: number): number => text.slice(0, at).replace(/[^\d.]/g, '').length

/** The place in a text behind a number of digits and points. */
export const caretAfter = (text: string, digits: number): number => {
  if (digits === 0) return 0
  let seen = 0
  for (const [at, letter] of [...text].entries()) {
    if (letter !== ',') seen += 1
    if (seen === digits) return at + 1
  }
  return text.length
}
