import { z } from 'zod'
import { personnel } from '../common/personnel.ts'
import { list, noun, read } from '../endpoint.ts'
import { dictionary, field } from '../fields.ts'

/** Whether somebody is employed here, or brings customers on foot for a fee. */
export const trafficKinds = dictionary('TRAFFIC_KIND', ['employee', 'promoter'])

/** Days without a payout after which a person is marked. */
export const quietDays = 14
/** Days that the numbers of the list are of. */
export const countedDays = 30

/** What the link of a person ends with: it belongs to them for ever. */
const code = () =>
  z
    .string()
    .trim()
    .regex(/^[A-Za-z0-9]{4,12}$/, 'validation.promoterCode')
    .meta({ kind: 'key', example: 'SIMBA07' })
const channels = () => z.array(field.option('PROMOTION_CHANNEL')).max(100)

/** What somebody, or one of their channels, brought. */
const brought = {
  registerCount: field.int(),
  incomingCount: field.int(),
  paidOutCount: field.int(),
  payoutAmount: field.money(),
  /** Their part of what the channels cost, by payout; null without one. */
  costPerPayout: field.money().nullable(),
}

/** Who brings customers: over which channels, for which merchants, with which link. */
export const trafficPersons = personnel({
  name: 'trafficPerson',
  post: 'traffic',
  path: '/operation/trafficPerson',
  area: 'traffic:user',
  table: 'traffic_person',
  as: 'trafficPersons',
  allots: false,
  row: {
    groupHead: field.flag(),
    trafficKind: field.dict(trafficKinds),
    promoterCode: field.key(12).nullable(),
    promotionChannelNos: z.array(field.option('PROMOTION_CHANNEL')),
    promotionChannels: z.array(field.text()),
    ...brought,
    /** By the payouts of this month, among all who see customers paid out; null without any. */
    monthRank: field.int().nullable(),
    lastPayoutDate: field.date().nullable(),
    /** At work, and nobody they brought was paid out for two weeks. */
    quiet: field.flag(),
  },
  form: {
    groupHead: field.flag(),
    trafficKind: field.dict(trafficKinds),
    promoterCode: code().optional(),
    promotionChannelNos: channels(),
  },
  alone: ['groupHead', 'trafficKind', 'promoterCode'],
  several: { addChannelNos: channels(), dropChannelNos: channels() },
  filters: {
    promotionChannelNo: field.option('PROMOTION_CHANNEL').optional(),
    trafficKind: z.array(field.dict(trafficKinds)).optional(),
    quiet: field.flag().optional(),
  },
  sort: ['registerCount', 'incomingCount', 'paidOutCount', 'payoutAmount', 'costPerPayout', 'monthRank'],
  totals: ['registerCount', 'incomingCount', 'paidOutCount', 'payoutAmount'],
})

const Channel = z.object({
  channelNo: field.key(),
  channelName: field.text(),
  promotionChannel: field.key(32),
  fromTime: field.time(),
  /** When they lost it; null while they work on it. */
  untilTime: field.time().nullable(),
  ...brought,
})

/** An order of somebody who was brought, and nothing of who that is. */
const Brought = z.object({
  orderNo: field.key(),
  userNo: field.key(),
  realName: field.text(),
  channelName: field.text(),
  applyTime: field.time(),
  payoutTime: field.time().nullable(),
})

/** Traffic staff, and whom one of them brought. */
export const trafficPerson = noun('operation/traffic', {
  ...trafficPersons.calls,
  /** Somebody with their channels, past ones among them, and what each brought of late. */
  detail: read(`${trafficPersons.path}/detail`, {
    perm: trafficPersons.perms.page,
    input: { userNo: field.key() },
    output: z.object({
      userNo: field.key(),
      realName: field.text(),
      promoterCode: field.key(12).nullable(),
      /** Codes that they had before, whose links live on. */
      pastCodes: z.array(field.key(12)),
      channelNumbers: z.array(Channel),
    }),
  }),
  /** Orders of those whom a person brought; nobody sees their own. */
  customers: list(`${trafficPersons.path}/customer/page`, {
    perm: trafficPersons.perms.page,
    row: Brought,
    filters: { userNo: field.key().optional(), applyTime: field.dateRange().optional() },
    sort: ['applyTime'],
    defaultSort: '-applyTime',
  }),
})
export type TrafficPersonRow = z.output<typeof trafficPersons.row>
