import { sql } from 'kysely'
import type { FactValues } from '../../../../core/rules/risk/facts.ts'
import type { Rule, RuleSet } from '../../../../core/rules/risk/rule.ts'
import { runRules, sayRules } from '../../../../core/rules/risk/rule-sets.ts'
import type { Tx } from '../../../db/database.ts'
import { rulesIn } from './checks.ts'

type Values = Record<string, unknown>
type Sample = {
  facts: FactValues
  modelScore: number | null
  modelLevel: string | null
  loanKind: string
  productNo: string
  merchantNo: string
  lists: { listEffect: string }[]
}

/** Most stored applications that a change is tried on. */
const mostSamples = 5_000

const setOf = (item: Values, content: Values | null): RuleSet => ({
  ruleSetNo: String(item.ruleSetNo),
  versionNo: '',
  stage: item.stage as RuleSet['stage'],
  executeMode: (content?.executeMode as RuleSet['executeMode'] | undefined) ?? 'all',
  whitelistSkips: Boolean(content?.whitelistSkips),
  rules: rulesIn(content),
})

const speaksOf = (content: Values | null, sample: Sample): boolean =>
  (
    [
      ['merchantNos', sample.merchantNo],
      ['productNos', sample.productNo],
      ['loanKinds', sample.loanKind],
    ] as const
  ).every(([name, value]) => {
    const named = (content?.[name] as string[] | undefined) ?? []
    return named.length === 0 || named.includes(value)
  })

const refuses = (set: RuleSet, content: Values | null, sample: Sample): boolean => {
  if (!speaksOf(content, sample)) return false
  const facts = { ...sample.facts, 'model.score': sample.modelScore, 'model.level': sample.modelLevel }
  const whitelisted = sample.lists.some(hit => hit.listEffect === 'skip')
  return sayRules(runRules([set], facts, { stages: [set.stage], whitelisted })).refusals.length > 0
}

/** How many rules differ: changed, added or taken away. */
const changedRules = (before: readonly Rule[], after: readonly Rule[]): number => {
  const old = new Map(before.map(rule => [rule.ruleNo, JSON.stringify(Object.entries(rule).sort())]))
  const changed = after.filter(rule => old.get(rule.ruleNo) !== JSON.stringify(Object.entries(rule).sort())).length
  return changed + before.filter(rule => !after.some(one => one.ruleNo === rule.ruleNo)).length
}

/** What a version would have refused of the stored applications of 30 days, by what was known of them then. */
export const ruleEffect = async (
  tx: Tx,
  { item, content, inForce }: { item: Values; content: Values; inForce: Values | null },
) => {
  const samples = await tx.rows(sql<Sample>`
    select f.facts, (d.inputs #>> '{scoring,modelScore}')::int as model_score, d.inputs #>> '{scoring,modelLevel}' as model_level, d.list_hits as lists,
      o.loan_kind, o.product_no, o.merchant_no
    from risk_decision d join risk_fact_snapshot f using (order_no, eval_no) join loan_order o using (order_no)
    where d.decided_time > ${tx.now}::timestamptz - interval '30 days' and d.decision <> 'incomplete' order by d.decided_time desc, d.decision_no desc limit ${mostSamples}`)
  const [before, after] = [setOf(item, inForce), setOf(item, content)]
  const sum = { sampleCount: samples.length, refusedBefore: 0, refusedAfter: 0, newlyRefused: 0, newlyPassed: 0 }
  for (const sample of samples) {
    const [was, is] = [refuses(before, inForce, sample), refuses(after, content, sample)]
    if (was) sum.refusedBefore++
    if (is) sum.refusedAfter++
    if (is && !was) sum.newlyRefused++
    if (was && !is) sum.newlyPassed++
  }
  return { changedRules: changedRules(before.rules, after.rules), ...sum }
}
