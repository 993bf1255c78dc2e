import { type RawBuilder, sql } from 'kysely'
import { type ListDimension, type ListEffect, normalValue } from '../../../../core/rules/text/name-list.ts'
import type { Tx } from '../../../db/database.ts'
import { newNo } from '../../../money/numbers.ts'
import type { ListValues } from './value.ts'

/** What an application names of a person. */
export type Named = Partial<Record<ListDimension, string | null>>
/** A list that names somebody of an application. */
export type ListHit = {
  itemNo: string
  nameListNo: string
  nameListName: string
  listEffect: ListEffect
  /** People fill it entry by entry. */
  byHand: boolean
}

const hashesOf = (values: ListValues, named: Named): string[] =>
  Object.entries(named).flatMap(([dimension, text]) => {
    const value = text ? normalValue(dimension as ListDimension, text) : null
    return value === null ? [] : [values.hash(dimension as ListDimension, value)]
  })

/** An order, as far as lists may hold what it names. */
export type NamedOrder = {
  orderNo: string
  customerNo: string
  merchantNo: string
  walletAccount: string | null
  bankCardNo: string | null
  device: unknown
}

/** What an application names of its customer: each may be on a list. */
export const namedBy = async (tx: Tx, order: NamedOrder): Promise<Named> => {
  const { customerNo, merchantNo, walletAccount, bankCardNo } = order
  const person = await tx.one(sql<{ phone: string; idNumber: string }>`
    select oc.phone, oc.id_number from order_customer oc where oc.customer_no = ${customerNo} and oc.merchant_no = ${merchantNo}`)
  const { deviceId = null } = (order.device ?? {}) as { deviceId?: string | null }
  return { ...person, customerNo, walletAccount, bankCardNo, deviceId }
}

/** Notes what an order names, so that entries made later find it; what it named before stays. */
export const noteNamed = async (tx: Tx, values: ListValues, order: NamedOrder): Promise<Named> => {
  const named = await namedBy(tx, order)
  await tx.exec(sql`
    insert into order_list_value (order_no, value_hash) select ${order.orderNo}, unnest(${hashesOf(values, named)}::text[]) on conflict do nothing`)
  return named
}

/** SQL: whether a black list that refuses holds what an order names, by an entry made after `since`. */
export const isBarred = (
  tx: Tx,
  of: { orderNo: RawBuilder<unknown>; merchantNo: RawBuilder<unknown>; since?: RawBuilder<unknown> },
): RawBuilder<unknown> => sql`exists (
  select 1 from order_list_value v join name_list_item i using (value_hash) join name_list l using (name_list_no)
  where v.order_no = ${of.orderNo} and i.item_status = 'active' and i.expire_time > ${tx.now}
    and l.list_kind = 'black' and l.list_effect = 'refuse' and l.enabled = 'enabled' and l.deleted_time is null
    and (l.merchant_no is null or l.merchant_no = ${of.merchantNo}) and i.created_time > coalesce(${of.since ?? sql`null::timestamptz`}, '-infinity'))`

/** The lists in force that hold something an application names; black ones first. */
export const listHitsOf = async (
  tx: Tx,
  values: ListValues,
  { merchantNo, named }: { merchantNo: string; named: Named },
): Promise<ListHit[]> => {
  const hashes = hashesOf(values, named)
  return tx.rows(sql<ListHit>`
    select i.item_no, l.name_list_no, l.name_list_name, l.list_effect, l.by_hand
    from name_list_item i join name_list l using (name_list_no)
    where i.value_hash = any(${hashes}::text[]) and i.item_status = 'active' and i.expire_time > ${tx.now}
      and l.enabled = 'enabled' and l.deleted_time is null and (l.merchant_no is null or l.merchant_no = ${merchantNo})
    order by array_position(array['refuse', 'review', 'flag', 'skip'], l.list_effect), l.name_list_no, i.item_no`)
}

/** Which of some values a black list in force holds, of all merchants or of this one. */
export const blackAmong = async (
  tx: Tx,
  values: ListValues,
  { merchantNo, dimension, texts }: { merchantNo: string; dimension: ListDimension; texts: readonly string[] },
): Promise<ReadonlySet<string>> => {
  const byHash = new Map(texts.flatMap(text => hashesOf(values, { [dimension]: text }).map(hash => [hash, text])))
  const found = await tx.rows(sql<{ valueHash: string }>`
    select distinct i.value_hash from name_list_item i join name_list l using (name_list_no)
    where i.value_hash = any(${[...byHash.keys()]}::text[]) and i.item_status = 'active' and i.expire_time > ${tx.now} and l.list_kind = 'black'
      and l.enabled = 'enabled' and l.deleted_time is null and (l.merchant_no is null or l.merchant_no = ${merchantNo})`)
  return new Set(found.flatMap(({ valueHash }) => byHash.get(valueHash) ?? []))
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
