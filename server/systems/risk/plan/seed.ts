import { type RawBuilder, sql } from 'kysely'
import { loanKinds } from '../../../../core/contract/order/levels.ts'
import { riskPlans } from '../../../../core/contract/risk/plan.ts'
import type { Tx } from '../../../db/database.ts'
import { baseModelNo } from '../risk-model/index.ts'
import { begin } from '../risk-model/seed.ts'

type Missing = { productNo: string; loanKind: string }

const writeMissing = async (tx: Tx, where: RawBuilder<unknown>): Promise<void> => {
  await tx.exec(sql`select pg_advisory_xact_lock(hashtext('write base plans'))`)
  const missing = await tx.rows(sql<Missing>`
    select p.product_no, k as loan_kind from product p cross join unnest(${loanKinds.values}::text[]) k
    where p.terms is not null and p.deleted_time is null and ${where}
      and not exists (select 1 from risk_plan x where x.product_no = p.product_no and x.loan_kind = k)
    order by p.product_no, k`)
  for (const { productNo, loanKind } of missing) {
    const planNo = `PL-${productNo}-${loanKind}`
    const content = { modelNo: baseModelNo, plannedSets: [] }
    await begin(tx, riskPlans, { planNo, productNo, loanKind }, { versionNo: `${planNo}-1`, content })
  }
}

/** Writes a plan for every product and kind of loan that never had one: every set in force and the base model, as without a plan. */
export const writeBasePlans = (tx: Tx): Promise<void> => writeMissing(tx, sql`true`)

/** The first plans of a product that has got its terms. Where no plan was ever written, everything in force decides anyhow. */
export const planProduct = async (tx: Tx, productNo: string): Promise<void> => {
  if (await tx.maybe(sql`select 1 from risk_plan limit 1`)) await writeMissing(tx, sql`p.product_no = ${productNo}`)
}
