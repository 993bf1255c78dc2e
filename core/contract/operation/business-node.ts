import { z } from 'zod'
import { message } from '../../rules/machines/operation/message.ts'
import { config } from '../config.ts'
import type { Flaw } from '../config-versions.ts'
import { command, endpoint, noun, read } from '../endpoint.ts'
import { field } from '../fields.ts'
import { contactKindDict, isKeptEvent, type MessageEvent, messageBlocks, messageEventDict } from './message-event.ts'
import { channelTypes, failReasons } from './sms-report.ts'

type Values = Readonly<Record<string, unknown>>
/** Most channels of a node: each once. */
const maxChannels = channelTypes.values.length
/** Longest wait for a report before the next channel, in seconds. */
const maxFallback = 3_600
const maxApps = 50

/** The channels of a node in their order: how long a report is waited for before the next one is tried. */
const channels = () =>
  field.rows(
    {
      channelType: field.dict(channelTypes),
      fallbackSeconds: z.int().min(0, 'validation.fallbackSeconds').max(maxFallback, 'validation.fallbackSeconds'),
    },
    maxChannels,
    [{ channelType: 'sms', fallbackSeconds: 60 }],
  )
const channelOrder = () => channels().min(1, 'validation.infoComplete')
type Channels = z.output<ReturnType<typeof channelOrder>>
/** One channel of a node. */
export type NodeChannel = Channels[number]

const flaw = (values: Values): Flaw | null => {
  const { contactKind, eventKey } = values
  const types = ((values.channelOrder ?? []) as Channels).map(one => one.channelType)
  if (new Set(types).size !== types.length) return { path: 'channelOrder', message: 'validation.channelTwice' }
  return typeof eventKey === 'string' && isKeptEvent(eventKey as MessageEvent) && contactKind !== 'service'
    ? { path: 'contactKind', message: 'validation.nodeService' }
    : null
}

const form = {
  nodeName: field.texts(64),
  contactKind: field.dict(contactKindDict),
  appCodes: z.array(field.app()).min(1).max(maxApps),
  channelOrder: channelOrder(),
}

const pointCode = () =>
  field
    .key(64)
    .min(2, 'validation.pointCode')
    .regex(/^[A-Za-z0-9.]+$/, 'validation.pointCode')

/** Business nodes: for each thing that happens, whether customers of an app hear of it, over which channels and in which order. */
export const businessNodes = config({
  name: 'businessNode',
  path: '/common/messagePoint',
  area: 'app:point',
  table: 'business_node',
  key: 'nodeNo',
  row: {
    pointCode: field.key(64),
    eventKey: field.dict(messageEventDict),
    ...form,
    channelOrder: channels(),
    /** Texts in force, of those that its channels need in every language. */
    templatesPresent: field.int(),
    templatesNeeded: field.int(),
    sentToday: field.int(),
    sentIn7Days: field.int(),
    blockedToday: field.int(),
    /** The most frequent reason of those that were not sent today. */
    topBlock: field.dict(messageBlocks).nullable(),
    /** Customers must learn of what happens: it cannot be switched off. */
    alwaysOn: field.flag(),
  },
  form,
  create: { pointCode: pointCode(), eventKey: field.dict(messageEventDict) },
  flaw,
  filters: {
    nodeName: field.text(64).optional(),
    appCode: field.app().optional(),
    channelType: z.array(field.dict(channelTypes)).optional(),
    contactKind: z.array(field.dict(contactKindDict)).optional(),
  },
  sort: ['pointCode'],
  defaultSort: 'pointCode',
  used: true,
})

const Sent = z.object({
  messageNo: field.key(),
  createdTime: field.time(),
  channelType: field.dict(channelTypes),
  appCode: field.app().nullable(),
  /** Hidden but for its ends. */
  receiver: z.string(),
  /** As it went out; a code is never shown. */
  messageText: z.string().nullable(),
  segments: field.int().nullable(),
  messageStatus: field.state(message),
  whyBlocked: field.dict(messageBlocks).nullable(),
  failReason: field.dict(failReasons).nullable(),
})
/** One message of a node. */
export type NodeMessage = z.output<typeof Sent>

const Day = z.object({ date: field.date(), sent: z.int(), delivered: z.int(), blocked: z.int() })

const Outcome = z.object({
  channelType: field.dict(channelTypes),
  receiver: z.string().nullable(),
  language: z.string().nullable(),
  templateNo: field.key().nullable(),
  messageText: z.string().nullable(),
  segments: field.int().nullable(),
  /** It would go now, wait until the time, or not go for the reason. */
  outcome: z.enum(['sends', 'waits', 'blocked']),
  sendTime: field.time().nullable(),
  whyBlocked: field.dict(messageBlocks).nullable(),
})
/** What would be sent over one channel. */
export type SimulatedChannel = z.output<typeof Outcome>

const key = { nodeNo: field.key() }

/** Calls of business nodes. */
export const businessNode = noun('operation/business-node', {
  ...businessNodes.calls,
  usedBy: businessNodes.calls.usedBy as NonNullable<typeof businessNodes.calls.usedBy>,
  /** What happens that customers may hear of, with the values of its texts. */
  events: read('/common/messagePoint/events', {
    perm: 'app:point:page',
    input: {},
    output: z.object({
      list: z.array(
        z.object({ eventKey: field.dict(messageEventDict), values: z.array(z.string()), alwaysOn: z.boolean() }),
      ),
    }),
  }),
  /** The last messages of a node, and its days. */
  sent: read('/common/messagePoint/sent', {
    perm: 'app:point:page',
    input: key,
    output: z.object({ list: z.array(Sent), days: z.array(Day) }),
  }),
  /** What a customer would be sent if it happened now to one of their orders; nothing is sent. */
  simulate: endpoint({
    method: 'POST',
    path: '/common/messagePoint/simulate',
    perm: 'app:point:page',
    input: z.strictObject({ ...key, orderNo: field.key() }),
    output: z.object({ list: z.array(Outcome) }),
  }),
  /** Switches a node on or off for one app. */
  appState: command({
    path: '/common/messagePoint/app',
    perm: 'app:point:enable',
    audit: 'businessNode.app',
    input: z.strictObject({ ...key, version: z.int(), appCode: field.app(), on: field.flag() }),
    output: z.object({ version: z.int() }),
  }),
  /** Gives another app the nodes that an app has, with its texts as drafts where that is asked for. */
  copyToApp: command({
    path: '/common/messagePoint/copy',
    perm: 'app:point:copy',
    audit: 'businessNode.copy',
    input: z
      .strictObject({ fromApp: field.app(), toApp: field.app(), withTemplates: field.flag().optional() })
      .refine(({ fromApp, toApp }) => fromApp !== toApp, { message: 'validation.otherApp', path: ['toApp'] }),
    output: z.object({ nodes: z.int(), templates: z.int(), existing: z.int() }),
  }),
})
