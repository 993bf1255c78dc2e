import { createHash } from 'node:crypto'
import { sql } from 'kysely'
import type { FactValues } from '../../../../core/rules/risk/facts.ts'
import { type Inputs, type Judged, judge } from '../../../../core/rules/risk/judge.ts'
import type { RuleSet } from '../../../../core/rules/risk/rule.ts'
import { canonical } from '../../../../core/rules/risk/scorecard.ts'
import type { Tx } from '../../../db/database.ts'
import { newNo } from '../../../money/numbers.ts'
import { setsOf } from './in-force.ts'

/** What was decided, with all that it rests on. */
export type Noted = {
  facts: FactValues
  sets: readonly RuleSet[]
  inputs: Inputs
  judged: Judged
  /** The version of the plan; null where there was none. */
  planVersionNo: string | null
  modelNo: string | null
  modelVersion: number | null
  priceVersionNo: string | null
  durationMs: number
}

/** The hash of all that was found and decided. */
export const hashOf = (judged: Judged): string => createHash('sha256').update(canonical(judged)).digest('hex')

const noteHits = (tx: Tx, decisionNo: string, judged: Judged) => {
  for (const [at, one] of judged.found.filter(found => found.outcome !== 'miss').entries())
    tx.append('riskDecisionHit', {
      decisionNo,
      hitNo: at + 1,
      ruleSetNo: one.ruleSetNo,
      versionNo: one.versionNo,
      ruleNo: one.ruleNo,
      ruleAction: one.ruleAction,
      ruleMode: one.ruleMode,
      outcome: one.outcome,
      refuseCode: one.refuseCode,
      acts: one.acts,
      decidedTime: tx.now,
    })
}

/** Writes a decision down, with what was known and the versions that decided. Nothing of it ever changes. */
export const noteDecision = async (tx: Tx, { orderNo }: { orderNo: string }, noted: Noted): Promise<string> => {
  const { facts, sets, inputs, judged } = noted
  const { evalNo } = await tx.one(sql<{ evalNo: number }>`
    select count(*)::int + 1 as eval_no from risk_fact_snapshot where order_no = ${orderNo}`)
  const decisionNo = newNo('RD', tx.now)
  tx.append('riskFactSnapshot', { orderNo, evalNo, facts, createdTime: tx.now })
  tx.append('riskDecision', {
    decisionNo,
    orderNo,
    evalNo,
    decision: judged.decision,
    refuseCode: judged.refuseCode,
    modelNo: noted.modelNo,
    modelVersion: noted.modelVersion,
    modelScore: judged.modelScore,
    modelLevel: judged.modelLevel,
    suggestedAmount: judged.suggestedAmount,
    priceVersionNo: noted.priceVersionNo,
    ruleVersions: sets.map(set => set.versionNo),
    ruleSets: sets.map(({ rules: _, ...set }) => set),
    inputs: { ...inputs, planVersionNo: noted.planVersionNo },
    resultHash: hashOf(judged),
    listHits: inputs.lists,
    durationMs: noted.durationMs,
    decidedTime: tx.now,
  })
  noteHits(tx, decisionNo, judged)
  return decisionNo
}

type Kept = { facts: FactValues; ruleSets: RuleSet[]; inputs: Inputs; resultHash: string }

/** A decision computed again from what was stored with it, and whether it comes out the same to the byte. */
export const replay = async (tx: Tx, decisionNo: string): Promise<{ judged: Judged; same: boolean }> => {
  const kept = await tx.one(sql<Kept>`
    select f.facts, d.rule_sets, d.inputs, d.result_hash from risk_decision d join risk_fact_snapshot f using (order_no, eval_no) where d.decision_no = ${decisionNo}`)
  const judged = judge(await setsOf(tx, kept.ruleSets), kept.facts, kept.inputs)
  return { judged, same: hashOf(judged) === kept.resultHash }
}
