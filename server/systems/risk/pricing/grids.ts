import { type RawBuilder, sql } from 'kysely'
import type { Terms } from '../../../../core/rules/loan/terms.ts'
import type { PriceCell } from '../../../../core/rules/risk-price.ts'
import type { Tx } from '../../../db/database.ts'

/** A price grid that is in force, with the terms of its product. */
export type Grid = {
  pricingNo: string
  versionNo: string
  productNo: string
  productName: string
  loanKind: 'first' | 'repeat'
  terms: Terms
  cells: PriceCell[]
}

/** Grids in force that fulfil a condition on `x` (the grid) and `p` (its product). */
export const gridsInForce = (tx: Tx, where: RawBuilder<unknown> = sql`true`): Promise<Grid[]> =>
  tx.rows(sql<Grid>`
    select x.pricing_no, v.version_no, x.product_no, p.product_name, x.loan_kind, p.terms, v.content -> 'cells' as cells
    from risk_pricing x join risk_pricing_version v using (pricing_no) join product p using (product_no)
    where x.enabled = 'enabled' and x.deleted_time is null and v.version_status = 'effective' and ${where}
    order by x.product_no, x.loan_kind`)

/** The price of a level for an order of a product: its cell, and the version that it is of; null where the product alone prices. */
export const priceOf = async (
  tx: Tx,
  { productNo, loanKind, modelLevel }: { productNo: string; loanKind: string; modelLevel: string },
): Promise<{ versionNo: string; cell: PriceCell | null } | null> => {
  const [grid] = await gridsInForce(tx, sql`x.product_no = ${productNo} and x.loan_kind = ${loanKind}`)
  if (!grid) return null
  return { versionNo: grid.versionNo, cell: grid.cells.find(cell => cell.modelLevel === modelLevel) ?? null }
}
