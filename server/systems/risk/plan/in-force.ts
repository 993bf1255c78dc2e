import { sql } from 'kysely'
import { setsNamed } from '../../../../core/contract/risk/plan.ts'
import type { Tx } from '../../../db/database.ts'

/** What decides an order: every set in force where none is named, the base model where none is. */
export type Plan = { planVersionNo: string | null; modelNo?: string; ruleSetNos: readonly string[] }

/** Where no plan was ever written, every set in force and the base model decide. */
const unplanned: Plan = { planVersionNo: null, ruleSetNos: [] }

type Row = { versionNo: string; content: { modelNo: string } }

/** The plan in force for an order; null where others have one and it has none, and nothing can be decided. */
export const planInForce = async (
  tx: Tx,
  { productNo, loanKind }: { productNo: string; loanKind: string },
): Promise<Plan | null> => {
  const row = await tx.maybe(sql<Row>`
    select v.version_no, v.content from risk_plan x join risk_plan_version v using (plan_no)
    where x.product_no = ${productNo} and x.loan_kind = ${loanKind} and x.enabled = 'enabled' and x.deleted_time is null and v.version_status = 'effective'`)
  if (row) return { planVersionNo: row.versionNo, modelNo: row.content.modelNo, ruleSetNos: setsNamed(row.content) }
  return (await tx.maybe(sql`select 1 from risk_plan`)) ? null : unplanned
}
