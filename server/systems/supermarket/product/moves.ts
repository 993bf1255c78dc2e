import { type RawBuilder, sql } from 'kysely'
import { marketProductMachine as machine } from '../../../../core/contract/supermarket/market-product.ts'
import type { Tx } from '../../../db/database.ts'
import type { Actor } from '../../../rights/actor.ts'
import { transition } from '../../../states/transition.ts'

/** A product as it is stored. */
export type Product = {
  marketProductNo: string
  productStatus: string
  platformNo: string
  draftOf: string | null
  sourceProductNo: string | null
  submittedBy: string | null
  updatedBy: string
  version: number
} & Record<string, unknown>

/** Why a product was taken off the shelves without anybody asking: the words are `market.offline.*`. */
export type OfflineCause = 'time' | 'licence' | 'platform' | 'link' | 'price'

/** Takes products that customers see off the shelves; `where` is asked of `p`. Answers how many. */
export const takeOffline = async (
  tx: Tx,
  where: RawBuilder<unknown>,
  cause: OfflineCause,
  actor: Actor,
): Promise<number> => {
  const rows = await tx.rows(sql<Product>`
    select p.* from market_product p where p.product_status = 'online' and p.deleted_time is null and ${where} order by p.market_product_no for update`)
  for (const row of rows) {
    const set = { reason: `market.offline.${cause}`, updatedTime: tx.now }
    await transition(tx, machine, row, { event: 'product.offline', as: 'system', set, payload: { cause } }, actor)
  }
  return rows.length
}
