import { type RawBuilder, sql } from 'kysely'
import { contract } from '../../../../core/contract/contract.ts'
import type { OutputOf } from '../../../../core/contract/endpoint.ts'
import { normalValue } from '../../../../core/rules/text/name-list.ts'
import type { Tx } from '../../../db/database.ts'
import { invalid, notFound } from '../../../http/fault.ts'
import { type Served, serve } from '../../../http/serve.ts'
import type { Session } from '../../../session/session.ts'
import { listSeen } from './seen.ts'
import type { ListValues } from './value.ts'

const { nameList } = contract
type Found = OutputOf<typeof nameList.lookup>

/** Entries of a value on the lists that the reader sees, those in force first. */
export const holdings = (tx: Tx, session: Session, hash: RawBuilder<unknown>, perm?: string) =>
  tx.rows(sql<Found['list'][number]>`
    select i.item_no, l.name_list_name, l.list_kind, i.reason_code, i.created_by_name as created_by, i.created_time, i.expire_time, i.item_status
    from name_list_item i join name_list l using (name_list_no)
    where i.value_hash = ${hash} and ${listSeen(session, 'l', perm)}
    order by i.item_status = 'active' desc, i.created_time desc, i.item_no limit 50`)

/** Whether a value is on any list: looked up by the whole of it, and noted. */
const lookup = (values: ListValues) =>
  serve(nameList.lookup, async ({ tx, session, input, audit }) => {
    const value = normalValue(input.dimension, input.listValue)
    if (value === null)
      throw invalid('listValue', 'validation.listFormat', { dimension: `dict.LIST_DIMENSION.${input.dimension}` })
    const hash = values.hash(input.dimension, value)
    const list = await holdings(tx, session, sql`${hash}`)
    const kinds = new Set(list.filter(one => one.itemStatus === 'active').map(one => one.listKind))
    audit({
      objectType: 'name_list',
      objectNo: hash.slice(0, 16),
      after: { dimension: input.dimension, found: list.length },
    })
    return { conflict: kinds.has('black') && kinds.has('white'), list }
  })

const detail = serve(nameList.itemDetail, async ({ tx, session, input: { itemNo } }) => {
  const item = await tx.maybe(sql<{ uploadNo: string | null; fileName: string | null }>`
    select a.upload_no, u.file_name
    from name_list_item i join name_list l using (name_list_no)
      left join attachment a on a.attach_no = i.evidence_no left join upload u on u.upload_no = a.upload_no
    where i.item_no = ${itemNo} and ${listSeen(session, 'l')}`)
  if (!item) throw notFound()
  const { uploadNo, fileName } = item
  return {
    evidence: uploadNo && fileName ? { uploadNo, fileName } : null,
    list: await holdings(tx, session, sql`(select x.value_hash from name_list_item x where x.item_no = ${itemNo})`),
  }
})

/** What is asked about one value. */
export const lookups = (values: ListValues): Served[] => [lookup(values), detail]
