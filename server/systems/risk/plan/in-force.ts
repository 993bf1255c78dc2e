import { sql } from 'kysely'
import { setsNamed } from '../../../../core/contract/risk/plan.ts'
import type { Tx } from '../../../db/database.ts'

/** What decides an order. Every set in force is asked where none is named. */
export type Plan = { planVersionNo: string; modelNo: string; ruleSetNos: string[] }

type Row = { versionNo: string; content: { modelNo: string } }

/** The plan in force for an order; null where none was written, and every set in force and the base model decide. */
export const planInForce = async (
  tx: Tx,
  { productNo, loanKind }: { productNo: string; loanKind: string },
): Promise<Plan | null> => {
  const row = await tx.maybe(sql<Row>`
    select v.version_no, v.content from risk_plan x join risk_plan_version v using (plan_no)
    where x.product_no = ${productNo} and x.loan_kind = ${loanKind} and x.enabled = 'enabled' and x.deleted_time is null and v.version_status = 'effective'`)
  return row ? { planVersionNo: row.versionNo, modelNo: row.content.modelNo, ruleSetNos: setsNamed(row.content) } : null
}
