import { sql } from 'kysely'
import type { BlockedBy } from '../../../../core/contract/blocked.ts'
import { contract } from '../../../../core/contract/contract.ts'
import type { OutputOf } from '../../../../core/contract/endpoint.ts'
import { importedBarred } from '../../../../core/contract/merchant/blacklist.ts'
import { listDimensions, normalValue } from '../../../../core/rules/text/name-list.ts'
import { waitingMaker } from '../../../configs/checked.ts'
import { imported } from '../../../files/imports/store.ts'
import { invalid, notFound } from '../../../http/fault.ts'
import { serve, serveEach } from '../../../http/serve.ts'
import { listed, serveListed } from '../../../lists/listed.ts'
import type { Deps, Module } from '../../../module.ts'
import { orderScope } from '../../order/order/index.ts'
import {
  extendItem,
  holdings,
  itemTable,
  type ListValues,
  listSeen,
  listValues,
  removeAgreed,
  removeItem,
} from '../../risk/name-list/index.ts'
import { addAgreed, addPerson, addValues, page, takeBarred } from './add.ts'

const { blacklist } = contract
type Detail = OutputOf<typeof blacklist.detail>

/** Entries of black lists that no feed fills. */
const filled = sql`l.list_kind = 'black' and l.feed_key is null and i.list_source <> 'feed'`

const list = (values: ListValues) =>
  listed({
    list: blacklist.page,
    source: ({ session }) => ({
      from: sql`name_list_item i join name_list l using (name_list_no)`,
      alias: 'i',
      key: sql`i.item_no`,
      where: sql`(${filled} and ${listSeen(session, 'l', page)})`,
      joins: { m: sql`left join merchant m on m.merchant_no = l.merchant_no` },
      columns: {
        nameListName: sql`l.name_list_name`,
        dimension: sql`l.dimension`,
        merchantNo: sql`l.merchant_no`,
        merchantName: sql`m.merchant_name`,
        hasEvidence: sql`i.evidence_no is not null`,
        customerName: sql`(select c.customer_name from order_list_value v join loan_order o using (order_no) join customer c using (customer_no)
          where v.value_hash = i.value_hash and ${orderScope(session, page)} order by o.apply_time desc limit 1)`,
        pendingApproval: waitingMaker(itemTable, sql`i.item_no`),
      },
      filters: {
        listValue: text =>
          sql`i.value_hash = any(${listDimensions.flatMap(dimension => {
            const value = normalValue(dimension, text)
            return value === null ? [] : [values.hash(dimension, value)]
          })}::text[])`,
        neverHit: never => (never ? sql`i.times_hit = 0` : sql`i.times_hit > 0`),
      },
    }),
    blocked: async ({ session }, rows) =>
      rows.map((row): BlockedBy => {
        const reason = row.pendingApproval
          ? ('errors.approvalWaits' as const)
          : row.merchantNo === null && !session.headquarters
            ? ('errors.headquartersOnly' as const)
            : null
        const why = reason && { reason, params: {} }
        return why ? { 'item.remove': why, 'item.extend': why } : {}
      }),
  })

const detail = serve(blacklist.detail, async ({ tx, session, input: { itemNo } }) => {
  const item = await tx.maybe(sql<{ valueHash: string; uploadNo: string | null; fileName: string | null }>`
    select i.value_hash, a.upload_no, u.file_name
    from name_list_item i join name_list l using (name_list_no)
      left join attachment a on a.attach_no = i.evidence_no left join upload u on u.upload_no = a.upload_no
    where i.item_no = ${itemNo} and ${filled} and ${listSeen(session, 'l', page)}`)
  if (!item) throw notFound()
  const { uploadNo, fileName, valueHash } = item
  const { persons } = await tx.one(sql<{ persons: number }>`
    select count(distinct o.customer_no)::int as persons from order_list_value v join loan_order o using (order_no) where v.value_hash = ${valueHash}`)
  return {
    evidence: uploadNo && fileName ? { uploadNo, fileName } : null,
    list: await holdings(tx, session, sql`${valueHash}`, page),
    orders: await tx.rows(sql<Detail['orders'][number]>`
      select h.order_no, h.hit_at from name_list_hit h join loan_order o using (order_no)
      where h.item_no = ${itemNo} and ${orderScope(session, page)} order by h.hit_at desc limit 50`),
    persons,
  }
})

const lookup = (values: ListValues) =>
  serve(blacklist.lookup, async ({ tx, session, input: { dimension, listValue }, audit }) => {
    const value = normalValue(dimension, listValue)
    if (value === null)
      throw invalid('listValue', 'validation.listFormat', { dimension: `dict.LIST_DIMENSION.${dimension}` })
    const hash = values.hash(dimension, value)
    const found = await holdings(tx, session, sql`${hash}`, page)
    const kinds = new Set(found.filter(one => one.itemStatus === 'active').map(one => one.listKind))
    audit({ objectType: 'name_list', objectNo: hash.slice(0, 16), after: { dimension, found: found.length } })
    return { conflict: kinds.has('black') && kinds.has('white'), list: found }
  })

const extend = serveEach(blacklist.extend, {
  ids: input => input.itemNos,
  row: (itemNo, call) => extendItem(call, itemNo, call.input, page),
})

const remove = serveEach(blacklist.remove, {
  ids: input => input.itemNos,
  row: (itemNo, call) =>
    removeItem(call, itemNo, call.input.reason, { action: 'blacklist.remove', perm: 'loans:blacklist:remove', page }),
})

/** Whom a merchant, or all of them, will not lend to, as people say it. */
export const blacklistModule = ({ secretKey }: Partial<Pick<Deps, 'secretKey'>> = {}): Module => {
  const values = listValues(secretKey ?? Buffer.alloc(32))
  const entries = list(values)
  return {
    served: [serveListed(entries), detail, lookup(values), addValues(values), addPerson(values), extend, remove],
    lists: [entries],
    imports: [imported({ list: blacklist.page, schema: importedBarred, row: takeBarred(values) })],
    approvals: [
      addAgreed(values),
      { action: 'blacklist.remove', perm: 'loans:blacklist:remove', money: false, execute: removeAgreed },
    ],
  }
}
