import { z } from 'zod'
import { payoutChannel } from '../../rules/machines/after-loan/payout-channel.ts'
import { gt } from '../../rules/money.ts'
import { moneyFormat } from '../../rules/text/formats.ts'
import { config } from '../config.ts'
import type { Flaw } from '../config-versions.ts'
import { command, endpoint, list, noun, read } from '../endpoint.ts'
import { dictionary, field } from '../fields.ts'
import { loanKinds } from '../order/levels.ts'
import { payoutSubtypes, payoutTypes } from '../payee.ts'
import { waitReasons } from './loan.ts'

/** The network that a phone number belongs to. */
export const networks = dictionary('NETWORK', ['mtn', 'airtel'])
/** What keeps a route from taking a payout: the first condition that fails. */
export const routeMisses = dictionary('ROUTE_MISS', [
  'disabled',
  'not_yet',
  'merchant',
  'product',
  'payout_type',
  'network',
  'amount',
  'loan_kind',
])

type Values = Readonly<Record<string, unknown>>
type Target = { fundAccountNo?: string; weight?: number }

const target = {
  fundAccountNo: field.fundAccount(),
  /** Its share of a hundred. */
  weight: z
    .int()
    .min(1, 'validation.payoutWeight')
    .max(100, 'validation.payoutWeight')
    .meta({ kind: 'int' }) as z.ZodInt,
}
/** Most accounts that a route divides payouts between. */
export const maxTargets = 5

const isMoney = (value: unknown): value is string => typeof value === 'string' && moneyFormat.test(value)

const flaw = ({ targets, amountMin, amountMax, payoutType, network }: Values): Flaw | null => {
  const wrong = (path: string, message: string): Flaw => ({ path, message })
  const given = (Array.isArray(targets) ? targets : []) as readonly Target[]
  const accounts = given.map(one => one.fundAccountNo)
  if (given.length === 0) return wrong('targets', 'validation.infoComplete')
  if (new Set(accounts).size < accounts.length) return wrong('targets', 'validation.routeTargetOnce')
  if (given.reduce((sum, one) => sum + Number(one.weight ?? 0), 0) !== 100)
    return wrong('targets', 'validation.routeWeights')
  if (isMoney(amountMin) && isMoney(amountMax) && gt(amountMin, amountMax))
    return wrong('amountMax', 'validation.routeAmounts')
  return payoutType === 'bank' && network ? wrong('network', 'validation.wrongValue') : null
}

const form = {
  routeName: field.text(30),
  /** The smaller one is asked first; no two routes have the same. */
  priority: field.place(),
  /** None for all. */
  merchantNos: z.array(field.merchant()).max(1_000).optional(),
  productNos: z.array(field.product()).max(1_000).optional(),
  payoutType: field.dict(payoutTypes),
  network: field.dict(networks).optional(),
  amountMin: field.money().optional(),
  amountMax: field.money().optional(),
  loanKind: field.dict(loanKinds).optional(),
  targets: field.rows(target, maxTargets, [{ fundAccountNo: 'FA1', weight: 100 }]),
  /** Whether the next route is asked when no account of this one can pay. */
  fallback: field.flag(),
  /** The first day on which it decides; none for at once. */
  effectiveDate: field.date().optional(),
}

/** By which account each payout leaves: the first enabled route that matches decides. */
export const loanRoutes = config({
  name: 'loanRoute',
  path: '/payManage/route',
  area: 'fund:routing',
  codes: { save: 'fund:routing:config', enable: 'fund:routing:config', delete: 'fund:routing:config' },
  table: 'loan_route',
  key: 'routeNo',
  row: {
    ...form,
    merchantNos: z.array(field.merchant()).nullable(),
    productNos: z.array(field.product()).nullable(),
    network: field.dict(networks).nullable(),
    amountMin: field.money().nullable(),
    amountMax: field.money().nullable(),
    loanKind: field.dict(loanKinds).nullable(),
    effectiveDate: field.date().nullable(),
    merchantNames: z.array(field.text()),
    productNames: z.array(field.text()),
    /** The accounts with their shares. */
    targetNames: z.array(field.text()),
    /** Payouts that it sent in the last 30 days. */
    sentLately: field.int(),
  },
  form,
  applies: { network: ({ payoutType }) => payoutType !== 'bank' },
  flaw,
  filters: {
    merchantNo: z.array(field.merchant()).optional(),
    payoutType: field.dict(payoutTypes).optional(),
  },
  sort: ['priority'],
  defaultSort: 'priority',
  checked: true,
  money: 'moves',
})

const perm = loanRoutes.codes.page
const count = () => z.int().nonnegative().meta({ kind: 'int' }) as z.ZodInt

const ChannelRow = z.object({
  channel: field.key(20),
  channelName: field.text(),
  /** Whether the server can reach it. */
  configured: field.flag(),
  pauseStatus: field.state(payoutChannel),
  pausedName: field.user().nullable(),
  pausedTime: field.time().nullable(),
  pauseReason: field.text(500).nullable(),
  /** Of the last hour. */
  sentCount: count(),
  succeededCount: count(),
  failedCount: count(),
  unknownCount: count(),
  /** When the oldest payout that is still without an outcome was sent. */
  oldestUnknown: field.time().nullable(),
  /** Payouts that wait to leave over it. */
  waitingCodes: count(),
  waitingAmount: field.money(),
  /** Payouts under way. */
  runningCodes: count(),
  pauseAfterUnknown: count(),
  version: z.int(),
})

const RouteTried = z.object({
  routeNo: field.key(),
  routeName: field.text(),
  priority: field.int(),
  /** The first condition that fails; none where it matches. */
  routeMiss: field.dict(routeMisses).nullable(),
  targetNames: z.array(field.text()),
  /** Accounts of it that could pay now. */
  usableNames: z.array(field.text()),
})

const one = { channel: field.key(20), version: z.int() }

/** Calls of payout routing: those of the routes, a dry run, and the channels with their pause. */
export const loanRoute = noun('after-loan/loan-route', {
  ...loanRoutes.calls,
  /** Which route a payout of these would take, and where it would wait. */
  test: read('/payManage/route/test', {
    perm,
    input: {
      merchantNo: field.merchant(),
      productNo: field.product().optional(),
      payoutSubtype: field.dict(payoutSubtypes),
      amount: field.money(),
      loanKind: field.dict(loanKinds).optional(),
    },
    output: z.object({
      /** Whether any route is in force; without one the account of the merchant pays. */
      inForce: z.boolean(),
      routeNo: field.key().nullable(),
      waitReason: field.dict(waitReasons).nullable(),
      list: z.array(RouteTried).max(200),
    }),
  }),
  /** How many of the last payouts would have left by another account. */
  simulate: endpoint({
    method: 'POST',
    path: '/payManage/route/simulate',
    perm,
    input: z.strictObject({ routeNo: field.key().optional(), ...form }),
    output: z.object({ payouts: count(), changed: count() }),
  }),
  channels: list('/payManage/channel/list', {
    perm,
    row: ChannelRow,
    filters: { pauseStatus: z.array(field.state(payoutChannel)).optional() },
    sort: ['channel'],
    defaultSort: 'channel',
  }),
  /** Nothing more is sent over a channel, from now on; what was sent is still asked about. */
  pause: command({
    path: '/payManage/channel/pause',
    perm: 'fund:channel:pause',
    audit: 'channel.pause',
    on: { machine: payoutChannel, event: 'channel.pause', key: 'channel' },
    input: z.strictObject({ ...one, reason: field.text(200) }),
    output: z.object({ channel: field.key(20) }),
  }),
  /** Lifts a pause once the channel answers: another person than the one who paused, or that one with a remark. */
  resume: command({
    path: '/payManage/channel/resume',
    perm: 'fund:channel:pause',
    audit: 'channel.resume',
    money: 'moves',
    on: { machine: payoutChannel, event: 'channel.resume', key: 'channel' },
    input: z.strictObject({ ...one, remark: field.remark().optional() }),
    output: z.object({ channel: field.key(20) }),
  }),
  /** How many sends without an outcome in a row pause a channel by itself. */
  limit: command({
    path: '/payManage/channel/limit',
    perm: 'fund:channel:update',
    audit: 'channel.limit',
    money: 'moves',
    input: z.strictObject({
      ...one,
      pauseAfterUnknown: z
        .int()
        .min(1, 'validation.pauseAfter')
        .max(50, 'validation.pauseAfter')
        .meta({ kind: 'int' }) as z.ZodInt,
    }),
    output: z.object({ channel: field.key(20) }),
  }),
})
