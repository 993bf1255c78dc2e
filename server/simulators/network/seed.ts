import { createHash } from 'node:crypto'
import type { CaseCode, Chosen, PayInCase, RequestCase } from './cases.ts'

/** How often each case is drawn, in parts of the sum. */
export type Mix = Readonly<Partial<Record<CaseCode, number>>>

/** Payouts of a storm: most go well, every way to go wrong is there but those that only a statement shows. */
export const payoutMix = {
  G01: 50,
  G02: 5,
  G03: 6,
  G04: 5,
  G05: 3,
  G06: 3,
  G07: 2,
  G08: 3,
  G09: 2,
  G10: 2,
  G11: 2,
  G12: 3,
  G13: 1,
  G14: 2,
  G15: 4,
  G16: 3,
  G17: 2,
  G20: 1,
  G21: 1,
} as const satisfies Partial<Record<RequestCase, number>>

/** Payments of customers in a storm, likewise. */
export const payInMix = {
  R01: 60,
  R02: 12,
  R05: 6,
  R06: 6,
  R07: 4,
  R09: 4,
} as const satisfies Partial<Record<PayInCase, number>>

export const defaultMix: Mix = { ...payoutMix, ...payInMix }

/** A number from 0 to 1 that is the same for the same words. */
const share = (...words: readonly (string | number)[]): number =>
  createHash('sha256').update(words.join(' ')).digest().readUInt32BE(0) / 2 ** 32

/**
 * Draws the case of the `nth` operation of a party: the same seed and mix give the same cases whatever the order in
 * which orders arrive and whatever their numbers are. Null when the mix holds no case that may be drawn.
 */
export const draw = (
  seed: number,
  mix: Mix,
  o: { party: string; nth: number; cases: readonly CaseCode[]; variants: (code: CaseCode) => readonly string[] },
): Chosen | null => {
  const allowed = o.cases.flatMap(code => {
    const weight = mix[code] ?? 0
    return weight > 0 ? [{ code, weight }] : []
  })
  let left = share(seed, o.party, o.nth) * allowed.reduce((total, { weight }) => total + weight, 0)
  const drawn = allowed.find(({ weight }) => {
    left -= weight
    return left < 0
  })
  if (!drawn) return null
  const variants = o.variants(drawn.code)
  return {
    code: drawn.code,
    variant: variants[Math.floor(share(seed, o.party, o.nth, 'variant') * variants.length)] ?? null,
  }
}
