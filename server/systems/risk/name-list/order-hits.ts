import { sql } from 'kysely'
import { type ListDimension, type ListEffect, normalValue } from '../../../../core/rules/text/name-list.ts'
import type { Tx } from '../../../db/database.ts'
import { newNo } from '../../../money/numbers.ts'
import type { ListValues } from './value.ts'

/** What an application names of a person. */
export type Named = Partial<Record<ListDimension, string | null>>
/** A list that names somebody of an application. */
export type ListHit = { itemNo: string; nameListNo: string; nameListName: string; listEffect: ListEffect }

/** The lists in force that hold something an application names; black ones first. */
export const listHitsOf = async (
  tx: Tx,
  values: ListValues,
  { merchantNo, named }: { merchantNo: string; named: Named },
): Promise<ListHit[]> => {
  const hashes = Object.entries(named).flatMap(([dimension, text]) => {
    const value = text ? normalValue(dimension as ListDimension, text) : null
    return value === null ? [] : [values.hash(dimension as ListDimension, value)]
  })
  return tx.rows(sql<ListHit>`
    select i.item_no, l.name_list_no, l.name_list_name, l.list_effect
    from name_list_item i join name_list l using (name_list_no)
    where i.value_hash = any(${hashes}::text[]) and i.item_status = 'active' and i.expire_time > ${tx.now}
      and l.enabled = 'enabled' and l.deleted_time is null and (l.merchant_no is null or l.merchant_no = ${merchantNo})
    order by array_position(array['refuse', 'review', 'flag', 'skip'], l.list_effect), l.name_list_no, i.item_no`)
}

/** Notes that an order was met by lists: once each. */
export const noteHits = async (tx: Tx, orderNo: string, hits: readonly ListHit[]): Promise<void> => {
  for (const { itemNo, listEffect } of hits) {
    tx.append('nameListHit', { listHitNo: newNo('NH', tx.now), itemNo, orderNo, listEffect, hitAt: tx.now })
    await tx.exec(
      sql`update name_list_item set times_hit = times_hit + 1, last_hit = ${tx.now} where item_no = ${itemNo}`,
    )
  }
}
