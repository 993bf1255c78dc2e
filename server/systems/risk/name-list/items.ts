import { sql } from 'kysely'
import type { BlockedBy } from '../../../../core/contract/blocked.ts'
import { contract } from '../../../../core/contract/contract.ts'
import { type ImportedItem, importedItem, nameLists } from '../../../../core/contract/risk/name-list.ts'
import { normalValue, valuesIn } from '../../../../core/rules/text/name-list.ts'
import { requestApproval } from '../../../approval/approval.ts'
import { waitingMaker } from '../../../configs/checked.ts'
import { imported, KnownRow, type RowCall } from '../../../files/imports/store.ts'
import { attachUpload, keepAsEvidence, lockReady } from '../../../files/uploads/stored.ts'
import { Fault, invalid, notFound } from '../../../http/fault.ts'
import { type Served, serve, serveEach } from '../../../http/serve.ts'
import { listed } from '../../../lists/listed.ts'
import type { ApprovalAction } from '../../../module.ts'
import { orderHolder, scope } from '../../../rights/scope.ts'
import { checkEnd, extendItem, findList, itemTable, removeAgreed, removeItem } from './change.ts'
import { lookups } from './lookup.ts'
import { listSeen } from './seen.ts'
import { lookAt, type NameList, putOn } from './store.ts'
import type { ListValues } from './value.ts'

const { nameList } = contract
const perm = nameLists.codes.page

const hasBoth = sql`exists (
  select 1 from name_list_item o join name_list ol using (name_list_no)
  where o.value_hash = i.value_hash and o.item_status = 'active' and i.item_status = 'active' and ol.list_kind in ('black', 'white') and l.list_kind in ('black', 'white')
    and ol.list_kind <> l.list_kind)`

/** Entries of the lists that the reader sees. */
export const itemList = (values: ListValues) =>
  listed({
    list: nameList.items,
    source: ({ session }) => ({
      from: sql`name_list_item i`,
      alias: 'i',
      key: sql`i.item_no`,
      where: listSeen(session, 'l'),
      joins: { l: sql`join name_list l on l.name_list_no = i.name_list_no` },
      columns: {
        nameListNo: sql`i.name_list_no`,
        nameListName: sql`l.name_list_name`,
        listKind: sql`l.list_kind`,
        dimension: sql`l.dimension`,
        createdBy: sql`i.created_by_name`,
        conflict: hasBoth,
        pendingApproval: waitingMaker(itemTable, sql`i.item_no`),
      },
      filters: {
        nameListNo: no => sql`i.name_list_no = ${no}`,
        listValue: text =>
          sql`i.value_hash = any(${(
            ['phone', 'idNumber', 'bankCardNo', 'walletAccount', 'deviceId', 'customerNo'] as const
          ).flatMap(dimension => {
            const value = normalValue(dimension, String(text))
            return value === null ? [] : [values.hash(dimension, value)]
          })}::text[])`,
      },
    }),
    blocked: async (_, rows) =>
      rows.map((row): BlockedBy => {
        const why = row.pendingApproval
          ? ({ reason: 'errors.approvalWaits', params: {} } as const)
          : row.listSource === 'feed'
            ? ({ reason: 'errors.listFed', params: {} } as const)
            : null
        return why ? { 'nameListItem.remove': why, 'nameListItem.extend': why } : {}
      }),
  })

/** Orders that lists have met. */
export const hitList = listed({
  list: nameList.hits,
  source: ({ session }) => ({
    from: sql`name_list_hit h`,
    alias: 'h',
    key: sql`h.list_hit_no`,
    where: sql`(${listSeen(session, 'l')} and ${scope(session, { merchant: 'o.merchant_no', holder: orderHolder('o'), perm })})`,
    joins: {
      i: sql`join name_list_item i on i.item_no = h.item_no`,
      l: sql`join name_list l on l.name_list_no = i.name_list_no`,
      o: sql`join loan_order o on o.order_no = h.order_no`,
    },
    columns: {
      orderNo: sql`h.order_no`,
      nameListName: sql`l.name_list_name`,
      listKind: sql`l.list_kind`,
      listEffect: sql`h.list_effect`,
      displayValue: sql`i.display_value`,
    },
    filters: {
      nameListNo: no => sql`i.name_list_no = ${no}`,
      itemNo: no => sql`h.item_no = ${no}`,
      orderNo: no => sql`h.order_no = ${no}`,
    },
  }),
})

type Add = Parameters<Parameters<typeof serve<typeof nameList.add>>[1]>[0]

/** The file that a black list's entries rest on: it stays with the list. */
const evidenceOf = async ({ tx, actor, input }: Add, list: NameList): Promise<string | null> => {
  if (!input.evidenceFile) {
    if (list.listKind === 'black') throw invalid('evidenceFile', 'validation.infoComplete')
    return null
  }
  await lockReady(tx, input.evidenceFile, { purpose: 'attachment', userNo: actor.no })
  const attachNo = await attachUpload(tx, input.evidenceFile, 'nameList', list.nameListNo, actor)
  await keepAsEvidence(tx, { objectType: 'nameList', objectNo: list.nameListNo, decision: 'item.add' })
  return attachNo
}

const add = (values: ListValues) =>
  serve(nameList.add, async call => {
    const { tx, session, actor, input } = call
    const list = await findList(tx, session, input.nameListNo)
    if (list.feedKey) throw new Fault('stateConflict', 'errors.listFed')
    checkEnd(tx, input.expireTime)
    const evidenceNo = await evidenceOf(call, list)
    const said = { reasonCode: input.reasonCode, remark: input.remark ?? null, expireTime: input.expireTime ?? null }
    const waits = list.listKind === 'white'
    const seen = new Set<string>()
    const results: { value: string; outcome: 'added' | 'exists' | 'format' | 'waits' }[] = []
    const fresh: { value: string; hash: string }[] = []
    for (const text of valuesIn(input.values)) {
      const found = await lookAt(tx, values, list, text)
      const twice = found.outcome === 'added' && seen.has(found.hash)
      results.push({
        value: text,
        outcome: twice ? 'exists' : found.outcome === 'added' && waits ? 'waits' : found.outcome,
      })
      if (found.outcome !== 'added' || twice) continue
      seen.add(found.hash)
      fresh.push(found)
      if (waits) continue
      await putOn(tx, values, list, found, { ...said, listSource: 'manual', evidenceNo }, actor)
    }
    const after = { added: fresh.length, reasonCode: input.reasonCode }
    if (!waits || fresh.length === 0) {
      call.audit({ objectType: 'name_list', objectNo: list.nameListNo, after })
      return { results, approvalNo: null }
    }
    const sealed = fresh.map(one => values.seal(one.value, list.nameListNo))
    const approvalNo = await requestApproval(call, {
      action: 'nameListItem.add',
      perm: 'risk:list:item',
      objectType: 'name_list_addition',
      objectNo: list.nameListNo,
      ...(list.merchantNo ? { merchantNo: list.merchantNo } : {}),
      version: 0,
      payload: { sealed, ...said },
      summary: [
        { label: 'fields.nameListName', before: null, after: list.nameListName },
        { label: 'fields.newItems', before: null, after: String(fresh.length) },
        { label: 'fields.reasonCode', before: null, after: `dict.LIST_REASON.${input.reasonCode}` },
      ],
    })
    call.audit({ objectType: 'name_list', objectNo: list.nameListNo, after: { ...after, approvalNo } })
    return { results, approvalNo }
  })

const extend = serveEach(nameList.extend, {
  ids: input => input.itemNos,
  row: (itemNo, call) => extendItem(call, itemNo, call.input),
})

const remove = serveEach(nameList.removeItems, {
  ids: input => input.itemNos,
  row: (itemNo, call) =>
    removeItem(call, itemNo, call.input.reason, { action: 'nameListItem.remove', perm: 'risk:list:remove' }),
})

/** A value of a file: the list that it names tells what it must look like. */
const take =
  (values: ListValues) =>
  async ({ tx, session, actor, audit }: RowCall, row: ImportedItem): Promise<string> => {
    const list = await findList(tx, session, row.nameListNo).catch((error: unknown) => {
      throw error instanceof Fault ? invalid('nameListNo', 'validation.wrongValue') : error
    })
    if (list.feedKey || list.listKind !== 'grey') throw invalid('nameListNo', 'validation.listByHand')
    const found = await lookAt(tx, values, list, row.listValue)
    if (found.outcome === 'format')
      throw invalid('listValue', 'validation.listFormat', { dimension: `dict.LIST_DIMENSION.${list.dimension}` })
    if (found.outcome === 'exists') throw new KnownRow('validation', 'errors.dataExists')
    const said = { reasonCode: row.reason, remark: row.remark ?? null, listSource: 'import' as const }
    const itemNo = await putOn(tx, values, list, found, said, actor)
    audit({ objectType: itemTable, objectNo: itemNo, after: { nameListNo: list.nameListNo } })
    return itemNo
  }

type Waiting = { sealed: string[]; reasonCode: string; remark: string | null; expireTime: string | null }

/** What happens when a second person agrees. */
const approvalsOf = (values: ListValues): ApprovalAction[] => [
  {
    action: 'nameListItem.add',
    perm: 'risk:list:item',
    money: false,
    async execute(tx, { objectNo, payload, maker }) {
      const list = await tx.maybe(
        sql<NameList>`select * from name_list where name_list_no = ${objectNo} and deleted_time is null`,
      )
      if (!list) throw notFound()
      const { sealed, ...said } = payload as Waiting
      for (const one of sealed) {
        const found = await lookAt(tx, values, list, values.open(one, list.nameListNo))
        if (found.outcome === 'added') await putOn(tx, values, list, found, { ...said, listSource: 'manual' }, maker)
      }
    },
  },
  { action: 'nameListItem.remove', perm: 'risk:list:remove', money: false, execute: removeAgreed },
]

/** Handlers of the entries of lists, and what decides with a second person. */
export const itemParts = (values: ListValues) => ({
  served: [add(values), extend, remove, ...lookups(values)] as Served[],
  imports: [imported({ list: nameList.items, schema: importedItem, row: take(values) })],
  approvals: approvalsOf(values),
})
