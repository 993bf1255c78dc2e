import type { RuleFlaw } from './scorecard.ts'

/** What a level is decided as. */
export type BandDecision = 'approve' | 'review' | 'refuse'
/** Scores from one to another, both included, of the first or the later loans; the share of the greatest amount that is offered, in percent. */
export type Band = {
  loanKind: 'first' | 'repeat'
  modelLevel: string
  scoreFrom: number
  scoreTo: number
  bandDecision: BandDecision
  maxAmountRate: string
}
export type ScoreRange = { scoreMin: number; scoreMax: number }

const strictness: Record<BandDecision, number> = { approve: 0, review: 1, refuse: 2 }
const flaw = (key: string, kind: Band['loanKind'], params: RuleFlaw['params']): RuleFlaw => ({
  key,
  params: { kind: `dict.LOAN_KIND.${kind}`, ...params },
})
const gap = (kind: Band['loanKind'], from: number, to: number) => flaw('validation.bandGap', kind, { from, to })

/** Both neighbours of a border, the lower one first. */
const pairFlaw = (kind: Band['loanKind'], low: Band, high: Band): RuleFlaw | null => {
  if (high.scoreFrom > low.scoreTo + 1) return gap(kind, low.scoreTo + 1, high.scoreFrom - 1)
  if (high.scoreFrom <= low.scoreTo)
    return flaw('validation.bandOverlap', kind, { from: high.scoreFrom, to: Math.min(low.scoreTo, high.scoreTo) })
  // Level A is the best: it stands above B.
  if (low.modelLevel <= high.modelLevel)
    return flaw('validation.bandLevels', kind, { low: low.modelLevel, high: high.modelLevel })
  return strictness[low.bandDecision] < strictness[high.bandDecision]
    ? flaw('validation.bandMilder', kind, { low: low.modelLevel, high: high.modelLevel })
    : null
}

const kindFlaw = (kind: Band['loanKind'], bands: readonly Band[], { scoreMin, scoreMax }: ScoreRange) => {
  const sorted = [...bands].sort((a, b) => a.scoreFrom - b.scoreFrom)
  const [first] = sorted
  const last = sorted.at(-1)
  if (!first || !last) return gap(kind, scoreMin, scoreMax)
  const upside = sorted.find(band => band.scoreFrom > band.scoreTo)
  if (upside) return flaw('validation.bandUpside', kind, { from: upside.scoreFrom, to: upside.scoreTo })
  if (first.scoreFrom < scoreMin || last.scoreTo > scoreMax)
    return flaw('validation.bandOutside', kind, { from: scoreMin, to: scoreMax })
  if (first.scoreFrom > scoreMin) return gap(kind, scoreMin, first.scoreFrom - 1)
  for (const [at, low] of sorted.entries()) {
    const high = sorted[at + 1]
    const found = high && pairFlaw(kind, low, high)
    if (found) return found
  }
  return last.scoreTo < scoreMax ? gap(kind, last.scoreTo + 1, scoreMax) : null
}

/** Why bands may not be in force: they cover all scores once, levels fall with the score, decisions get no milder downwards. */
export const bandsFlaw = (bands: readonly Band[], range: ScoreRange): RuleFlaw | null =>
  kindFlaw(
    'first',
    bands.filter(band => band.loanKind === 'first'),
    range,
  ) ??
  kindFlaw(
    'repeat',
    bands.filter(band => band.loanKind === 'repeat'),
    range,
  )

/** The band that a score of a first or a later loan lies in; a score outside the range has none. */
export const bandOf = (bands: readonly Band[], loanKind: string, score: number): Band | undefined =>
  bands.find(band => band.loanKind === loanKind && band.scoreFrom <= score && score <= band.scoreTo)
