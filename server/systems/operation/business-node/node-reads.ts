import { sql } from 'kysely'
import { contract } from '../../../../core/contract/contract.ts'
import type { NodeMessage, SimulatedChannel } from '../../../../core/contract/operation/business-node.ts'
import {
  isKeptEvent,
  type MessageEvent,
  messageEventDict,
  valuesOfEvent,
} from '../../../../core/contract/operation/message-event.ts'
import { mask, maskEmail } from '../../../../core/rules/mask.ts'
import { fill, placesIn } from '../../../../core/rules/message/template-text.ts'
import { smsParts } from '../../../../core/rules/text/sms-parts.ts'
import { addDays, startOfEatDay } from '../../../../core/rules/time.ts'
import type { Tx } from '../../../db/database.ts'
import { invalid, notFound } from '../../../http/fault.ts'
import { serve } from '../../../http/serve.ts'
import { orderHolder, scope } from '../../../rights/scope.ts'
import type { Session } from '../../../session/session.ts'
import type { ListValues } from '../../risk/name-list/index.ts'
import { type Composed, compose, type NodeRecord, nodeOf, receiverOf, valuesFor } from '../message-engine/shared.ts'

const { businessNode } = contract
const perm = businessNode.page.perm as string
/** Messages that the drawer of a node shows, and its days. */
const shownMessages = 50
const shownDays = 14

/** A node that there is. */
export const heldNode = async (tx: Tx, nodeNo: string): Promise<NodeRecord> => {
  const node = await nodeOf(tx, nodeNo)
  if (!node) throw notFound()
  return node
}

const events = serve(businessNode.events, async () => ({
  list: messageEventDict.values.map(eventKey => ({
    eventKey,
    values: [...valuesOfEvent(eventKey as MessageEvent)],
    alwaysOn: isKeptEvent(eventKey as MessageEvent),
  })),
}))

/** The data rule on messages `m`. */
const messageRule = (session: Session) =>
  scope(session, { merchant: 'm.merchant_no', holder: person => person(sql`m.user_no`), perm })

type Stored = Omit<NodeMessage, 'receiver' | 'messageText'> & {
  recipient: string
  content: string | null
  params: Record<string, string>
}

const hidden = (recipient: string) => (recipient.includes('@') ? maskEmail(recipient) : mask(recipient))

/** A text as it went out, with what nobody else may read hidden. */
const shownText = (content: string | null, params: Record<string, string>): string | null => {
  if (content === null) return null
  const unknown = Object.fromEntries(placesIn(content).map(name => [name, '******']))
  const named = params.customerName ? { customerName: mask(params.customerName) } : {}
  return fill(content, { ...unknown, ...params, ...named }).text ?? null
}

const sent = serve(businessNode.sent, async ({ tx, session, input: { nodeNo } }) => {
  await heldNode(tx, nodeNo)
  const rows = await tx.rows(sql<Stored>`
    select m.message_no, m.created_time, m.channel_type, m.app_code, m.recipient, m.content, m.params, m.segments, m.message_status, m.block_reason as why_blocked, m.fail_reason
    from message m where m.node_no = ${nodeNo} and ${messageRule(session)} order by m.created_time desc, m.message_no desc limit ${shownMessages}`)
  const from = addDays(tx.today, 1 - shownDays)
  const days = await tx.rows(sql<{ date: string; sent: number; delivered: number; blocked: number }>`
    select to_char(d.day, 'YYYY-MM-DD') as date, count(*) filter (where m.send_time is not null)::int as sent,
      count(*) filter (where m.message_status = 'delivered')::int as delivered, count(*) filter (where m.message_status = 'blocked')::int as blocked
    from generate_series(${from}::date, ${tx.today}::date, interval '1 day') d (day)
      left join message m on m.node_no = ${nodeNo} and (m.created_time at time zone 'Africa/Kampala')::date = d.day
        and m.created_time >= ${startOfEatDay(from)} and ${messageRule(session)}
    group by 1 order by 1`)
  const list = rows.map(({ recipient, content, params, ...row }) => ({
    ...row,
    receiver: hidden(recipient),
    messageText: shownText(content, params),
  }))
  return { list, days }
})

const outcomeOf = ({ channel, to, template, text, blocked, until }: Composed, name: string): SimulatedChannel => ({
  channelType: channel,
  receiver: hidden(to),
  language: template?.language ?? null,
  templateNo: template?.templateNo ?? null,
  messageText: text?.replaceAll(name, mask(name)) ?? null,
  segments: text && channel === 'sms' ? smsParts(text).parts : null,
  outcome: blocked ? 'blocked' : until ? 'waits' : 'sends',
  sendTime: until?.toISOString() ?? null,
  whyBlocked: blocked,
})

type Named = { customerNo: string; merchantNo: string; orderNo: string }

const simulate = (lists: ListValues) =>
  serve(businessNode.simulate, async ({ tx, session, input: { nodeNo, orderNo } }) => {
    const order = await tx.maybe(sql<Named>`
    select o.order_no, o.customer_no, o.merchant_no from loan_order o
    where o.order_no = ${orderNo} and ${scope(session, { merchant: 'o.merchant_no', holder: orderHolder('o'), perm })}`)
    const receiver = order && (await receiverOf(tx, order))
    if (!order || !receiver) throw notFound()
    const node = await nodeOf(tx, nodeNo)
    if (!node) throw invalid('nodeNo', 'validation.wrongValue')
    const values = await valuesFor(tx, receiver, order)
    const list: SimulatedChannel[] = []
    for (let at = 0; at < node.channelOrder.length; at++) {
      const made = await compose(tx, node, { receiver, values, orderNo, billNo: null }, { lists, from: at })
      if (!made) break
      list.push(outcomeOf(made, receiver.customerName))
      at = Math.max(at, made.channelAt)
    }
    return { list }
  })

/** The reads of nodes. */
export const nodeReads = (lists: ListValues) => [events, sent, simulate(lists)]
