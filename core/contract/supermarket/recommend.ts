import { z } from 'zod'
import { instance } from '../../rules/machines/machine.ts'
import { marketProduct as machine } from '../../rules/machines/supermarket/market-product.ts'
import { blockedBy } from '../blocked.ts'
import { command, done, list, noun, read, results } from '../endpoint.ts'
import { dictionary, field } from '../fields.ts'
import { memberLevels } from '../order/levels.ts'
import { customerStatuses } from '../order/person.ts'
import { marketProductMachine } from './market-product.ts'
import { counters, shelfSlots } from './shelf.ts'

/** Recommendations under M71: written by one person, accepted by another. */
export const recommendMachine = instance(machine, {
  table: 'market_recommend',
  key: 'recommend_no',
  perms: { '{shelf}': 'market:recommend' },
})

const warnings = dictionary('RECOMMEND_WARNING', ['product_offline', 'end_near', 'over'])
const verdicts = dictionary('RECOMMEND_VERDICT', [
  'shown',
  'other_chosen',
  'not_running',
  'product_offline',
  'audience',
  'level',
  'not_refused',
])
/** Most recommendations that run at once in a place of an app. */
export const maxRunning = 10

const form = {
  recommendName: field.text(64),
  slot: field.dict(shelfSlots),
  marketProductNo: field.option('MARKET_PRODUCT'),
  /** The amount that the customer reads; the product's highest where none is given. */
  recommendQuota: field.money().optional(),
  /** Customers whom it is for; all of them where none is named. */
  customerStatuses: z.array(field.dict(customerStatuses)).max(customerStatuses.values.length).optional(),
  vipLevelMin: field.dict(memberLevels).optional(),
  /** Only for customers whose last application was refused. */
  refusedOnly: field.flag(),
  weight: z.int('validation.weight').min(1, 'validation.weight').max(100, 'validation.weight').meta({ kind: 'int' }),
  startTime: field.time(),
  endTime: field.time(),
  reasonText: field.texts(120).optional(),
}
/** The names of what people say of a recommendation, in the order of the form. */
export const recommendFields = Object.keys(form) as (keyof typeof form)[]

const Row = z.object({
  recommendNo: field.key(),
  ...form,
  recommendQuota: field.money().nullable(),
  customerStatuses: z.array(field.dict(customerStatuses)),
  vipLevelMin: field.dict(memberLevels).nullable(),
  reasonText: field.texts(120).nullable(),
  marketProductName: field.text(),
  platformName: field.text(),
  /** Where its product stands; a recommendation is shown only while that is online. */
  marketStatus: field.state(marketProductMachine),
  amountMax: field.money(),
  productStatus: field.state(recommendMachine),
  appCodes: z.array(field.app()),
  ...counters,
  recommendWarning: field.dict(warnings).nullable(),
  submitterName: field.user().nullable(),
  operatorName: field.user().nullable(),
  reason: field.text(200).nullable(),
  updatedTime: field.time(),
  version: z.int(),
  blockedBy: blockedBy(),
})
export type RecommendRow = z.output<typeof Row>

/** The page is its own permission key. */
const perm = '/AdminContent/LoanSupermarketSystem/LoanSupermarketRecommendProductManagement'
const key = { recommendNo: field.key() }
const versioned = { ...key, version: z.int() }
const on = (event: string) => ({ machine: recommendMachine, event, key: 'recommendNo' })
const reason = field.longText(200)
const atOnce = 100

/** What is put before which customers in which place. */
export const recommend = noun('supermarket/recommend', {
  page: list('/marketProduct/recommend/page', {
    perm,
    row: Row,
    filters: {
      recommendName: field.text(64).optional(),
      slot: z.array(field.dict(shelfSlots)).optional(),
      marketProductNo: field.option('MARKET_PRODUCT').optional(),
      appCode: field.app().optional(),
      productStatus: z.array(field.state(recommendMachine)).optional(),
      running: field.flag().optional(),
      waiting: field.flag().optional(),
    },
    sort: [
      'weight',
      'startTime',
      'endTime',
      'impressionCount',
      'clickCount',
      'paidOutCount',
      'revenueAmount',
      'updatedTime',
    ],
    defaultSort: '-updatedTime',
    totals: ['impressionCount', 'clickCount', 'applyCount', 'paidOutCount', 'revenueAmount'],
    exported: { as: 'marketRecommends', perm: 'market:recommend:export' },
  }),
  detail: read('/marketProduct/recommend/detail', {
    perm,
    input: key,
    output: z.object({
      recommend: Row,
      history: z.array(
        z.object({
          historyNo: z.int(),
          event: z.string(),
          actorName: field.user(),
          at: field.time(),
          reason: z.string().nullable(),
        }),
      ),
      /** Those that run in the same place, with the range in which the click rate lies, chance included. */
      shares: z.array(
        z.object({
          recommendNo: field.key(),
          recommendName: field.text(),
          weight: field.int(),
          slotShare: field.percent(),
          impressionCount: field.int(),
          clickCount: field.int(),
          clickRate: field.percent().nullable(),
          rateFrom: field.percent().nullable(),
          rateTo: field.percent().nullable(),
        }),
      ),
      /** What accepting it would come to: how many then run in the place, and their weights. */
      wouldRun: field.int(),
      weights: z.array(field.int()),
    }),
  }),
  /** Those that lists of leads may name. */
  options: read('/marketProduct/recommend/options', {
    input: {},
    output: z.object({
      list: z.array(
        z.object({
          recommendProduct: field.key(),
          marketProductName: field.text(),
          recommendQuota: field.money(),
          slot: field.dict(shelfSlots),
        }),
      ),
    }),
  }),
  /** What a customer would see in a place, and why each of the others is not seen. */
  resolve: command({
    path: '/marketProduct/recommend/resolve',
    perm,
    audit: 'recommend.resolve',
    input: z.strictObject({ customerNo: field.key(), slot: field.dict(shelfSlots), appCode: field.app() }),
    output: z.object({
      overdue: field.flag(),
      list: z.array(
        z.object({
          recommendNo: field.key(),
          recommendName: field.text(),
          marketProductName: field.text(),
          tryVerdict: field.dict(verdicts),
        }),
      ),
    }),
  }),
  save: command({
    path: '/marketProduct/recommend/save',
    perm: 'market:recommend:save',
    audit: 'recommend.save',
    on: on('product.save'),
    input: z
      .strictObject({ recommendNo: field.key().optional(), version: z.int().optional(), ...form })
      .superRefine(({ recommendNo, version, startTime, endTime }, context) => {
        const say = (path: string, message: string) => context.addIssue({ code: 'custom', path: [path], message })
        if (recommendNo !== undefined && version === undefined) say('version', 'validation.infoComplete')
        if (Date.parse(startTime) >= Date.parse(endTime)) say('endTime', 'validation.endBeforeStart')
      }),
    output: z.object({ recommendNo: field.key(), version: z.int() }),
  }),
  submit: command({
    path: '/marketProduct/recommend/submit',
    perm: 'market:recommend:submit',
    audit: 'recommend.submit',
    on: on('product.submit'),
    input: z.strictObject(versioned),
    output: done,
  }),
  operate: command({
    path: '/marketProduct/recommend/operate',
    perm: 'market:recommend:operate',
    audit: 'recommend.operate',
    on: on('product.operate'),
    input: z.strictObject(versioned),
    output: done,
  }),
  sendBack: command({
    path: '/marketProduct/recommend/return',
    perm: 'market:recommend:operate',
    audit: 'recommend.return',
    on: on('product.operate'),
    input: z.strictObject({ ...versioned, reason }),
    output: done,
  }),
  offline: command({
    path: '/marketProduct/recommend/offline',
    perm: 'market:recommend:operate',
    audit: 'recommend.offline',
    on: { ...on('product.offline'), key: 'recommendNos' },
    input: z.strictObject({ recommendNos: z.array(field.key()).min(1).max(atOnce), reason }),
    output: results,
  }),
  weigh: command({
    path: '/marketProduct/recommend/weight',
    perm: 'market:recommend:operate',
    audit: 'recommend.weight',
    input: z.strictObject({ ...versioned, weight: form.weight }),
    output: done,
  }),
})

/** Why a recommendation is seen by a customer, or is not. */
export type Verdict = (typeof verdicts)['values'][number]
