import { sql } from 'kysely'
import { type RuleSet, type RuleStage, ruleStages } from '../../../../core/rules/risk/rule.ts'
import type { Tx } from '../../../db/database.ts'
import { baseSets } from './base-rules.ts'

/** What decides which sets an order is asked by. */
export type SetScope = { merchantNo: string; productNo: string; loanKind: string }

const selected = sql`x.rule_set_no, v.version_no, x.stage, v.content ->> 'executeMode' as execute_mode, coalesce((v.content ->> 'whitelistSkips')::boolean, false) as whitelist_skips, v.content -> 'rules' as rules`
/** Whether a version speaks of orders of a kind; of all where it names none. */
const within = (name: string, value: string) =>
  sql`(coalesce(v.content -> ${sql.lit(name)}, '[]') = '[]' or v.content -> ${sql.lit(name)} ? ${value})`
const byStage = <T extends { stage: RuleStage }>(sets: readonly T[]): T[] =>
  ruleStages.flatMap(stage => sets.filter(set => set.stage === stage))

/**
 * The sets in force that an order is asked by, in the order of stages; those that its plan names, in its order, where it names some. Where
 * no set was ever written, the base rules decide.
 */
export const setsInForce = async (
  tx: Tx,
  { merchantNo, productNo, loanKind }: SetScope,
  named: readonly string[] = [],
): Promise<RuleSet[]> => {
  const sets = await tx.rows(sql<RuleSet>`
    select ${selected} from risk_rule_set x join risk_rule_set_version v using (rule_set_no)
    where x.enabled = 'enabled' and x.deleted_time is null and v.version_status = 'effective'
      and ${within('merchantNos', merchantNo)} and ${within('productNos', productNo)} and ${within('loanKinds', loanKind)}
      and ${named.length === 0 ? sql`true` : sql`x.rule_set_no = any(${[...named]}::text[])`}
    order by array_position(${[...named]}::text[], x.rule_set_no), x.sort, x.rule_set_no`)
  if (sets.length > 0) return byStage(sets)
  return (await tx.maybe(sql`select 1 from risk_rule_set`)) ? [] : [...baseSets]
}

/** The sets of versions as they were when a decision was made; they never change. */
export const setsOf = async (tx: Tx, inputs: readonly RuleSet[]): Promise<RuleSet[]> => {
  const kept = await tx.rows(sql<{ versionNo: string; rules: RuleSet['rules'] }>`
    select v.version_no, v.content -> 'rules' as rules from risk_rule_set_version v where v.version_no = any(${inputs.map(set => set.versionNo)})`)
  const rulesOf = new Map(kept.map(one => [one.versionNo, one.rules]))
  return inputs.map(set => ({
    ...set,
    rules: rulesOf.get(set.versionNo) ?? baseSets.find(one => one.versionNo === set.versionNo)?.rules ?? [],
  }))
}
