/**
 * A row of a scorecard: what a fact adds while it lies in a range (above `binFrom`, up to and with `binTo`), has a value (`*` is any other one), or,
 * without any of them, is missing.
 */
export type CardBin = {
  fact: string
  binFrom?: string | undefined
  binTo?: string | undefined
  binValue?: string | undefined
  points: number
}
/** Points that begin a score, where it ends, and what each fact adds. */
export type Scorecard = { basePoints: number; scoreMin: number; scoreMax: number; bins: readonly CardBin[] }
/** What a fact can be. */
export type FactValue = number | boolean | string | null | undefined
/** What is wrong, in words and what they name. */
export type RuleFlaw = { key: string; params: Record<string, string | number> }
/** What one fact added, and how much less that is than the best it could have added. */
export type CardPart = { fact: string; points: number; lost: number; missing: boolean }
export type CardScore = { score: number; parts: CardPart[] }

/** Stands for any value that has no row of its own. */
export const anyOther = '*'
/** Most reasons of a score that auditors read. */
export const maxReasons = 5

const isMissing = (bin: CardBin) => bin.binFrom === undefined && bin.binTo === undefined && bin.binValue === undefined
const isRange = (bin: CardBin) => bin.binFrom !== undefined || bin.binTo !== undefined

/** The rows of each fact, in the order of the card. */
export const attributesOf = (bins: readonly CardBin[]): Map<string, CardBin[]> => {
  const found = new Map<string, CardBin[]>()
  for (const bin of bins) found.set(bin.fact, [...(found.get(bin.fact) ?? []), bin])
  return found
}

const byStart = (a: CardBin, b: CardBin) =>
  (a.binFrom === undefined ? Number.NEGATIVE_INFINITY : Number(a.binFrom)) -
  (b.binFrom === undefined ? Number.NEGATIVE_INFINITY : Number(b.binFrom))

const rangesFlaw = (fact: string, ranges: readonly CardBin[]): RuleFlaw | null => {
  const sorted = [...ranges].sort(byStart)
  const [first] = sorted
  const last = sorted.at(-1)
  if (first?.binFrom !== undefined)
    return { key: 'validation.binsGap', params: { fact, from: '−∞', to: first.binFrom } }
  for (const [at, bin] of sorted.entries()) {
    const next = sorted[at + 1]
    if (!next) break
    if (bin.binTo === undefined || next.binFrom === undefined || Number(bin.binTo) > Number(next.binFrom))
      return { key: 'validation.binsOverlap', params: { fact, at: next.binFrom ?? '−∞' } }
    if (Number(bin.binTo) < Number(next.binFrom))
      return { key: 'validation.binsGap', params: { fact, from: bin.binTo, to: next.binFrom } }
  }
  if (last?.binTo !== undefined) return { key: 'validation.binsGap', params: { fact, from: last.binTo, to: '∞' } }
  return sorted.some(bin => bin.binFrom !== undefined && Number(bin.binFrom) >= Number(bin.binTo ?? Infinity))
    ? { key: 'validation.binEmpty', params: { fact } }
    : null
}

const valuesFlaw = (fact: string, rows: readonly CardBin[]): RuleFlaw | null => {
  const values = rows.map(bin => bin.binValue as string)
  const twice = values.find((value, at) => values.indexOf(value) !== at)
  if (twice !== undefined) return { key: 'validation.binsOverlap', params: { fact, at: twice } }
  const isWhole = values.includes(anyOther) || (values.includes('true') && values.includes('false'))
  return isWhole ? null : { key: 'validation.binsOther', params: { fact } }
}

const attributeFlaw = (fact: string, rows: readonly CardBin[]): RuleFlaw | null => {
  const missing = rows.filter(isMissing)
  if (missing.length !== 1) return { key: 'validation.binsMissing', params: { fact } }
  const known = rows.filter(bin => !isMissing(bin))
  if (known.length < 2) return { key: 'validation.binsFew', params: { fact } }
  const ranges = known.filter(isRange)
  if (ranges.length === known.length && known.every(bin => bin.binValue === undefined)) return rangesFlaw(fact, known)
  return ranges.length === 0 ? valuesFlaw(fact, known) : { key: 'validation.binsMixed', params: { fact } }
}

/** Why rows are no scorecard: each fact has ranges or values without gap or overlap, and points for when it is missing. */
export const cardFlaw = (bins: readonly CardBin[]): RuleFlaw | null => {
  for (const [fact, rows] of attributesOf(bins)) {
    const found = attributeFlaw(fact, rows)
    if (found) return found
  }
  return bins.length ? null : { key: 'validation.infoComplete', params: {} }
}

/** Whether a value lies in a row that is not the one for missing values. */
const holds = (bin: CardBin, value: number | boolean | string): boolean => {
  if (bin.binValue !== undefined) return bin.binValue === String(value)
  if (typeof value !== 'number') return false
  return (
    (bin.binFrom === undefined || value > Number(bin.binFrom)) &&
    (bin.binTo === undefined || value <= Number(bin.binTo))
  )
}

/** The row that a value falls into. */
export const binOf = (rows: readonly CardBin[], value: FactValue): CardBin | undefined => {
  const missing = rows.find(isMissing)
  if (value === null || value === undefined) return missing
  const known = rows.filter(bin => !isMissing(bin))
  return known.find(bin => holds(bin, value)) ?? known.find(bin => bin.binValue === anyOther) ?? missing
}

/** Adds up a card in whole points; the same facts always give the same score, which ends where the card says. */
export const sumCard = (
  { basePoints, scoreMin, scoreMax, bins }: Scorecard,
  facts: Readonly<Record<string, unknown>>,
): CardScore => {
  const parts = [...attributesOf(bins)].map(([fact, rows]): CardPart => {
    const value = facts[fact] as FactValue
    const points = binOf(rows, value)?.points ?? 0
    const best = Math.max(...rows.map(row => row.points))
    return { fact, points, lost: best - points, missing: value === null || value === undefined }
  })
  const total = parts.reduce((sum, part) => sum + part.points, basePoints)
  return { score: Math.max(scoreMin, Math.min(scoreMax, total)), parts }
}

/** The facts that cost most points, the dearest first. */
export const costliest = (parts: readonly CardPart[]): CardPart[] =>
  parts
    .filter(part => part.lost > 0)
    .sort((a, b) => b.lost - a.lost || (a.fact < b.fact ? -1 : 1))
    .slice(0, maxReasons)

/** A text that is the same for equal contents, whatever the order of their fields: what the hash of a version is made of. */
export const canonical = (value: unknown): string => {
  if (Array.isArray(value)) return `[${value.map(canonical).join(',')}]`
  if (typeof value !== 'object' || value === null) return JSON.stringify(value) ?? 'null'
  const fields = Object.entries(value)
    .filter(([, one]) => one !== undefined && one !== null)
    .sort(([a], [b]) => (a < b ? -1 : 1))
  return `{${fields.map(([name, one]) => `${JSON.stringify(name)}:${canonical(one)}`).join(',')}}`
}
