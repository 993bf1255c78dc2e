import { sql } from 'kysely'
import { contract } from '../../../core/contract/contract.ts'
import type { InputOf } from '../../../core/contract/endpoint.ts'
import { fill } from '../../../core/rules/message/template-text.ts'
import { networkOf } from '../../../core/rules/text/network.ts'
import { smsParts } from '../../../core/rules/text/sms-parts.ts'
import type { Tx } from '../../db/database.ts'
import { json } from '../../db/json.ts'
import { newNo } from '../../money/numbers.ts'
import type { Message } from '../../outgoing/post.ts'
import { system } from '../../rights/actor.ts'
import { rightsOfPerson, type Session } from '../../session/session.ts'
import { create, transition } from '../../states/transition.ts'
import { businessNodeModule } from '../../systems/operation/business-node/business-node.ts'
import { type NodeRecord, receiverOf, valuesFor } from '../../systems/operation/message-engine/shared.ts'
import { messageTemplateModule } from '../../systems/operation/message-template/message-template.ts'
import { at, type Hand, handFor } from '../hand.ts'
import { type Random, randomFrom } from '../random.ts'
import { userNoOf } from '../staff.ts'
import { merchants } from '../world.ts'
import { type NodeText, nodeTexts } from './message-texts.ts'

const { businessNode, messageTemplates } = contract
const minute = 60_000
const languages = ['zh', 'en', 'sw'] as const
const actor = system('demo messages')

type Desk = { hand: Hand; tx: Tx; boss: Session }

const writeTemplate = async (
  { hand, tx, boss }: Desk,
  nodeNo: string,
  one: NodeText,
  at_: { language: number; channel: 'sms' | 'email' },
) => {
  const [language, name] = [languages[at_.language] as (typeof languages)[number], one.names[1]]
  const input = {
    ...{
      templateName: `${name} · ${at_.channel} ${language}`,
      nodeNo,
      channelType: at_.channel,
      contactType: 'self',
      language,
    },
    content: one.texts[at_.language] ?? '',
    ...(at_.channel === 'email' ? { title: one.names[at_.language] } : {}),
  }
  const { templateNo, version } = await hand.call(
    tx,
    boss,
    messageTemplates.save,
    input as InputOf<typeof messageTemplates.save>,
  )
  await tx.flush()
  return { templateNo, version }
}

/** A node with its texts in force; two nodes lack their Swahili text, one its Chinese. */
const writeNode = async (desk: Desk, one: NodeText, n: number) => {
  const { hand, tx, boss } = desk
  const channelOrder = [
    { channelType: 'sms' as const, fallbackSeconds: one.mail ? 300 : 0 },
    ...(one.mail ? [{ channelType: 'email' as const, fallbackSeconds: 0 }] : []),
  ]
  const [zh, en, sw] = one.names
  const input = {
    ...{ pointCode: one.code, eventKey: one.event, nodeName: { zh, en, sw }, contactKind: one.kind, channelOrder },
    appCodes: merchants.map(({ appName }) => appName),
  }
  const { key } = await hand.call(tx, boss, businessNode.save, input as InputOf<typeof businessNode.save>)
  const nodeNo = String(key)
  await tx.flush()
  const isMissing = (language: number) => (language === 2 && (n === 10 || n === 16)) || (language === 0 && n === 14)
  for (const channel of one.mail ? (['sms', 'email'] as const) : (['sms'] as const))
    for (const language of [0, 1, 2]) {
      if (isMissing(language)) continue
      const made = await writeTemplate(desk, nodeNo, one, { language, channel })
      await hand.call(tx, boss, messageTemplates.enable, made)
      await tx.flush()
    }
  await hand.call(tx, boss, businessNode.state, { nodeNo, enabled: true, version: 0 } as never)
  await tx.flush()
  return nodeNo
}

type Happening = { orderNo: string; customerNo: string; merchantNo: string; at: string }

/** Orders of the last days with when something happened to them. */
const happenedTo = (tx: Tx, event: string, since: Date): Promise<Happening[]> => {
  const when: Record<string, ReturnType<typeof sql>> = {
    'order.submitted': sql`o.apply_time`,
    'order.approved': sql`case when o.payout_time is not null then o.approval_time end`,
    'payout.success': sql`o.payout_time`,
    'repay.settled': sql`o.settled_time`,
  }
  const column = when[event]
  return column
    ? tx.rows(sql<Happening>`
        select * from (select o.order_no, o.customer_no, o.merchant_no, ${column} as at from loan_order o) happening
        where at > ${since} and at < ${tx.now} order by at, order_no limit 60`)
    : Promise.resolve([])
}

type Written = { templateNo: string; templateVersion: number; content: string }

type MessageRow = Record<string, unknown> & { messageNo: string; segments: number }

/** The way of a text: queued, taken by its vendor, and reported on, or not. */
export const goes = async (tx: Tx, then: Tx, row: MessageRow, random: Random): Promise<void> => {
  await create(then, 'message', row, { event: 'msg.queue', as: 'queued' }, actor)
  const read = () => tx.one(sql<Message>`select * from message where message_no = ${row.messageNo}`)
  const taken = { vendorRef: `ATXid_demo${row.messageNo}`, cost: `${35 * row.segments}.00` }
  const sent = await transition(then, 'message', await read(), { event: 'msg.send', as: 'accepted', set: taken }, actor)
  const luck = random.next()
  if (luck > 0.97) return
  const deliverySeconds = random.int(2, 20)
  const deliverTime = new Date(then.now.getTime() + deliverySeconds * 1000)
  const move =
    luck < 0.93
      ? { event: 'msg.report', as: 'delivered', set: { deliverTime, deliverySeconds } }
      : { event: 'msg.report', as: 'failed', set: { failReason: 'inactive' } }
  await transition(at(tx, deliverTime), 'message', sent, move, actor)
}

/** A text that its vendor refused, or of which nobody knows what became. */
export const refused = async (tx: Tx, then: Tx, row: MessageRow, random: Random): Promise<void> => {
  await create(then, 'message', row, { event: 'msg.queue', as: 'queued' }, actor)
  const queued = await tx.one(sql<Message>`select * from message where message_no = ${row.messageNo}`)
  const failReason = random.pick(['network_optout', 'invalid_phone', 'balance'])
  const move = random.chance(0.8)
    ? { event: 'msg.send', as: 'failed', set: { failReason } }
    : { event: 'msg.send', as: 'unknown' }
  await transition(then, 'message', queued, move, actor)
}

/** What was said to customers about what happened to them, as vendors took it and reported on it. */
const writeMessages = async (tx: Tx, node: NodeRecord): Promise<void> => {
  const random = randomFrom(20261125 + node.pointCode.length)
  const since = new Date(tx.now.getTime() - 3 * 24 * 60 * minute)
  const template = await tx.maybe(sql<Written>`
    select template_no, template_version, content from message_template
    where node_no = ${node.nodeNo} and channel_type = 'sms' and language = 'en' and template_status = 'enabled'`)
  for (const happening of template ? await happenedTo(tx, node.eventKey, since) : []) {
    const receiver = await receiverOf(tx, happening)
    if (!receiver || !template) continue
    const values = await valuesFor(tx, receiver, { ...happening, values: { amountPaid: 'UGX 120,000' } })
    const text = fill(template.content, values).text
    if (!text) continue
    const then = at(tx, new Date(happening.at))
    const { merchantNo, customerNo, phone, appName } = receiver
    const messageNo = newNo('MS', then.now)
    const row = {
      ...{ messageNo, channelType: 'sms', template: 'node', language: 'en', params: json(values), recipient: phone },
      ...{
        network: networkOf(phone),
        objectType: 'order',
        objectNo: happening.orderNo,
        occurrence: 'demo',
        channelAt: 0,
      },
      ...{ nodeNo: node.nodeNo, ...template, contactKind: node.contactKind, isOwn: true, appCode: appName },
      ...{
        merchantNo,
        customerNo,
        orderNo: happening.orderNo,
        createdTime: then.now,
        begunTime: then.now,
        sendTime: then.now,
      },
      ...{
        accountNo: 'sms-1',
        vendorName: 'Nile Text',
        senderId: 'NILECREDIT',
        segments: smsParts(text).parts,
        tries: 1,
      },
    }
    await goes(tx, then, row, random)
  }
}

/** Nodes of a customer's life with their texts in three languages, some of which are missing, a draft, and what was said of late. */
export const writeMessageNodes = async (tx: Tx): Promise<void> => {
  const hand = handFor([businessNodeModule(), messageTemplateModule()])
  const boss = await rightsOfPerson(tx, userNoOf('admin'), 'en')
  const then = at(tx, new Date(tx.now.getTime() - 30 * 24 * 60 * minute))
  const desk = { hand, tx: then, boss }
  for (const [n, one] of nodeTexts.entries()) await writeNode(desk, one, n)
  const nodes = await tx.rows(sql<NodeRecord>`select * from business_node order by node_no`)
  const [first] = nodes
  const reminder = nodeTexts.find(one => one.event === 'bill.dueIn2')
  const of = nodes.find(one => one.eventKey === 'bill.dueIn2') ?? first
  // One that waits to be put in force: it is dear because of one character.
  if (of && reminder)
    await writeTemplate(
      { ...desk, tx: at(tx, new Date(tx.now.getTime() - 90 * minute)) },
      of.nodeNo,
      {
        ...reminder,
        texts: [
          '',
          'Dear {customerName}, don’t forget: {amountDue} is due on {dueDate}. Pay with code {payCode}. {brand}',
          '',
        ],
      },
      { language: 1, channel: 'sms' },
    )
  for (const node of nodes) await writeMessages(tx, node)
  await tx.flush()
}
