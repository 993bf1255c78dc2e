import { sql } from 'kysely'
import { ruleSets } from '../../../../core/contract/risk/rule-set.ts'
import type { Tx } from '../../../db/database.ts'
import { begin } from '../risk-model/seed.ts'
import { baseSets } from './base-rules.ts'

/** Writes the first rule sets, each once. */
export const writeBaseRules = async (tx: Tx): Promise<void> => {
  await tx.exec(sql`select pg_advisory_xact_lock(hashtext('write base rules'))`)
  for (const { ruleSetNo, versionNo, ruleSetName, stage, executeMode, whitelistSkips, rules } of baseSets) {
    if (await tx.maybe(sql`select 1 from risk_rule_set where rule_set_no = ${ruleSetNo}`)) continue
    await begin(
      tx,
      ruleSets,
      { ruleSetNo, ruleSetName, stage, sort: 1 },
      { versionNo, content: { executeMode, whitelistSkips, rules } },
    )
  }
}
