import { expressionOf } from './expression.ts'
import type { FactValues } from './facts.ts'
import type { Rule, RuleSet, RuleStage, ruleResults } from './rule.ts'

/** What a rule found, with the facts that it looked at. */
export type RuleFound = {
  ruleSetNo: string
  versionNo: string
  ruleNo: string
  ruleAction: Rule['ruleAction']
  ruleMode: Rule['ruleMode']
  outcome: (typeof ruleResults)[number]
  refuseCode: string | null
  downgradeSteps: number
  /** It is enforced and counts: a hit, or a rule that cannot tell and asks for an auditor. */
  acts: boolean
  values: FactValues
}

/** What all rules come to. */
export type RulesSaid = {
  /** The first one gives the code; in the order of stages, sets and rules. */
  refusals: { ruleNo: string; refuseCode: string }[]
  isDoubtful: boolean
  downgradeSteps: number
}

const looked = (facts: FactValues, names: readonly string[]): FactValues =>
  Object.fromEntries(names.map(name => [name, facts[name] ?? null]))

const ask = (set: RuleSet, rule: Rule, facts: FactValues): RuleFound => {
  const { factsUsed, run } = expressionOf(rule.expression)
  const value = run(facts)
  const outcome = value === null ? 'unknown' : value ? 'hit' : 'miss'
  const counts = outcome === 'hit' || (outcome === 'unknown' && rule.onMissing === 'review')
  return {
    ruleSetNo: set.ruleSetNo,
    versionNo: set.versionNo,
    ruleNo: rule.ruleNo,
    ruleAction: rule.ruleAction,
    ruleMode: rule.ruleMode,
    outcome,
    refuseCode: rule.refuseCode ?? null,
    downgradeSteps: rule.downgradeSteps ?? 0,
    acts: counts && rule.ruleMode === 'enforce',
    values: looked(facts, factsUsed),
  }
}

const isRefusal = (found: RuleFound) => found.acts && found.outcome === 'hit' && found.ruleAction === 'refuse'

const runSet = (set: RuleSet, facts: FactValues): RuleFound[] => {
  const found: RuleFound[] = []
  for (const rule of set.rules) {
    if (rule.ruleMode === 'off') continue
    const one = ask(set, rule, facts)
    found.push(one)
    if (set.executeMode === 'first_hit' && isRefusal(one)) break
  }
  return found
}

/** Runs the sets of some stages over facts; the same facts and versions always find the same. */
export const runRules = (
  sets: readonly RuleSet[],
  facts: FactValues,
  { stages, whitelisted }: { stages: readonly RuleStage[]; whitelisted: boolean },
): RuleFound[] =>
  stages.flatMap(stage =>
    sets.filter(set => set.stage === stage && !(whitelisted && set.whitelistSkips)).flatMap(set => runSet(set, facts)),
  )

/** What findings come to. Only what is enforced counts, and what is not known never refuses. */
export const sayRules = (found: readonly RuleFound[]): RulesSaid => {
  const acting = found.filter(one => one.acts)
  const hits = acting.filter(one => one.outcome === 'hit')
  return {
    refusals: hits
      .filter(one => one.ruleAction === 'refuse')
      .map(({ ruleNo, refuseCode }) => ({ ruleNo, refuseCode: refuseCode ?? '' })),
    isDoubtful: acting.some(one => one.outcome === 'unknown' || one.ruleAction === 'review'),
    downgradeSteps: hits.reduce((sum, one) => sum + (one.ruleAction === 'downgrade' ? one.downgradeSteps : 0), 0),
  }
}
