import { sql } from 'kysely'
import { contract } from '../../../../core/contract/contract.ts'
import type { OutputOf } from '../../../../core/contract/endpoint.ts'
import { standardPhone } from '../../../../core/rules/contact/contact-block.ts'
import type { Tx } from '../../../db/database.ts'
import { invalid } from '../../../http/fault.ts'
import { serve } from '../../../http/serve.ts'
import { serveListed } from '../../../lists/listed.ts'
import type { Deps, Module, Scheduled } from '../../../module.ts'
import { system } from '../../../rights/actor.ts'
import type { Session } from '../../../session/session.ts'
import { transition } from '../../../states/transition.ts'
import { orderScope } from '../../order/order/index.ts'
import { type ListValues, listValues } from '../../risk/name-list/index.ts'
import { blockParts } from './commands.ts'
import { blockList, holdingsOf, noteSearch, stopList } from './list.ts'
import { type Block, findBlock } from './store.ts'

const { contactBlock } = contract
type Detail = OutputOf<typeof contactBlock.detail>

const sentTo = (tx: Tx, { phone }: Block) =>
  tx.rows(sql<Detail['sent'][number]>`
    select message_no, created_time, template from message
    where recipient = ${phone} and message_status not in ('blocked', 'cancelled') order by created_time desc, message_no limit 100`)

const contactOf = (tx: Tx, session: Session, { phone }: Block) =>
  tx.rows(sql<Detail['contactOf'][number]>`
    select distinct on (o.order_no) o.order_no, oc.relation from order_contact oc join loan_order o using (order_no)
    where oc.contact_phone = ${phone} and ${orderScope(session)} order by o.order_no desc limit 50`)

const detail = (lists: ListValues) =>
  serve(contactBlock.detail, async ({ tx, session, input: { blockNo } }) => {
    const block = await findBlock(tx, session, 'contact', blockNo)
    const proof = await tx.maybe(sql<NonNullable<Detail['proof']>>`
      select u.upload_no, u.file_name from attachment a join upload u using (upload_no)
      where a.object_type = 'contactBlock' and a.object_no = ${blockNo} and a.removed_time is null order by a.uploaded_time desc limit 1`)
    return {
      lists: await holdingsOf(tx, session, lists, [block.phone]),
      sent: await sentTo(tx, block),
      contactOf: await contactOf(tx, session, block),
      proof: proof ?? null,
    }
  })

const lookup = (lists: ListValues) =>
  serve(contactBlock.lookup, async call => {
    const { tx, session, input, audit } = call
    const phone = standardPhone(input.phone)
    if (!phone) throw invalid('phone', 'validation.phoneFormat')
    noteSearch(call, phone)
    const list = await holdingsOf(tx, session, lists, [phone])
    audit({ objectType: 'contact_block', objectNo: 'lookup', after: { found: list.length } })
    return { list }
  })

/** Entries whose time is over, of both lists of numbers. */
const expiry: Scheduled = {
  job: 'blockExpire',
  every: { dailyAt: '00:05' },
  async run(tx, { date }) {
    const due = await tx.rows(
      sql<Block>`select * from contact_block where block_status = 'active' and expire_time <= ${tx.now} order by block_no limit 5000 for update`,
    )
    const actor = system(`blockExpire ${date}`)
    for (const block of due) await transition(tx, 'contactBlock', block, { event: 'clock.expire' }, actor)
    return { expired: due.length }
  },
}

/** Numbers that must not be contacted, and the contacts that were stopped because of it. */
export const contactBlockModule = ({ secretKey }: Partial<Pick<Deps, 'secretKey'>> = {}): Module => {
  const lists = listValues(secretKey ?? Buffer.alloc(32))
  return {
    served: [serveListed(blockList), serveListed(stopList), detail(lists), lookup(lists), ...blockParts.served],
    lists: [blockList, stopList],
    approvals: blockParts.approvals,
    imports: blockParts.imports,
    scheduled: [expiry],
  }
}
