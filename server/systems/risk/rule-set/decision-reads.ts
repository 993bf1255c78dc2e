import { sql } from 'kysely'
import { contract } from '../../../../core/contract/contract.ts'
import { ruleSets } from '../../../../core/contract/risk/rule-set.ts'
import type { FactValues } from '../../../../core/rules/risk/facts.ts'
import { factKeys } from '../../../../core/rules/risk/facts.ts'
import { type Inputs, type Judged, mostOfBand } from '../../../../core/rules/risk/judge.ts'
import type { Rule, RuleSet } from '../../../../core/rules/risk/rule.ts'
import type { Tx } from '../../../db/database.ts'
import { invalid, notFound } from '../../../http/fault.ts'
import { serve } from '../../../http/serve.ts'
import { listed } from '../../../lists/listed.ts'
import { orderScope } from '../../order/order/index.ts'
import { hashOf, replay } from './decisions.ts'
import { setsOf } from './in-force.ts'
import { shownFacts } from './reads.ts'

const { ruleSet } = contract
const perm = ruleSet.decisions.perm as string

const joins = {
  o: sql`join loan_order o on o.order_no = d.order_no`,
  c: sql`join customer c on c.customer_no = o.customer_no`,
  p: sql`join product p on p.product_no = o.product_no`,
  m: sql`join merchant m on m.merchant_no = o.merchant_no`,
}
const columns = {
  customerName: sql`c.customer_name`,
  productNo: sql`o.product_no`,
  productName: sql`p.product_name`,
  merchantNo: sql`o.merchant_no`,
  merchantName: sql`m.merchant_name`,
  loanKind: sql`o.loan_kind`,
  riskDecision: sql`d.decision`,
  usedVersions: sql`array_to_string(array_remove(array[d.inputs ->> 'planVersionNo'], null) || d.rule_versions || array_remove(array[d.model_no || ' v' || d.model_version, d.price_version_no], null), ', ')`,
}

/** What machine review decided, of the orders that the reader sees. */
export const decisionList = listed({
  list: ruleSet.decisions,
  source: ({ session }) => ({
    from: sql`risk_decision d`,
    alias: 'd',
    key: sql`d.decision_no`,
    joins,
    where: orderScope(session, perm),
    columns,
    filters: {
      orderNo: no => sql`d.order_no = ${no}`,
      ruleNo: no =>
        sql`exists (select 1 from risk_decision_hit h where h.decision_no = d.decision_no and h.rule_no = ${no})`,
    },
  }),
})

type Stored = {
  decisionNo: string
  facts: FactValues
  inputs: Inputs & { planVersionNo?: string | null }
  ruleSets: RuleSet[]
  resultHash: string
}

type Names = { kind: string; no: string; name: string }

/** Names of the sets and lists of a decision as they are now. */
const namesOf = async (tx: Tx, sets: readonly RuleSet[], lists: readonly { nameListNo: string }[]) => {
  const rows = await tx.rows(sql<Names>`
    select 'set' as kind, rule_set_no as no, rule_set_name as name from risk_rule_set where rule_set_no = any(${sets.map(set => set.ruleSetNo)})
    union all select 'list', name_list_no, name_list_name from name_list where name_list_no = any(${lists.map(one => one.nameListNo)})`)
  return new Map(rows.map(one => [`${one.kind} ${one.no}`, one.name]))
}

const hitsOf = (
  judged: Judged,
  rulesOf: (versionNo: string) => readonly Rule[],
  names: Map<string, string>,
  seesRules: boolean,
) =>
  judged.found
    .filter(one => one.outcome !== 'miss' && (seesRules || one.ruleMode === 'enforce'))
    .map(one => {
      const rule = rulesOf(one.versionNo).find(own => own.ruleNo === one.ruleNo)
      return {
        versionNo: one.versionNo,
        ruleSetName: names.get(`set ${one.ruleSetNo}`) ?? one.ruleSetNo,
        ruleNo: one.ruleNo,
        ruleNameZh: rule?.ruleNameZh ?? one.ruleNo,
        ruleNameEn: rule?.ruleNameEn ?? one.ruleNo,
        ruleNameSw: rule?.ruleNameSw ?? one.ruleNo,
        ruleAction: one.ruleAction,
        ruleMode: one.ruleMode,
        outcome: one.outcome,
        refuseCode: one.refuseCode,
        acts: one.acts,
        expression: seesRules ? (rule?.expression ?? null) : null,
        factValues: shownFacts(one.values, Object.keys(one.values)),
      }
    })

/** Why an order was decided as it was: codes and reasons for auditors, expressions and observed rules only for who reads rule sets. */
export const decisionDetail = serve(ruleSet.decisionDetail, async ({ tx, session, input }) => {
  const { orderNo, decisionNo } = input
  if (orderNo === undefined && decisionNo === undefined) throw invalid('decisionNo', 'validation.infoComplete')
  const row = await tx.maybe(sql<Stored & Record<string, never>>`
    select d.*, d.decision as risk_decision, f.facts, o.product_no, o.merchant_no, p.product_name, m.merchant_name, o.loan_kind, ${columns.usedVersions} as used_versions
    from risk_decision d join risk_fact_snapshot f using (order_no, eval_no) ${joins.o} ${joins.p} ${joins.m}
    where (${orderNo ?? null}::text is null or d.order_no = ${orderNo ?? null}) and (${decisionNo ?? null}::text is null or d.decision_no = ${decisionNo ?? null}) and ${orderScope(session, perm)}
    order by d.eval_no desc limit 1`)
  if (!row) throw notFound()
  const { facts, inputs, ruleSets: of, ...own } = row
  const { judged } = await replay(tx, row.decisionNo)
  const sets = await setsOf(tx, of)
  const names = await namesOf(tx, of, inputs.lists)
  const rulesOf = (versionNo: string) => sets.find(set => set.versionNo === versionNo)?.rules ?? []
  const seesRules = session.perms.has(ruleSets.codes.page)
  const hits = hitsOf(judged, rulesOf, names, seesRules)
  const band = inputs.bands.find(one => one.modelLevel === judged.modelLevel)
  return {
    ...own,
    planVersionNo: inputs.planVersionNo ?? null,
    bandDecision: judged.modelLevel ? (band?.bandDecision ?? inputs.scoring.bandDecision) : null,
    bandRate: band?.maxAmountRate ?? null,
    bandMost: mostOfBand(inputs, judged.modelLevel),
    incompleteWhy: inputs.incomplete ?? null,
    manualAll: inputs.manualAll ?? false,
    sets: sets.map(({ ruleSetNo, stage, versionNo }) => ({
      ruleSetName: names.get(`set ${ruleSetNo}`) ?? ruleSetNo,
      stage,
      versionNo,
      setHits: hits.filter(hit => hit.versionNo === versionNo && hit.outcome === 'hit').length,
    })),
    aboveCap: inputs.overCap,
    verifyResult: inputs.verifyResult,
    lists: inputs.lists.map(one => ({ ...one, nameListName: names.get(`list ${one.nameListNo}`) ?? one.nameListNo })),
    hits: hits.map(({ versionNo: _, ...hit }) => hit),
    facts: shownFacts(facts, factKeys),
    replays: hashOf(judged) === row.resultHash,
  } as never
})
