import { z } from 'zod'
import { postbackFlaw } from '../../rules/market/channel-postback.ts'
import { config } from '../config.ts'
import type { Flaw } from '../config-versions.ts'
import { command, endpoint, list, noun } from '../endpoint.ts'
import { dictionary, field } from '../fields.ts'

/** Where a channel is seen or heard. */
export const channelMedia = dictionary('CHANNEL_MEDIA', [
  'radio',
  'tv',
  'outdoor',
  'facebook',
  'google',
  'tiktok',
  'whatsapp',
  'sms',
  'agent',
  'referral',
  'other',
])
/** What a channel is paid for: each registration, each payout, each click, or as its invoices say. */
export const costModes = dictionary('COST_MODE', ['cpa', 'cps', 'cpc', 'fixed'])
/** What a network hears of. */
export const launchEvents = dictionary('LAUNCH_EVENT', ['register', 'apply', 'pass', 'payout'])
const deliveries = dictionary('POSTBACK_DELIVERY', ['waiting', 'delivered', 'dead'])
/** Whether the link leads to the channel's page now, and if not why. */
export const standings = dictionary('CHANNEL_STANDING', [
  'open',
  'off',
  'not_started',
  'ended',
  'at_cap',
  'over_budget',
])
const costSources = dictionary('COST_SOURCE', ['entered', 'imported'])
const grains = dictionary('STAT_BY', ['day', 'week'])

/** First bills due below this number say nothing of a channel. */
export const fewBills = 20
/** Days of a period at most. */
const maxDays = 366
const perm = 'operation:launch:page'
const path = '/putChannelManage'
type Values = Readonly<Record<string, unknown>>

const isHttps = (link: string) => URL.canParse(link) && new URL(link).protocol === 'https:'

const flaw = ({ startDate, endDate, postbackUrl, postbackEvents }: Values): Flaw | null => {
  if (typeof startDate === 'string' && typeof endDate === 'string' && startDate > endDate)
    return { path: 'endDate', message: 'validation.channelEnds' }
  if (typeof postbackUrl === 'string') {
    const message = postbackFlaw(postbackUrl)
    if (message) return { path: 'postbackUrl', message: message as Flaw['message'] }
    if (Array.isArray(postbackEvents) && postbackEvents.length === 0)
      return { path: 'postbackEvents', message: 'validation.postbackEvents' }
  }
  return null
}

const form = {
  channelName: field.text(64),
  media: field.dict(channelMedia),
  merchantNo: field.merchant(),
  appCode: field.app(),
  /** Who runs the channel. */
  ownerUserNo: field.user(),
  costMode: field.dict(costModes),
  unitPrice: field.money(),
  /** None where it is 0. */
  dailyBudget: field.money(),
  dailyRegisterCap: field.int().min(0, 'validation.wrongValue').max(1_000_000, 'validation.wrongValue'),
  landingUrl: z
    .string()
    .trim()
    .max(300)
    .refine(isHttps, 'validation.landingHost')
    .meta({ kind: 'text', example: 'https://get.kasa.example/loan' }),
  startDate: field.date().optional(),
  endDate: field.date().optional(),
  postbackUrl: z
    .string()
    .trim()
    .max(500)
    .meta({ kind: 'text', example: 'https://track.network.example/pb?cid={clickId}&ev={event}' })
    .optional(),
  postbackEvents: z.array(field.dict(launchEvents)).max(launchEvents.values.length),
}

/** What a channel is called in links: it belongs to the channel for ever. */
const code = () =>
  z
    .string()
    .trim()
    .regex(/^[A-Za-z0-9_-]{2,32}$/, 'validation.channelCode')
    .meta({ kind: 'key', example: 'radio-07' })

/** What became of the people a channel brought. */
const funnel = {
  clickCount: field.int(),
  registerCount: field.int(),
  incomingCount: field.int(),
  passCount: field.int(),
  paidOutCount: field.int(),
  payoutAmount: field.money(),
  firstPaidCount: field.int(),
  costAmount: field.money(),
  /** Null without a payout. */
  costPerPayout: field.money().nullable(),
}

/** A row of a file of costs. */
export const importedCost = z.strictObject({
  date: field.date(),
  channel: field.key(32),
  amount: field.money(),
})
export type ImportedCost = z.output<typeof importedCost>

/** Ways that people come to an app: what each costs and brings. */
export const launches = config({
  name: 'launch',
  path,
  area: 'operation:launch',
  table: 'promotion_channel',
  key: 'channelNo',
  row: {
    ...form,
    promotionChannel: field.key(32),
    merchantName: field.text(),
    ownerName: field.text().nullable(),
    startDate: field.date().nullable(),
    endDate: field.date().nullable(),
    postbackUrl: field.text(500).nullable(),
    linkStanding: field.dict(standings),
    ...funnel,
    /** In percent; null where few first bills fell due. */
    firstDueBadRate: field.percent().nullable(),
    todayRegister: field.int(),
    usedToday: field.money(),
    /** Of the last seven days, for those who switch the channel off. */
    weekRegister: field.int(),
    weekCost: field.money(),
    /** Messages to the network that were given up. */
    deadPostbacks: field.int(),
    /** The cost of a payout yesterday is twice the mean of the seven days before it. */
    costDoubled: field.flag(),
    /** A second person has agreed to the host that is called, or nobody is called. */
    hostAgreed: field.flag(),
  },
  form,
  create: { promotionChannel: code() },
  flaw,
  filters: {
    channelName: field.text(64).optional(),
    promotionChannel: field.key(32).optional(),
    media: z.array(field.dict(channelMedia)).optional(),
    appCode: field.app().optional(),
    merchantNo: z.array(field.merchant()).optional(),
    ownerUserNo: field.user().optional(),
    costMode: z.array(field.dict(costModes)).optional(),
    /** The days that the numbers are of; the last seven unless others are asked for. */
    statTime: field.dateRange().optional(),
  },
  sort: [
    'channelName',
    'promotionChannel',
    'unitPrice',
    'clickCount',
    'registerCount',
    'incomingCount',
    'passCount',
    'paidOutCount',
    'payoutAmount',
    'costAmount',
    'costPerPayout',
    'firstDueBadRate',
    'todayRegister',
    'usedToday',
  ],
  checked: true,
  used: true,
  totals: ['clickCount', 'registerCount', 'incomingCount', 'passCount', 'paidOutCount', 'payoutAmount', 'costAmount'],
  exported: { as: 'promotionChannels', perm: 'operation:launch:export' },
  imported: {
    as: 'channelCosts',
    perm: 'operation:launch:cost',
    row: importedCost,
    key: ['date', 'channel'],
    example: { date: '2026-11-20', channel: 'radio-07', amount: '380000.00' },
    maxRows: 5_000,
  },
})

const Cost = z.object({
  costNo: field.key(),
  channelNo: field.key(),
  channelName: field.text(),
  promotionChannel: field.key(32),
  costDate: field.date(),
  amount: field.money(),
  remark: field.text(30).nullable(),
  costSource: field.dict(costSources),
  createdBy: field.user(),
  createdTime: field.time(),
  /** When another amount took its place. */
  replacedTime: field.time().nullable(),
})
export type Cost = z.output<typeof Cost>

const Postback = z.object({
  postbackNo: field.key(),
  channelNo: field.key(),
  launchEvent: field.dict(launchEvents),
  clickId: field.key(),
  eventTime: field.time(),
  delivery: field.dict(deliveries),
  tryCount: field.int(),
  answerCode: field.int().nullable(),
  answerText: field.text(200).nullable(),
  lastTryTime: field.time().nullable(),
  createdTime: field.time(),
})

const Stretch = z.object({ statDate: field.date(), ...funnel })
/** The numbers of some days. */
export type Stretch = z.output<typeof Stretch>

const one = { channelNo: field.key() }
/** Channels that are added up at once. */
const maxChannels = 100

/** Calls of promotion channels: the config, what they cost and brought, and what their networks hear. */
export const launch = noun('operation/launch', {
  ...launches.calls,
  usedBy: launches.calls.usedBy as NonNullable<typeof launches.calls.usedBy>,
  /** The numbers of channels by day or week, and of the equal period before. */
  stat: endpoint({
    method: 'POST',
    path: `${path}/stat`,
    perm,
    input: z
      .strictObject({
        channelNos: z.array(field.key()).min(1).max(maxChannels),
        from: field.date(),
        to: field.date(),
        by: field.dict(grains).default('day'),
      })
      .superRefine(({ from, to }, context) => {
        const days = (Date.parse(to) - Date.parse(from)) / 86_400_000
        if (days < 0 || days >= maxDays)
          context.addIssue({ code: 'custom', path: ['to'], message: 'validation.channelEnds' })
      }),
    output: z.object({ list: z.array(Stretch), total: Stretch, previous: Stretch }),
  }),
  costs: list(`${path}/cost/page`, {
    perm,
    row: Cost,
    filters: {
      channelNo: field.key().optional(),
      costDate: field.dateRange().optional(),
    },
    sort: ['createdTime', 'costDate'],
    defaultSort: '-createdTime',
  }),
  /** What a channel cost on a day; it takes the place of what was entered before. */
  costSave: command({
    path: `${path}/cost/save`,
    perm: 'operation:launch:cost',
    audit: 'launch.cost',
    input: z.strictObject({
      ...one,
      costDate: field.date(),
      amount: field.money(),
      remark: field.remark(30).optional(),
    }),
    output: z.object({ costNo: field.key(), replaced: z.boolean() }),
  }),
  postbacks: list(`${path}/postback/page`, {
    perm,
    row: Postback,
    filters: {
      channelNo: field.key().optional(),
      launchEvent: z.array(field.dict(launchEvents)).optional(),
      delivery: z.array(field.dict(deliveries)).optional(),
      createdTime: field.dateRange().optional(),
    },
    sort: ['createdTime'],
    defaultSort: '-createdTime',
  }),
  /** Calls the network with an example. */
  postbackTest: command({
    path: `${path}/postback/test`,
    perm: 'operation:launch:save',
    audit: 'launch.postbackTest',
    input: z.strictObject({ ...one, launchEvent: field.dict(launchEvents) }),
    output: z.object({
      sentUrl: z.string(),
      answerCode: field.int().nullable(),
      answerText: z.string().nullable(),
      latencyMs: field.int(),
    }),
  }),
  /** Where people who follow the channel's link are led; counts a click, for the person that the link is of. */
  open: endpoint({
    method: 'GET',
    path: '/noAuth/putChannel/{code}',
    auth: 'anon',
    writes: true,
    file: true,
    input: z.strictObject({ code: field.key(32), by: field.key(12).optional() }),
    output: z.null(),
  }),
})
/** Where people follow a channel, by the link of a person if they have one: the path below the address of the server. */
export const channelPath = (promotionChannel: string, promoCode?: string): string =>
  `${launch.open.path.replace('{code}', encodeURIComponent(promotionChannel))}${promoCode ? `?by=${promoCode}` : ''}`
