import { sql } from 'kysely'
import { mask } from '../../../../core/rules/mask.ts'
import { type ListDimension, normalValue } from '../../../../core/rules/text/name-list.ts'
import type { Tx } from '../../../db/database.ts'
import { SeenMeanwhile, violatedConstraint } from '../../../db/faults.ts'
import { newNo } from '../../../money/numbers.ts'
import type { Actor } from '../../../rights/actor.ts'
import { create, transition } from '../../../states/transition.ts'
import type { ListValues } from './value.ts'

/** A list that entries may be put on. */
export type NameList = {
  nameListNo: string
  nameListName: string
  listKind: 'black' | 'grey' | 'white'
  dimension: ListDimension
  merchantNo: string | null
  defaultMonths: number
  feedKey: string | null
}
export type Item = {
  itemNo: string
  itemStatus: string
  nameListNo: string
  valueHash: string
  expireTime: string
  listSource: string
  version: number
}

/** What is said of a value that is put on a list. */
export type Said = {
  reasonCode: string
  remark?: string | null
  listSource: 'manual' | 'import' | 'feed'
  expireTime?: string | null
  evidenceNo?: string | null
}

/** The same time, months ahead. */
export const monthsAhead = (tx: Tx, months: number): Date => {
  const end = new Date(tx.now)
  end.setUTCMonth(end.getUTCMonth() + months)
  return end
}

const activeEntry = (tx: Tx, { nameListNo, valueHash }: Pick<Item, 'nameListNo' | 'valueHash'>) =>
  tx.maybe(
    sql`select 1 from name_list_item where name_list_no = ${nameListNo} and value_hash = ${valueHash} and item_status = 'active'`,
  )

/** Whether the value of an entry that has ended was put on the list again since. */
export const isActiveElsewhere = async (tx: Tx, item: Item): Promise<boolean> =>
  (await activeEntry(tx, item)) !== undefined

/** What is found of a value: its form, and whether the list has it. */
export const lookAt = async (tx: Tx, values: ListValues, list: NameList, text: string) => {
  const value = normalValue(list.dimension, text)
  if (value === null) return { outcome: 'format' as const }
  const hash = values.hash(list.dimension, value)
  const there = await activeEntry(tx, { nameListNo: list.nameListNo, valueHash: hash })
  return there ? { outcome: 'exists' as const } : { outcome: 'added' as const, value, hash }
}

/** Puts a value on a list; answers the number of its entry. */
export const putOn = async (
  tx: Tx,
  values: ListValues,
  list: NameList,
  { value, hash }: { value: string; hash: string },
  said: Said,
  actor: Actor,
): Promise<string> => {
  const itemNo = newNo('NI', tx.now)
  const row = {
    itemNo,
    nameListNo: list.nameListNo,
    valueHash: hash,
    valueSealed: values.seal(value, itemNo),
    displayValue: mask(value),
    reasonCode: said.reasonCode,
    remark: said.remark ?? null,
    listSource: said.listSource,
    evidenceNo: said.evidenceNo ?? null,
    createdBy: actor.no,
    createdByName: actor.name,
    createdTime: tx.now,
    expireTime: said.expireTime ?? monthsAhead(tx, list.defaultMonths),
  }
  const as = said.listSource === 'feed' ? 'system' : 'person'
  try {
    await create(tx, 'nameListItem', row, { event: 'item.add', as }, actor)
  } catch (error) {
    throw violatedConstraint(error) === 'name_list_item_active' ? new SeenMeanwhile(itemNo, { cause: error }) : error
  }
  return itemNo
}

/** Takes an entry away; it stays to be found as one that was. */
export const takeOff = (tx: Tx, item: Item, reason: string, as: 'person' | 'system', actor: Actor) =>
  transition(tx, 'nameListItem', item, { event: 'item.remove', as, payload: { reason } }, actor)
