/** Amounts of the model: whole cents, reckoned without the product's own rules for money. */
export type Cents = number

export const cents = (amount: string): Cents => Math.round(Number(amount) * 100)
export const money = (amount: Cents): string => (amount / 100).toFixed(2)

/** `top / bottom`, halves up, to a multiple of `unit` cents; for amounts that are not below nothing. */
export const ratio = (top: bigint, bottom: bigint, unit: Cents = 1): Cents => {
  const step = bottom * BigInt(unit)
  return Number((2n * top + step) / (2n * step)) * unit
}

const parts = 10_000n
/** A rate in percent as a whole number of its ten-thousandths. */
const rateOf = (rate: string): bigint => BigInt(Math.round(Number(rate) * Number(parts)))

/** A rate in percent of an amount, `times` over. */
export const percent = (amount: Cents, rate: string, o: { times?: number; unit?: Cents } = {}): Cents =>
  ratio(BigInt(amount) * rateOf(rate) * BigInt(o.times ?? 1), 100n * parts, o.unit)

/** Equal shares; the last takes what the others leave. */
export const shares = (total: Cents, count: number, unit: Cents): Cents[] => {
  const each = ratio(BigInt(total), BigInt(count), unit)
  return Array.from({ length: count }, (_, index) => (index < count - 1 ? each : total - each * (count - 1)))
}

export const total = (amounts: Iterable<Cents>): Cents => [...amounts].reduce((sum, amount) => sum + amount, 0)

const dayMs = 86_400_000
const kampala = 3 * 3_600_000
export const dayOf = (at: Date | string): string =>
  new Date(new Date(at).getTime() + kampala).toISOString().slice(0, 10)
export const plusDays = (date: string, days: number): string =>
  new Date(Date.parse(date) + days * dayMs).toISOString().slice(0, 10)
export const daysFrom = (from: string, to: string): number => Math.round((Date.parse(to) - Date.parse(from)) / dayMs)
export const latest = (...dates: readonly string[]): string => [...dates].sort().at(-1) as string
export const earliest = (...dates: readonly string[]): string => [...dates].sort()[0] as string
