/** How many decisions had a score, and how many of them are known to have gone wrong or well. */
export type ScoreCount = { score: number; scored: number; good: number; bad: number }

/** Fewer known outcomes than this say nothing about a model. */
export const fewestKnown = 200
/** What an empty class counts as, so that its logarithm exists: a hundredth of a percent. */
const least = 0.0001

/** Scores in classes of one width from the lowest to the highest; the last class holds the highest score too. */
export const histogram = (
  counts: readonly Pick<ScoreCount, 'score' | 'scored'>[],
  { scoreMin, scoreMax, classes = 20 }: { scoreMin: number; scoreMax: number; classes?: number },
): number[] => {
  const found = Array.from({ length: classes }, () => 0)
  const width = (scoreMax - scoreMin) / classes
  for (const { score, scored } of counts) {
    const at = Math.min(classes - 1, Math.max(0, Math.floor((score - scoreMin) / width)))
    found[at] = (found[at] ?? 0) + scored
  }
  return found
}

const sum = (values: readonly number[]) => values.reduce((a, b) => a + b, 0)

/** Population stability index of two histograms: Σ (now − then) × ln(now ÷ then) over shares; null where one of them is empty. */
export const psi = (then: readonly number[], now: readonly number[]): number | null => {
  const [all, allNow] = [sum(then), sum(now)]
  if (all === 0 || allNow === 0 || then.length !== now.length) return null
  return sum(
    then.map((count, at) => {
      const expected = Math.max(least, count / all)
      const actual = Math.max(least, (now[at] ?? 0) / allNow)
      return (actual - expected) * Math.log(actual / expected)
    }),
  )
}

/** Outcomes by score, each score once, the lowest first. */
const byScore = (counts: readonly Pick<ScoreCount, 'score' | 'good' | 'bad'>[]) => {
  const merged = new Map<number, { good: number; bad: number }>()
  for (const { score, good, bad } of counts) {
    const held = merged.get(score) ?? { good: 0, bad: 0 }
    merged.set(score, { good: held.good + good, bad: held.bad + bad })
  }
  return [...merged].sort(([a], [b]) => a - b).map(([, held]) => held)
}

/**
 * How well scores part good from bad. AUC: the chance that a good one scores above a bad one, ties for half. KS: the greatest distance of
 * both distributions. Null where either kind is absent or fewer than {@link fewestKnown} are known.
 */
export const separation = (
  counts: readonly Pick<ScoreCount, 'score' | 'good' | 'bad'>[],
  fewest: number = fewestKnown,
): { known: number; auc: number | null; ks: number | null } => {
  const sorted = byScore(counts)
  const [good, bad] = [sum(sorted.map(one => one.good)), sum(sorted.map(one => one.bad))]
  const known = good + bad
  if (known < fewest || good === 0 || bad === 0) return { known, auc: null, ks: null }
  let [goodBelow, badBelow, above, ks] = [0, 0, 0, 0]
  for (const one of sorted) {
    above += one.good * (badBelow + one.bad / 2)
    goodBelow += one.good
    badBelow += one.bad
    ks = Math.max(ks, Math.abs(badBelow / bad - goodBelow / good))
  }
  return { known, auc: above / (good * bad), ks }
}

/** What a stability index means at the thresholds of a model. */
export const psiVerdict = (value: number | null, look: number, act: number): 'stable' | 'look' | 'act' | null =>
  value === null ? null : value >= act ? 'act' : value >= look ? 'look' : 'stable'
