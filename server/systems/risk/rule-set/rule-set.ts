import { sql } from 'kysely'
import { contract } from '../../../../core/contract/contract.ts'
import { ruleSets } from '../../../../core/contract/risk/rule-set.ts'
import { milder, type Rule } from '../../../../core/rules/risk/rule.ts'
import { serveConfig } from '../../../configs/serve-config.ts'
import type { Tx } from '../../../db/database.ts'
import { checkVersion, Fault } from '../../../http/fault.ts'
import { serve } from '../../../http/serve.ts'
import { begins } from '../../../lists/list.ts'
import { serveListed } from '../../../lists/listed.ts'
import type { Module } from '../../../module.ts'
import type { WarningRule } from '../../../warnings/rule.ts'
import { rulesHold, rulesIn, rulesKeep, rulesTested } from './checks.ts'
import { decisionDetail, decisionList } from './decision-reads.ts'
import { ruleEffect } from './effect.ts'
import { ruleReads } from './reads.ts'
import { rulesSeen } from './seen.ts'

const { ruleSet } = contract
const rules = sql`jsonb_array_elements(coalesce(v.content -> 'rules', '[]'))`
const countOf = (mode: string) => sql`(select count(*)::int from ${rules} r where r ->> 'ruleMode' = ${mode})`
/** Whether a rule of the version in force has one of some values. */
const hasRule = (field: string, values: readonly string[]) =>
  values.length === 0
    ? sql`true`
    : sql`exists (select 1 from ${rules} r where r ->> ${sql.lit(field)} = any(${[...values]}::text[]))`
/** Whether the version in force asks about orders of some merchants or products. */
const asksAbout = (field: string, values: readonly string[]) =>
  values.length === 0
    ? sql`true`
    : sql`(coalesce(v.content -> ${sql.lit(field)}, '[]') = '[]' or v.content -> ${sql.lit(field)} ?| ${[...values]}::text[])`
const like = (text: string) => `%${text.replace(/[\\%_]/g, '\\$&')}%`

const config = serveConfig(ruleSets, {
  prefix: 'RS',
  unique: 'ruleSetName',
  startsEnabled: () => true,
  switches: async (tx, item, to) => {
    // What refuses is taken away by a version that a second person agrees to, never by one person alone.
    if (to === 'enabled') return
    const inForce = await tx.maybe(
      sql`select 1 from risk_rule_set_version where rule_set_no = ${item.ruleSetNo} and version_status = 'effective'`,
    )
    if (inForce) throw new Fault('stateConflict', 'errors.ruleSetInForce')
  },
  source: ({ tx, session }) => ({
    where: rulesSeen(session),
    columns: {
      enforcedCount: countOf('enforce'),
      shadowCount: countOf('shadow'),
      offCount: countOf('off'),
      emergencyUntil: sql`case when v.kept_time is null then v.emergency_until end`,
      heldVersion: sql`v.version`,
      hitRate7: sql`(select round(100.0 * count(*) filter (where exists (
          select 1 from risk_decision_hit h where h.decision_no = d.decision_no and h.rule_set_no = x.rule_set_no and h.outcome = 'hit')) / nullif(count(*), 0), 2)::text
        from risk_decision d where d.decided_time > ${tx.now}::timestamptz - interval '7 days'
          and d.rule_sets @> jsonb_build_array(jsonb_build_object('ruleSetNo', x.rule_set_no)))`,
    },
    filters: {
      ruleSetName: (name: string) => begins(sql`x.rule_set_name`, name),
      merchantNo: (nos: string[]) => asksAbout('merchantNos', nos),
      productNo: (nos: string[]) => asksAbout('productNos', nos),
      ruleAction: (actions: string[]) => hasRule('ruleAction', actions),
      ruleMode: (modes: string[]) => hasRule('ruleMode', modes),
      refuseCode: (code: string) => hasRule('refuseCode', [code]),
      expression: (text: string) => sql`exists (select 1 from ${rules} r where r ->> 'expression' ilike ${like(text)})`,
    } as never,
  }),
  versions: {
    prefix: 'RV',
    keeps: rulesKeep,
    holds: rulesHold,
    submits: rulesTested,
    effect: ruleEffect,
  },
})

/** The rules in force with one that no longer refuses. */
const withReview = (content: Record<string, unknown>, ruleNo: string): Record<string, unknown> => {
  const given = rulesIn(content)
  const rule = given.find(one => one.ruleNo === ruleNo)
  if (rule?.ruleAction !== 'refuse' || rule.ruleMode !== 'enforce')
    throw new Fault('stateConflict', 'errors.ruleNotRefusing', { ruleNo })
  return { ...content, rules: milder(given, ruleNo) satisfies Rule[] }
}

const emergencyCalls = [
  serve(ruleSet.emergency, async call => {
    const { input } = call
    const item = await config.lock(call, input.ruleSetNo)
    checkVersion(item, input.version)
    const version = await config.emergency?.act(call, item, now => withReview(now, input.ruleNo), input.reason)
    return { version: version as number }
  }),
  serve(ruleSet.keep, async call => ({ version: (await config.emergency?.keep(call, call.input)) as number })),
]

type Emergency = { versionNo: string; ruleSetNo: string; ruleSetName: string; reason: string; makerName: string }

/** Somebody alone has made rules milder: the risk head learns of it, and a second person keeps it or lets it end. */
const emergencyWarning: WarningRule = {
  type: 'rules_milder',
  level: 'warning',
  async find(tx: Tx) {
    const rows = await tx.rows(sql<Emergency>`
      select v.version_no, x.rule_set_no, x.rule_set_name, v.reason, v.maker_name from risk_rule_set_version v join risk_rule_set x using (rule_set_no)
      where v.version_status = 'effective' and v.emergency_until is not null and v.kept_time is null order by v.version_no`)
    return rows.map(({ versionNo, ruleSetNo, ruleSetName, reason, makerName }) => ({
      key: versionNo,
      merchantNo: null,
      objectType: ruleSets.table,
      affected: [{ objectNo: ruleSetNo, route: null }],
      facts: { ruleSetName, reason, name: makerName },
    }))
  },
}

/** Rule sets with dated versions, what their rules find, and the decisions that they led to. */
export const ruleSetModule = (): Module => ({
  ...config,
  served: [...config.served, ...emergencyCalls, ...ruleReads, serveListed(decisionList), decisionDetail],
  lists: [...config.lists, decisionList],
  scheduled: config.scheduled,
  warnings: [...config.warnings, emergencyWarning],
})
