import { sql } from 'kysely'
import type { Language } from '../../../../core/i18n/language.ts'
import type { ContactKind } from '../../../../core/rules/contact/contact-block.ts'
import { placesIn } from '../../../../core/rules/message/template-text.ts'
import type { Tx } from '../../../db/database.ts'
import { enqueue } from '../../../jobs/queue.ts'
import type { QueueHandler } from '../../../module.ts'
import type { Gate, OutgoingHooks } from '../../../outgoing/hooks.ts'
import { type Message, post } from '../../../outgoing/post.ts'
import { system } from '../../../rights/actor.ts'
import type { ListValues } from '../../risk/name-list/index.ts'
import { offersWait } from '../message-center/index.ts'
import { compose, type Subject } from './compose.ts'
import { contactCheck } from './contact.ts'
import { nextMoment } from './contact-rules.ts'
import { eventQueue, type Happened } from './happened.ts'
import { type NodeRecord, nodeOf, nodesOf } from './node-store.ts'
import { receiverOf, valuesFor } from './receiver.ts'

const fallbackQueue = 'message.fallback'
const actor = system('message.event')

/** Which time something happened, to which record: what is said once. */
type Once = { objectType: string; objectNo: string; occurrence: string }

const isSaid = (tx: Tx, { nodeNo }: NodeRecord, { objectType, objectNo, occurrence }: Once, channel: string) =>
  tx.maybe(sql`
    select 1 from message where node_no = ${nodeNo} and object_type = ${objectType} and object_no = ${objectNo}
      and occurrence = ${occurrence} and channel_type = ${channel}`)

/** The values that a text names: no more of a customer is kept with a message than it says. */
const named = (of: Subject, texts: readonly (string | null)[]) => {
  const names = new Set(texts.flatMap(text => placesIn(text ?? '')))
  const kept = Object.entries(of.values).filter(([name]) => names.has(name))
  return Object.fromEntries(of.billNo ? [...kept, ['billNo', of.billNo]] : kept)
}

type Way = { lists: ListValues; from?: number }

/** Queues the message of a node over the next channel from `from` on; once each. */
const say = async (tx: Tx, node: NodeRecord, given: Subject, once: Once, way: Way): Promise<void> => {
  const of = { ...given, about: { objectType: once.objectType, objectNo: once.objectNo } }
  const made = await compose(tx, node, of, way)
  if (!made || (await isSaid(tx, node, once, made.channel))) return
  const { template, channel, channelAt, blocked, until, to } = made
  const { receiver, orderNo } = of
  const { merchantNo, customerNo, appName: appCode } = receiver
  const messageNo = await post(
    tx,
    {
      ...{ channel, to, template: 'node', objectType: once.objectType, objectNo: once.objectNo },
      language: (template?.language ?? receiver.language) as Language,
      params: named(of, [template?.title ?? null, template?.content ?? null]),
      ...(blocked ? { blocked } : {}),
      ...(until ? { runAt: until } : {}),
      node: {
        ...{ nodeNo: node.nodeNo, templateNo: template?.templateNo ?? null, channelAt, occurrence: once.occurrence },
        ...{ templateVersion: template?.templateVersion ?? null, title: template?.title ?? null },
        ...{ content: template?.content ?? null, contactKind: node.contactKind, isOwn: true },
        ...{ appCode, merchantNo, customerNo, orderNo },
      },
    },
    undefined,
    actor,
  )
  const seconds = node.channelOrder[channelAt]?.fallbackSeconds ?? 0
  if (!blocked && seconds > 0 && channelAt + 1 < node.channelOrder.length)
    await waitFor(tx, messageNo, new Date((until ?? tx.now).getTime() + seconds * 1000))
}

/** Looks again at a message when its report should have come. */
const waitFor = (tx: Tx, messageNo: string, runAt: Date) =>
  enqueue(tx, fallbackQueue, `${messageNo} ${runAt.toISOString()}`, { messageNo }, { runAt })

/** What happened, said to the customer as its nodes say. */
const eventsOf = (lists: ListValues): QueueHandler => ({
  queue: eventQueue,
  async handle(tx, { payload }) {
    const one = payload as unknown as Happened
    const nodes = await nodesOf(tx, one.event)
    const receiver = nodes.length ? await receiverOf(tx, one) : undefined
    if (!receiver) return
    const { objectType, objectNo, occurrence = '', orderNo = null, billNo = null } = one
    const values = await valuesFor(tx, receiver, one)
    for (const node of nodes)
      await say(tx, node, { receiver, values, orderNo, billNo }, { objectType, objectNo, occurrence }, { lists })
  },
})

const billNoOf = ({ params }: Message): string | null => (params as { billNo?: string }).billNo ?? null

/** Says over the next channel what this one did not carry. */
const next = async (tx: Tx, message: Message, lists: ListValues): Promise<void> => {
  const { nodeNo, occurrence, customerNo, merchantNo, orderNo, channelAt, objectType, objectNo } = message
  if (nodeNo === null || occurrence === null || customerNo === null || merchantNo === null || channelAt === null) return
  const node = await nodeOf(tx, nodeNo)
  const receiver = node && (await receiverOf(tx, { customerNo, merchantNo, orderNo }))
  if (!node || !receiver) return
  const given = message.params as unknown as Record<string, string>
  const billNo = billNoOf(message)
  const values = { ...(await valuesFor(tx, receiver, { orderNo, billNo })), ...given }
  await say(
    tx,
    node,
    { receiver, values, orderNo, billNo },
    { objectType, objectNo, occurrence },
    { lists, from: channelAt + 1 },
  )
}

/** A message of which no report came in time: the next channel of its node carries it. */
const fallbacksOf = (lists: ListValues): QueueHandler => ({
  queue: fallbackQueue,
  async handle(tx, { payload }) {
    const { messageNo } = payload as { messageNo: string }
    const message = await tx.maybe(sql<Message>`select * from message where message_no = ${messageNo} for update`)
    if (!message) return
    const { messageStatus: status } = message
    if (status === 'queued') await waitFor(tx, messageNo, new Date(tx.now.getTime() + 60_000))
    else if (['submitted', 'unknown', 'no_report'].includes(status)) await next(tx, message, lists)
  },
})

/** How long offers wait for money of their vendors before it is looked again. */
const balanceMs = 5 * 60_000
const isShort = async (tx: Tx) => (await tx.one(sql<{ short: boolean }>`select ${offersWait} as short`)).short

/** Asked again right before a message goes: what was true when it happened may not be so any more. */
const gateOf =
  (lists: ListValues): Gate =>
  async (tx, message) => {
    const { contactKind, occurrence, channelType, recipient, customerNo, merchantNo, orderNo, isOwn } = message
    if (contactKind === null || occurrence === null || channelType === 'email') return null
    const refusal = await contactCheck(tx, lists, {
      ...{ phone: recipient, kind: contactKind as ContactKind, medium: channelType === 'voice' ? 'robot' : 'text' },
      ...{ customerNo, merchantNo, orderNo, billNo: billNoOf(message), isOwn: isOwn ?? true, appCode: message.appCode },
      about: { objectType: message.objectType, objectNo: message.objectNo },
    })
    if (refusal === 'outside_hours') return { until: await nextMoment(tx, contactKind as ContactKind, message.appCode) }
    if (refusal) return { blocked: refusal }
    const waits = contactKind === 'marketing' && channelType === 'sms' && (await isShort(tx))
    return waits ? { until: new Date(tx.now.getTime() + balanceMs) } : null
  }

/** The engine with what it needs to look numbers up in lists. */
export const engineOf = (lists: ListValues): { queues: QueueHandler[]; hooks: OutgoingHooks } => ({
  queues: [eventsOf(lists), fallbacksOf(lists)],
  hooks: { gate: gateOf(lists), lost: (tx, message) => next(tx, message, lists) },
})
