import { sql } from 'kysely'
import { fewestOrders, testDays } from '../../../../core/contract/risk/rule-test.ts'
import { check } from '../../../../core/rules/risk/expression.ts'
import type { Rule } from '../../../../core/rules/risk/rule.ts'
import type { Tx } from '../../../db/database.ts'
import { Fault } from '../../../http/fault.ts'
import { freshTest, hasPast, testOf } from './tested.ts'

type Values = Record<string, unknown>
type At = { item: Values; content: Values }

/** How long a rule is observed before it may refuse. */
const observedHours = 24

export const rulesIn = (content: Values | null | undefined): Rule[] => (content?.rules as Rule[] | undefined) ?? []

/** Codes that a machine may refuse with. */
const unknownCode = async (tx: Tx, rules: readonly Rule[]): Promise<string | null> => {
  const codes = rules.flatMap(rule => (rule.refuseCode ? [rule.refuseCode] : []))
  const row = await tx.maybe(sql<{ code: string }>`
    select code from unnest(${codes}::text[]) code where not exists (select 1 from refuse_code r where r.refuse_code = code and r.level = 2) limit 1`)
  return row?.code ?? null
}

/** Why rules may not be kept: an expression is none, or a code does not exist. */
export const rulesKeep = async (tx: Tx, { item, content }: At): Promise<Fault | null> => {
  const rules = rulesIn(content)
  for (const rule of rules) {
    const checked = check(rule.expression, String(item.stage))
    if (!checked.ok) {
      const { key, detail, start } = checked.flaw
      return new Fault('validation', 'errors.ruleExpression', { ruleNo: rule.ruleNo, at: start + 1, why: key, detail })
    }
  }
  const code = await unknownCode(tx, rules)
  return code === null ? null : new Fault('validation', 'errors.refuseCodeUnknown', { code })
}

/** Lists that rules name and that are not in use. */
const listOff = async (tx: Tx, rules: readonly Rule[]): Promise<string | null> => {
  const named = rules
    .filter(rule => rule.ruleMode !== 'off')
    .flatMap(rule => [...rule.expression.matchAll(/inList\(\s*["']([^"']+)["']\s*\)/g)].map(match => match[1] ?? ''))
  const row = await tx.maybe(sql<{ no: string }>`
    select no from unnest(${named}::text[]) no
    where not exists (select 1 from name_list l where l.name_list_no = no and l.enabled = 'enabled' and l.deleted_time is null) limit 1`)
  return row?.no ?? null
}

type Observed = { effectiveTime: string; supersededTime: string | null; rules: Rule[] }

/** Whether the same rule already refuses, or was observed without a break for a day. */
const isObserved = (rule: Rule, history: readonly Observed[], now: Date): boolean => {
  let since: number | null = null
  for (const { effectiveTime, rules } of history) {
    const before = rules.find(one => one.ruleNo === rule.ruleNo && one.expression === rule.expression)
    if (!before || before.ruleMode === 'off') break
    if (before.ruleMode === 'enforce') return true
    since = Date.parse(effectiveTime)
  }
  return since !== null && now.getTime() - since >= observedHours * 3_600_000
}

/** A rule that would refuse though nobody has observed it for a day. */
const unobserved = async (tx: Tx, { item, content }: At): Promise<Fault | null> => {
  const history = await tx.rows(sql<Observed>`
    select effective_time, superseded_time, content -> 'rules' as rules from risk_rule_set_version
    where rule_set_no = ${item.ruleSetNo} and version_status in ('effective', 'superseded') order by effective_time desc, version_no desc`)
  const unseen = rulesIn(content).find(
    rule => rule.ruleMode === 'enforce' && rule.ruleAction === 'refuse' && !isObserved(rule, history, tx.now),
  )
  return unseen
    ? new Fault('stateConflict', 'errors.ruleUnobserved', {
        ruleNo: unseen.ruleNo,
        hours: observedHours,
        orders: fewestOrders,
      })
    : null
}

/** Why a version may not be in force: a list that it names is off, or a rule would refuse that was neither observed nor tested. */
export const rulesHold = async (tx: Tx, at: At): Promise<Fault | null> => {
  const wrong = await rulesKeep(tx, at)
  if (wrong) return wrong
  const off = await listOff(tx, rulesIn(at.content))
  if (off !== null) return new Fault('stateConflict', 'errors.ruleListOff', { name: off })
  const unseen = await unobserved(tx, at)
  return unseen && !(await testOf(tx, at, { orders: fewestOrders })) ? unseen : null
}

/** Why a draft may not be submitted: exactly what it holds was not tested of late. Without past orders there is nothing to test on. */
export const rulesTested = async (tx: Tx, at: At): Promise<Fault | null> => {
  if (await freshTest(tx, at)) return null
  if (await hasPast(tx))
    return new Fault('stateConflict', 'errors.ruleSetUntested', { orders: fewestOrders, days: testDays })
  return unobserved(tx, at)
}
