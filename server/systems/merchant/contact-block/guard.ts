import { sql } from 'kysely'
import { type BlockEntry, type ContactUse, forbids, refusalOf } from '../../../../core/rules/contact/contact-block.ts'
import { normalValue } from '../../../../core/rules/text/name-list.ts'
import type { Tx } from '../../../db/database.ts'
import { newNo } from '../../../money/numbers.ts'
import type { ListValues } from '../../risk/name-list/index.ts'

/** Numbers that somebody is about to contact, for what, how, and for which merchant. */
export type Asked = ContactUse & { phones: readonly string[]; merchantNo: string | null }
/** Why a number may not be contacted, and the entry that says so. */
export type Forbidden = {
  phone: string
  reason: 'opted_out' | 'blacklisted'
  blockNo: string | null
  itemNo: string | null
}
type Entry = BlockEntry & { blockNo: string; phone: string; own: boolean }

const entriesOf = (tx: Tx, { phones, merchantNo }: Asked) =>
  tx.rows(sql<Entry>`
    select b.block_no, b.phone, b.book, b.block_scope, b.block_reason,
      (exists (select 1 from customer c where c.phone = b.phone) or exists (select 1 from merchant_customer c where c.phone = b.phone)) as own
    from contact_block b
    where b.phone = any(${[...phones]}::text[]) and b.block_status = 'active' and (b.expire_time is null or b.expire_time > ${tx.now})
      and (b.merchant_no is null or b.merchant_no = ${merchantNo})
    order by b.phone, coalesce(b.block_reason = 'asked_to_stop', false) desc, b.block_no`)

/** Numbers on black lists that people fill: no marketing reaches them. */
const blackOf = async (tx: Tx, lists: ListValues, { phones, merchantNo }: Asked) => {
  const byHash = new Map(
    phones.flatMap(phone => {
      const value = normalValue('phone', phone)
      return value === null ? [] : [[lists.hash('phone', value), phone] as const]
    }),
  )
  const found = await tx.rows(sql<{ itemNo: string; valueHash: string }>`
    select i.item_no, i.value_hash from name_list_item i join name_list l using (name_list_no)
    where i.value_hash = any(${[...byHash.keys()]}::text[]) and i.item_status = 'active' and i.expire_time > ${tx.now}
      and l.list_kind = 'black' and l.feed_key is null and l.enabled = 'enabled' and l.deleted_time is null
      and (l.merchant_no is null or l.merchant_no = ${merchantNo})
    order by i.item_no`)
  return new Map(found.map(({ itemNo, valueHash }) => [byHash.get(valueHash) as string, itemNo]))
}

/**
 * Which of some numbers may not be contacted for this, and why: by the do-not-contact list, the telemarketing blacklist, and for marketing
 * by black lists that people fill. Numbers are in the form `256…`. The contact guard asks it before anything else of a number is looked at.
 * @example const [no] = await contactBlocksOf(tx, lists, { phones: [phone], merchantNo, kind: 'marketing', medium: 'text' })
 */
export const contactBlocksOf = async (tx: Tx, lists: ListValues, asked: Asked): Promise<Forbidden[]> => {
  const entries = await entriesOf(tx, asked)
  const black = asked.kind === 'marketing' ? await blackOf(tx, lists, asked) : new Map<string, string>()
  return [...new Set(asked.phones)].flatMap((phone): Forbidden[] => {
    const entry = entries.find(one => one.phone === phone && forbids(one, asked, one.own))
    if (entry) return [{ phone, reason: refusalOf(entry, asked), blockNo: entry.blockNo, itemNo: null }]
    const itemNo = black.get(phone)
    return itemNo ? [{ phone, reason: 'blacklisted', blockNo: null, itemNo }] : []
  })
}

/** A contact that was stopped: who or what was about to make it, and about which record. */
export type Stopped = ContactUse & {
  merchantNo: string | null
  byName: string
  objectType?: string | null
  objectNo?: string | null
}

/** Notes a contact that was stopped, and counts it at its entry. */
export const noteStop = async (tx: Tx, { phone, blockNo, itemNo }: Forbidden, stopped: Stopped): Promise<void> => {
  const { kind, medium, merchantNo, byName, objectType = null, objectNo = null } = stopped
  const said = { phone, blockNo, itemNo, merchantNo, contactKind: kind, medium, objectType, objectNo }
  tx.append('contactStop', { ...said, stopNo: newNo('CS', tx.now), stoppedByName: byName, stoppedAt: tx.now })
  if (blockNo)
    await tx.exec(
      sql`update contact_block set blocked_count = blocked_count + 1, last_blocked = ${tx.now} where block_no = ${blockNo}`,
    )
}
