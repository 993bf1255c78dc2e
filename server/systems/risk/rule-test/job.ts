import { type RawBuilder, sql } from 'kysely'
import { ruleTestMachine } from '../../../../core/contract/risk/rule-test.ts'
import type { Money } from '../../../../core/rules/amount.ts'
import { expressionOf } from '../../../../core/rules/risk/expression.ts'
import type { FactValues } from '../../../../core/rules/risk/facts.ts'
import { type Inputs, type Judged, judge } from '../../../../core/rules/risk/judge.ts'
import type { RuleSet } from '../../../../core/rules/risk/rule.ts'
import { addDays, startOfEatDay } from '../../../../core/rules/time.ts'
import type { Tx } from '../../../db/database.ts'
import { json } from '../../../db/json.ts'
import type { Scheduled, StepHandler } from '../../../module.ts'
import { system } from '../../../rights/actor.ts'
import { transition } from '../../../states/transition.ts'
import { candidateOf, type Scope, versionReader, withCandidate } from './candidate.ts'
import { type Compared, count, foundNow, isChanged, nothing } from './count.ts'
import { finish, giveUp, lockRun, queue, type Run } from './store.ts'

const actorFor = ({ testNo }: Run) => system(`test:${testNo}`)

const named = (column: RawBuilder<unknown>, values: readonly string[]) =>
  values.length === 0 ? sql`true` : sql`${column} = any(${[...values]}::text[])`

/** Takes the sample: the last decision of each order of the period, in an order that the seed alone gives. */
const begin = async (tx: Tx, run: Run): Promise<void> => {
  const { testNo, seed, merchantNos, productNos, loanKinds } = run
  const until = startOfEatDay(addDays(run.sampleTo, 1))
  await tx.exec(sql`
    insert into risk_test_sample (test_no, decision_nos)
    select ${testNo}, coalesce(array_agg(s.decision_no order by s.place, s.decision_no), '{}') from (
      select d.decision_no, md5(${String(seed)} || ':' || d.order_no) as place from risk_decision d join loan_order o using (order_no)
      where d.decision <> 'incomplete' and d.decided_time >= ${startOfEatDay(run.sampleFrom)} and d.decided_time < ${until}
        and ${named(sql`o.merchant_no`, merchantNos)} and ${named(sql`o.product_no`, productNos)} and ${named(sql`o.loan_kind`, loanKinds)}
        and not exists (select 1 from risk_decision later where later.order_no = d.order_no and later.eval_no > d.eval_no and later.decision <> 'incomplete' and later.decided_time < ${until})
      order by place, d.decision_no limit ${run.sampleMost}) s`)
  const { n } = await tx.one(sql<{ n: number }>`
    select cardinality(decision_nos) as n from risk_test_sample where test_no = ${testNo}`)
  await transition(tx, ruleTestMachine, run, { event: 'job.lease', set: { sampleCount: n } }, actorFor(run))
}

type Past = Scope & {
  decisionNo: string
  orderNo: string
  decision: Judged['decision']
  refuseCode: string | null
  ruleSets: RuleSet[]
  inputs: Inputs & { planVersionNo?: string | null }
  facts: FactValues
  channel: string
  bad: boolean | null
  loss: Money
  oldHits: string[]
}

const nextOf = (tx: Tx, { testNo, doneCount, ruleSetNo }: Run, most: number) =>
  tx.rows(sql<Past>`
    select d.decision_no, d.order_no, d.decision, d.refuse_code, d.rule_sets, d.inputs, f.facts, o.merchant_no, o.product_no, o.loan_kind, coalesce(o.incoming_channel, '') as channel,
      k.bad, coalesce(k.loss_principal, 0)::numeric(18,2) as loss,
      array(select h.rule_no from risk_decision_hit h where h.decision_no = d.decision_no and h.rule_set_no = ${ruleSetNo} and h.outcome = 'hit' order by h.hit_no) as old_hits
    from unnest((select decision_nos[${doneCount + 1}::int:${doneCount + most}::int] from risk_test_sample where test_no = ${testNo})) with ordinality n (decision_no, place)
      join risk_decision d using (decision_no) join risk_fact_snapshot f using (order_no, eval_no) join loan_order o using (order_no) left join risk_outcome k using (order_no)
    order by n.place`)

const noteChanged = (tx: Tx, { testNo }: Run, past: Past, one: Compared) => {
  const hits = foundNow(one, 'hit')
  tx.append('riskTestRow', {
    testRowNo: `${testNo}-${past.orderNo}`,
    testNo,
    orderNo: past.orderNo,
    decisionNo: past.decisionNo,
    oldDecision: past.decision,
    newDecision: one.judged.decision,
    oldCode: past.refuseCode,
    newCode: one.judged.refuseCode,
    newHits: hits.filter(no => !past.oldHits.includes(no)),
    goneHits: past.oldHits.filter(no => !hits.includes(no)),
    wentBad: past.bad,
  })
}

const sortsOf = async (tx: Tx): Promise<ReadonlyMap<string, number>> => {
  const rows = await tx.rows(sql<{ no: string; sort: number }>`select rule_set_no as no, sort from risk_rule_set`)
  return new Map(rows.map(({ no, sort }) => [no, sort]))
}

type Deciding = { versions: ReturnType<typeof versionReader>; chunkOrders: number }

/** Decides the next orders of a test again, by what was known of them then; answers how many there were. */
const decideAgain = async (tx: Tx, run: Run, { versions, chunkOrders }: Deciding): Promise<number> => {
  const past = await nextOf(tx, run, chunkOrders)
  const rules = await versions.rulesOf(
    tx,
    past.flatMap(one => one.ruleSets),
  )
  const plans = await versions.plansOf(
    tx,
    past.flatMap(one => one.inputs.planVersionNo ?? []),
  )
  const sorts = await sortsOf(tx)
  const candidate = candidateOf(run)
  const factsUsed = [...new Set(candidate.set.rules.flatMap(rule => expressionOf(rule.expression).factsUsed))]
  const counts = run.result ?? nothing()
  for (const one of past) {
    const then = one.ruleSets.map(set => ({ ...set, rules: rules.get(set.versionNo) ?? [] }))
    const planned = plans.get(one.inputs.planVersionNo ?? '') ?? []
    const judged = judge(withCandidate(then, candidate, one, { sorts, planned }), one.facts, one.inputs)
    const compared = {
      ...one,
      oldDecision: one.decision,
      oldCode: one.refuseCode,
      judged,
      ruleSetNo: run.ruleSetNo,
      factsUsed,
    }
    count(counts, compared)
    if (isChanged(compared)) noteChanged(tx, run, one, compared)
  }
  // Where the next part begins is written with what this one found, so that no order is counted twice.
  await tx.exec(sql`
    update risk_test_run set done_count = done_count + ${past.length}, result = ${json(counts)} where test_no = ${run.testNo}`)
  tx.moved('jobRun')
  return past.length
}

/** Goes through the sample of a test some orders at a time; a crash or a restart goes on where the last part was committed. */
export const testHandler = (chunkOrders: number): StepHandler => {
  const deciding = { versions: versionReader(), chunkOrders }
  return {
    queue,
    async step(tx, { payload }) {
      const run = await lockRun(tx, String(payload.testNo))
      if (run.testStatus === 'queued' && run.sampleCount === null) {
        await begin(tx, run)
        return true
      }
      if (run.testStatus === 'queued') {
        await transition(tx, ruleTestMachine, run, { event: 'job.lease' }, actorFor(run))
        return true
      }
      if (run.testStatus !== 'running') return false
      const doneCount = run.doneCount + (await decideAgain(tx, run, deciding))
      if (doneCount < (run.sampleCount ?? 0)) return true
      await finish(tx, { ...run, doneCount }, actorFor(run))
      return false
    },
  }
}

/** Ends tests whose job was given up: they would wait forever. */
export const endLost: Scheduled = {
  job: 'risk.ruleTest.giveUp',
  every: { seconds: 60 },
  run: async tx => {
    const lost = await tx.rows(sql<Run>`
      select r.* from risk_test_run r where r.test_status in ('queued', 'running') and not exists (
        select 1 from job j where j.queue = ${queue} and j.state = 'ready' and j.payload ->> 'testNo' = r.test_no)
      for update of r skip locked`)
    for (const run of lost) await giveUp(tx, run, system('job:risk.ruleTest.giveUp'))
    return { givenUp: lost.length }
  },
}
