import { type RawBuilder, sql } from 'kysely'
import type { BlockedBy } from '../../../../core/contract/blocked.ts'
import { contract } from '../../../../core/contract/contract.ts'
import type { OutputOf } from '../../../../core/contract/endpoint.ts'
import { standardPhone } from '../../../../core/rules/contact/contact-block.ts'
import { mask } from '../../../../core/rules/mask.ts'
import { waitingMaker } from '../../../configs/checked.ts'
import type { Tx } from '../../../db/database.ts'
import { listed } from '../../../lists/listed.ts'
import type { Actor } from '../../../rights/actor.ts'
import type { Session } from '../../../session/session.ts'
import { type ListValues, listSeen } from '../../risk/name-list/index.ts'
import { type Book, blockSeen } from './store.ts'

const { contactBlock } = contract
type Holding = OutputOf<typeof contactBlock.lookup>['list'][number]

/** How entries of a book are read: what both lists of numbers have in common. */
export const blockListSource = (session: Session, book: Book) => ({
  from: sql`contact_block b`,
  alias: 'b',
  key: sql`b.block_no`,
  where: sql`b.book = ${book} and ${blockSeen(session, 'b', book)}`,
  joins: {
    m: sql`left join merchant m on m.merchant_no = b.merchant_no`,
    c: sql`left join customer c on c.customer_no = b.linked_customer_no`,
  },
  columns: {
    merchantName: sql`m.merchant_name`,
    linkedCustomerName: sql`c.customer_name`,
    teleSource: sql`b.block_source`,
    pendingApproval: waitingMaker('contact_block', sql`b.block_no`),
  },
  filters: {
    phone: (text: string) => sql`b.phone = ${standardPhone(text) ?? ''}`,
  },
})

/** Looking for a number leaves a trace. */
export const noteSearch = (
  { tx, session, actor }: { tx: Tx; session: Session; actor: Actor },
  phone: string | undefined,
): void => {
  if (!phone) return
  tx.append('accessLog', {
    userNo: session.userNo,
    accessKind: 'search',
    objectType: 'contactBlock',
    objectNo: mask(phone),
    field: 'phone',
    at: tx.now,
    ip: actor.ip,
    requestId: actor.requestId,
    partnerNo: actor.partnerNo,
  })
}

/** So many days an entry after a complaint stays in any case. */
export const coolingDays = 30

type Row = { pendingApproval: string | null; merchantNo: string | null; blockReason?: string; createdTime: string }
const why = (reason: string): BlockedBy[string] => ({ reason: reason as never, params: {} })

/** Why an entry takes no change: it waits for a second person, is headquarters', or follows a complaint of these days. */
export const removedBy = (at: { tx: Tx; session: Session }, row: Row): BlockedBy[string] | null => {
  if (row.pendingApproval) return why('errors.approvalWaits')
  if (row.merchantNo === null && !at.session.headquarters) return why('errors.headquartersOnly')
  const free = Date.parse(row.createdTime) + coolingDays * 86_400_000
  return row.blockReason === 'complaint' && free > at.tx.now.getTime() ? why('errors.blockCooling') : null
}

export const blockFlaws = (at: { tx: Tx; session: Session }, row: Row): BlockedBy => {
  const found = removedBy(at, row)
  if (!found) return {}
  return found.reason === 'errors.blockCooling' ? { 'block.end': found } : { 'block.end': found, 'block.change': found }
}

/** The do-not-contact list. */
export const blockList = listed({
  list: contactBlock.page,
  source: ({ session }) => blockListSource(session, 'contact'),
  check: (call, _) => noteSearch(call, call.input.phone),
  blocked: async (at, rows) => rows.map(row => blockFlaws(at, row)),
})

/** Contacts that the lists have stopped. */
export const stopList = listed({
  list: contactBlock.stops,
  source: ({ session }) => ({
    from: sql`contact_stop s`,
    alias: 's',
    key: sql`s.stop_no`,
    where: blockSeen(session, 's'),
    joins: { m: sql`left join merchant m on m.merchant_no = s.merchant_no` },
    columns: { merchantName: sql`m.merchant_name` },
    filters: {},
  }),
})

/** Every list that a number is on, those in force first. */
export const holdingsOf = (
  tx: Tx,
  session: Session,
  lists: ListValues,
  phones: readonly string[],
): Promise<(Holding & { phone: string })[]> => {
  const hashes = phones.map(phone => lists.hash('phone', phone))
  const pairs: RawBuilder<unknown> = sql`unnest(${[...phones]}::text[], ${hashes}::text[]) as asked (phone, hash)`
  return tx.rows(sql<Holding & { phone: string }>`
    select held.* from (
      select b.phone, b.block_no as holding_no, b.book, case when b.book = 'contact' then b.block_scope end as block_scope, m.merchant_name, b.created_by_name, b.created_time, b.expire_time, b.block_status
      from contact_block b left join merchant m using (merchant_no)
      where b.phone = any(${[...phones]}::text[]) and ${blockSeen(session, 'b')}
      union all
      select asked.phone, i.item_no, 'black', null, m.merchant_name, i.created_by_name, i.created_time, i.expire_time, case i.item_status when 'removed' then 'ended' else i.item_status end
      from ${pairs} join name_list_item i on i.value_hash = asked.hash join name_list l using (name_list_no) left join merchant m using (merchant_no)
      where l.list_kind = 'black' and ${listSeen(session, 'l')}
    ) held order by held.block_status = 'active' desc, held.created_time desc, held.holding_no limit 1000`)
}
