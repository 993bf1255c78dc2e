import { sql } from 'kysely'
import { riskPlans, setsNamed } from '../../../../core/contract/risk/plan.ts'
import { serveConfig } from '../../../configs/serve-config.ts'
import type { Tx } from '../../../db/database.ts'
import { Fault, invalid } from '../../../http/fault.ts'
import type { Choices, Module } from '../../../module.ts'
import type { Session } from '../../../session/session.ts'
import { rulesSeen } from '../rule-set/seen.ts'
import { manualAll } from './mode.ts'

type Values = Record<string, unknown>

/** A set that a plan names and that asks nobody now. */
const setOff = (tx: Tx, content: Values) =>
  tx.maybe(sql<{ no: string }>`
    select no from unnest(${setsNamed(content)}::text[]) no where not exists (
      select 1 from risk_rule_set x join risk_rule_set_version v using (rule_set_no)
      where x.rule_set_no = no and x.enabled = 'enabled' and x.deleted_time is null and v.version_status = 'effective') limit 1`)

/** Whether a model has a champion and a cut-off in force. */
const modelDecides = (tx: Tx, modelNo: unknown) =>
  tx.maybe(sql`
    select 1 from risk_model x join risk_model_version v using (model_version_no)
    where x.model_no = ${modelNo} and x.enabled = 'enabled' and x.deleted_time is null and v.version_status = 'effective' and v.content ->> 'modelRole' = 'champion'
      and exists (select 1 from risk_cutoff c join risk_cutoff_version w using (cutoff_no)
        where c.model_no = x.model_no and c.enabled = 'enabled' and c.deleted_time is null and w.version_status = 'effective')`)

/** Why a plan may not be in force: what it names does not decide now. */
const holds = async (tx: Tx, { content }: { content: Values }): Promise<Fault | null> => {
  const off = await setOff(tx, content)
  if (off) return new Fault('stateConflict', 'errors.planSetOff', { name: off.no })
  return (await modelDecides(tx, content.modelNo))
    ? null
    : new Fault('stateConflict', 'errors.planModelOff', { name: String(content.modelNo) })
}

/** Why a plan may not be kept: it names what does not exist. */
const keeps = async (tx: Tx, { content }: { content: Values }): Promise<Fault | null> => {
  if (!(await tx.maybe(sql`select 1 from risk_model where model_no = ${content.modelNo} and deleted_time is null`)))
    return invalid('modelNo', 'validation.wrongValue')
  const unknown = await tx.maybe(sql`
    select 1 from unnest(${setsNamed(content)}::text[]) no
    where not exists (select 1 from risk_rule_set x where x.rule_set_no = no and x.deleted_time is null) limit 1`)
  return unknown ? invalid('plannedSets', 'validation.wrongValue') : null
}

const config = serveConfig(riskPlans, {
  prefix: 'PL',
  unique: 'loanKind',
  check: async ({ tx }, form, before) => {
    if (before) return
    const product = await tx.maybe(
      sql`select 1 from product where product_no = ${form.productNo} and terms is not null and deleted_time is null`,
    )
    if (!product) throw invalid('productNo', 'validation.wrongValue')
    const fault = await keeps(tx, { content: form })
    if (fault) throw fault
  },
  startsEnabled: () => true,
  switches: async (tx, item, to) => {
    // What decides is changed by a version that a second person agrees to, never switched off by one person alone.
    if (to === 'enabled') return
    const inForce = await tx.maybe(
      sql`select 1 from risk_plan_version where plan_no = ${item.planNo} and version_status = 'effective'`,
    )
    if (inForce) throw new Fault('stateConflict', 'errors.planInForce')
  },
  source: ({ session }) => ({
    where: rulesSeen(session),
    joins: {
      p: sql`join product p on p.product_no = x.product_no`,
      m: sql`join merchant m on m.merchant_no = p.merchant_no`,
    },
    columns: {
      productName: sql`p.product_name`,
      merchantNo: sql`p.merchant_no`,
      merchantName: sql`m.merchant_name`,
    },
  }),
  versions: {
    prefix: 'PW',
    keeps,
    holds,
    effect: (tx, { item }) =>
      tx.one(sql<{ plannedOrders: number }>`
        select count(*)::int as planned_orders from loan_order
        where product_no = ${item.productNo} and loan_kind = ${item.loanKind} and apply_time > ${tx.now}::timestamptz - interval '30 days'`),
  },
})

type Choice = { value: string; label: string; enabled: boolean }
/** Only who reads plans learns what they may name. */
const offered = (session: Session) => (session.perms.has(riskPlans.codes.page) ? rulesSeen(session) : sql`false`)
/** What a plan names; what decides nothing now is not offered. */
const choices: readonly Choices[] = [
  {
    key: 'RISK_MODEL',
    list: ({ tx, session }) =>
      tx.rows(sql<Choice>`
        select x.model_no as value, max(x.model_name) || ' (' || x.model_no || ')' as label,
          coalesce(bool_or(x.enabled = 'enabled' and v.content ->> 'modelRole' = 'champion'), false) as enabled
        from risk_model x left join risk_model_version v on v.model_version_no = x.model_version_no and v.version_status = 'effective'
        where x.deleted_time is null and ${offered(session)} group by x.model_no order by 2`),
  },
  {
    key: 'RISK_RULE_SET',
    list: ({ tx, session }) =>
      tx.rows(sql<Choice>`
        select x.rule_set_no as value, x.rule_set_name || ' (' || x.rule_set_no || ')' as label, x.enabled = 'enabled' and exists (
          select 1 from risk_rule_set_version v where v.rule_set_no = x.rule_set_no and v.version_status = 'effective') as enabled
        from risk_rule_set x where x.deleted_time is null and ${offered(session)} order by x.stage, x.sort, x.rule_set_no`),
  },
]

/** Plans with dated versions: which sets and which model decide an order of a product and a kind of loan. */
export const planModule = (): Module => ({ ...config, served: [...config.served, manualAll], choices })
