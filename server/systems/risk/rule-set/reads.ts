import { sql } from 'kysely'
import { contract } from '../../../../core/contract/contract.ts'
import { ruleSets } from '../../../../core/contract/risk/rule-set.ts'
import { check, expressionOf, partsOf } from '../../../../core/rules/risk/expression.ts'
import { type FactKey, type FactValues, factKeys, riskFacts } from '../../../../core/rules/risk/facts.ts'
import { type Inputs, judge } from '../../../../core/rules/risk/judge.ts'
import type { Rule, RuleSet } from '../../../../core/rules/risk/rule.ts'
import type { Tx } from '../../../db/database.ts'
import { notFound } from '../../../http/fault.ts'
import { serve } from '../../../http/serve.ts'
import { orderScope } from '../../order/order/index.ts'
import { rulesKeep } from './checks.ts'
import { setsOf } from './in-force.ts'
import { rulesSeen } from './seen.ts'

const { ruleSet } = contract

/** A value as people read it; null where it is missing. */
export const shown = (value: unknown): string | null =>
  value === null || value === undefined ? null : Array.isArray(value) ? value.join(', ') || '–' : String(value)
export const shownFacts = (facts: FactValues, names: readonly string[]) =>
  names.map(fact => ({ fact, value: shown(facts[fact]) }))

const found = (value: boolean | null) => (value === null ? 'unknown' : value ? 'hit' : 'miss')

const checkCall = serve(ruleSet.check, async ({ input }) => {
  const checked = check(input.expression, input.stage)
  if (checked.ok) return { factsUsed: checked.expression.factsUsed, flaw: null }
  const { key, detail, start, end } = checked.flaw
  return { factsUsed: [], flaw: { message: key, detail, start, end } }
})

type InForce = { versionNo: string; rules: Rule[]; asked: number }
type Counted = { ruleNo: string; hits7: number; unknown7: number; onlyReason: number; lastHit: string | null }

const countsOf = (tx: Tx, ruleSetNo: string) =>
  tx.rows(sql<Counted>`
    select h.rule_no, count(*) filter (where h.outcome = 'hit' and h.decided_time > ${tx.now}::timestamptz - interval '7 days')::int as hits7,
      count(*) filter (where h.outcome = 'unknown' and h.decided_time > ${tx.now}::timestamptz - interval '7 days')::int as unknown7,
      count(*) filter (where h.acts and h.rule_action = 'refuse' and h.outcome = 'hit' and h.decided_time > ${tx.now}::timestamptz - interval '7 days' and not exists (
        select 1 from risk_decision_hit o where o.decision_no = h.decision_no and o.hit_no <> h.hit_no and o.acts and o.rule_action = 'refuse' and o.outcome = 'hit'))::int as only_reason,
      max(h.decided_time) filter (where h.outcome = 'hit') as last_hit
    from risk_decision_hit h where h.rule_set_no = ${ruleSetNo} and h.decided_time > ${tx.now}::timestamptz - interval '30 days' group by h.rule_no`)

/** The rules in force, with what they found. */
const figures = serve(ruleSet.figures, async ({ tx, session, input }) => {
  const set = await tx.maybe(sql<InForce>`
    select v.version_no, coalesce(v.content -> 'rules', '[]') as rules, (select count(*)::int from risk_decision d where d.decided_time > ${tx.now}::timestamptz - interval '7 days'
        and d.rule_sets @> jsonb_build_array(jsonb_build_object('ruleSetNo', x.rule_set_no))) as asked
    from risk_rule_set x left join risk_rule_set_version v on v.rule_set_no = x.rule_set_no and v.version_status = 'effective'
    where x.rule_set_no = ${input.ruleSetNo} and x.deleted_time is null and ${rulesSeen(session)}`)
  if (!set) throw notFound()
  const counts = new Map((await countsOf(tx, input.ruleSetNo)).map(one => [one.ruleNo, one]))
  return {
    list: set.rules.map(rule => {
      const { hits7 = 0, unknown7 = 0, onlyReason = 0, lastHit = null } = counts.get(rule.ruleNo) ?? {}
      const { factsUsed } = expressionOf(rule.expression)
      const { downgradeSteps: _, refuseCode = null, ...own } = rule
      return { ...own, refuseCode, factsUsed, asked7: set.asked, hits7, unknown7, onlyReason, lastHit }
    }),
  }
})

/** Most snapshots that the catalogue is summed up over. */
const mostSnapshots = 2_000

const median = (sorted: readonly number[]): number | undefined => sorted[Math.floor((sorted.length - 1) / 2)]
const topOf = (values: readonly unknown[]): string[] => {
  const counts = new Map<string, number>()
  for (const value of values.flat()) counts.set(String(value), (counts.get(String(value)) ?? 0) + 1)
  return [...counts]
    .sort((a, b) => b[1] - a[1] || (a[0] < b[0] ? -1 : 1))
    .slice(0, 5)
    .map(([value]) => value)
}

const factRow = (fact: FactKey, snapshots: readonly FactValues[]) => {
  const { type, unit } = riskFacts[fact]
  const known = snapshots.flatMap(facts => (facts[fact] == null ? [] : [facts[fact]]))
  const missing = snapshots.length - known.length
  const numbers = type === 'int' || type === 'double' ? (known as number[]).sort((a, b) => a - b) : []
  return {
    fact,
    factType: type,
    factUnit: unit,
    missingShare: snapshots.length ? ((100 * missing) / snapshots.length).toFixed(2) : null,
    least: shown(numbers[0]),
    median: shown(median(numbers)),
    most: shown(numbers.at(-1)),
    top: numbers.length ? [] : topOf(known),
  }
}

const facts = serve(ruleSet.factList, async ({ tx, session }) => {
  const snapshots = await tx.rows(sql<{ facts: FactValues }>`
    select f.facts from risk_decision d join risk_fact_snapshot f using (order_no, eval_no)
    where d.decided_time > ${tx.now}::timestamptz - interval '7 days' and d.decision <> 'incomplete' and ${rulesSeen(session)} order by d.decided_time desc, d.decision_no desc limit ${mostSnapshots}`)
  const known = snapshots.map(one => one.facts)
  return { list: factKeys.map(fact => factRow(fact, known)) }
})

type Stored = {
  facts: FactValues
  inputs: Inputs
  ruleSets: RuleSet[]
  modelScore: number | null
  modelLevel: string | null
}

/** Rules as they are typed over what was known of an order then. */
const tryOn = serve(ruleSet.tryOn, async ({ tx, session, input }) => {
  const item = await tx.maybe(sql<{ stage: RuleSet['stage'] }>`
    select stage from risk_rule_set where rule_set_no = ${input.ruleSetNo} and deleted_time is null and ${rulesSeen(session)}`)
  if (!item) throw notFound()
  const stored = await tx.maybe(sql<Stored>`
    select f.facts, d.inputs, d.rule_sets from risk_decision d join risk_fact_snapshot f using (order_no, eval_no) join loan_order o using (order_no)
    where o.order_no = ${input.orderNo} and d.decision <> 'incomplete' and ${orderScope(session, ruleSets.codes.page)} order by d.eval_no desc limit 1`)
  if (!stored) throw notFound()
  const rules = input.rules as Rule[]
  const wrong = await rulesKeep(tx, { item, content: { rules } })
  if (wrong) throw wrong
  const { scoring } = stored.inputs
  const known = { ...stored.facts, 'model.score': scoring.modelScore, 'model.level': scoring.modelLevel }
  const others = (await setsOf(tx, stored.ruleSets)).map(set =>
    set.ruleSetNo === input.ruleSetNo ? { ...set, rules } : set,
  )
  const isAsked = others.some(set => set.ruleSetNo === input.ruleSetNo)
  return {
    list: rules.map(rule => {
      const { factsUsed, run } = expressionOf(rule.expression)
      return {
        ruleNo: rule.ruleNo,
        outcome: found(run(known)) as never,
        parts: partsOf(rule.expression, known).map(({ text, value }) => ({ text, outcome: found(value) as never })),
        factValues: shownFacts(known, factsUsed),
      }
    }),
    riskDecision: isAsked ? judge(others, stored.facts, stored.inputs).decision : null,
  }
})

/** What people ask while they write rules. */
export const ruleReads = [checkCall, figures, facts, tryOn]
