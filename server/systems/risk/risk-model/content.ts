import { createHash } from 'node:crypto'
import { type CardBin, canonical, costliest, type Scorecard, sumCard } from '../../../../core/rules/risk/scorecard.ts'

/** What a version of a model is made of; none of it ever changes. */
export type ModelContent = {
  modelKind: 'scorecard' | 'external'
  scoreMin: number
  scoreMax: number
  basePoints: number | null
  bins: readonly CardBin[] | null
  endpoint: string | null
  factKeys: readonly string[] | null
}

/** Facts of one evaluation by name, flat: `history.settledCount`. */
export type FactValues = Readonly<Record<string, unknown>>
/** What a version says of some facts, with the facts that cost most points; null where it says nothing. */
export type CardAnswer = {
  score: number
  reasons: string[]
  missing: string[]
  /** What each fact added, where it added anything. */
  points: { fact: string; points: number }[]
}
/** Facts and the score that they gave when a version was tested. */
export type Example = { facts: FactValues; score: number }

/** Examples that a version is checked by before it is used. */
export const exampleCount = 20

/** The hash of a version: equal contents have the same one, whatever the order of their fields. */
export const hashOf = ({ modelKind, scoreMin, scoreMax, basePoints, bins, endpoint, factKeys }: ModelContent): string =>
  createHash('sha256')
    .update(canonical({ modelKind, scoreMin, scoreMax, basePoints, bins, endpoint, factKeys }))
    .digest('hex')

/** The facts that a version looks at. */
export const factsUsed = ({ bins, factKeys }: Pick<ModelContent, 'bins' | 'factKeys'>): string[] => [
  ...new Set(bins ? bins.map(bin => bin.fact) : (factKeys ?? [])),
]

/** The facts that a version is given: its own, and no others. */
export const factsFor = (content: ModelContent, facts: FactValues): FactValues =>
  Object.fromEntries(factsUsed(content).flatMap(name => (facts[name] == null ? [] : [[name, facts[name]]])))

/** The sum of a scorecard over facts. */
export const cardAnswer = (content: ModelContent, facts: FactValues): CardAnswer => {
  const { score, parts } = sumCard(content as unknown as Scorecard, facts)
  return {
    score,
    reasons: costliest(parts).map(part => part.fact),
    missing: parts.filter(part => part.missing).map(part => part.fact),
    points: parts.filter(part => part.points !== 0).map(({ fact, points }) => ({ fact, points })),
  }
}

/** Whether a stored version is still the one that was tested: its hash, and the scores of its examples. */
export const isIntact = (content: ModelContent & { sha256: string }, examples: readonly Example[]): boolean =>
  hashOf(content) === content.sha256 &&
  (content.modelKind === 'external' || examples.every(({ facts, score }) => cardAnswer(content, facts).score === score))
