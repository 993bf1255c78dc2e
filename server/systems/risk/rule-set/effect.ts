import type { Rule } from '../../../../core/rules/risk/rule.ts'
import type { Tx } from '../../../db/database.ts'
import { figuresOf, nothing } from '../rule-test/count.ts'
import { rulesIn } from './checks.ts'
import { testOf } from './tested.ts'

type Values = Record<string, unknown>

/** How many rules differ: changed, added or taken away. */
const changedRules = (before: readonly Rule[], after: readonly Rule[]): number => {
  const old = new Map(before.map(rule => [rule.ruleNo, JSON.stringify(Object.entries(rule).sort())]))
  const changed = after.filter(rule => old.get(rule.ruleNo) !== JSON.stringify(Object.entries(rule).sort())).length
  return changed + before.filter(rule => !after.some(one => one.ruleNo === rule.ruleNo)).length
}

/** What a version would change of past orders, as its newest test found; of none where it was not tested. */
export const ruleEffect = async (
  tx: Tx,
  { item, content, inForce }: { item: Values; content: Values; inForce: Values | null },
) => {
  const test = await testOf(tx, { item, content })
  const found = figuresOf(test?.result ?? nothing())
  return {
    changedRules: changedRules(rulesIn(inForce), rulesIn(content)),
    sampleCount: test?.sampleCount ?? 0,
    refusedBefore: found.refusedBefore,
    refusedAfter: found.refusedAfter,
    newlyRefused: found.swapOut,
    knownRefused: found.knownRefused,
    badRefused: found.badRefused,
    newlyPassed: found.swapIn,
  }
}
