import { z } from 'zod'
import { gt, isPositive } from '../../rules/amount.ts'
import { instance } from '../../rules/machines/machine.ts'
import { marketProduct as machine } from '../../rules/machines/supermarket/market-product.ts'
import { blockedBy } from '../blocked.ts'
import type { Flaw } from '../config-versions.ts'
import { command, done, endpoint, list, noun, read, results } from '../endpoint.ts'
import { field } from '../fields.ts'
import { memberLevels } from '../order/levels.ts'
import { marketEvents, platformKinds, prefillFields } from './platform.ts'
import { counters, handoffs, marketCustomers, shelfSlots, termUnits } from './shelf.ts'

/** Products of the supermarket under M71: described by one person, accepted by another. */
export const marketProductMachine = instance(machine, {
  table: 'market_product',
  key: 'market_product_no',
  perms: { '{shelf}': 'market:product' },
})

type Values = Readonly<Record<string, unknown>>
const isAmount = (value: unknown): value is string | number => /^\d+(\.\d{1,2})?$/.test(String(value))
const above = (one: unknown, other: unknown) => isAmount(one) && isAmount(other) && gt(String(one), String(other))

/** What is wrong between the fields of a description. */
const flaw = (values: Values): Flaw | null => {
  if (isAmount(values.amountMin) && !isPositive(String(values.amountMin)))
    return { path: 'amountMin', message: 'validation.wrongValue' }
  for (const [least, most] of [
    ['amountMin', 'amountMax'],
    ['termMin', 'termMax'],
    ['rateMonthMin', 'rateMonthMax'],
  ] as const)
    if (above(values[least], values[most])) return { path: most, message: 'validation.wrongValue' }
  return null
}

const days = () => z.int().min(1, 'validation.wrongValue').max(3_660, 'validation.wrongValue').meta({ kind: 'int' })

/** What the partnership manager says of a product. What may be missing in a draft is asked for when it is submitted. */
export const productData = {
  platformNo: field.option('MARKET_PLATFORM'),
  marketProductName: field.text(64),
  logo: field.file('logo').optional(),
  slogan: field.texts(60).optional(),
  amountMin: field.money(),
  amountMax: field.money(),
  termMin: days(),
  termMax: days(),
  termUnit: field.dict(termUnits),
  rateMonthMin: field.percent(),
  rateMonthMax: field.percent(),
  allInMonthRate: field.percent().optional(),
  feeText: field.texts(200).optional(),
  conditions: field.texts(200).optional(),
  requiredDocs: field.texts(200).optional(),
  applyUrl: field.text(500),
  /** Whether the customer arrives at an empty form, or at one with what they agreed to hand over. */
  handoff: field.dict(handoffs).default('link'),
}
/** The names of {@link productData}, in the order of the form. */
export const productFields = Object.keys(productData) as (keyof typeof productData)[]

/** Where operations place it, and for whom. */
export const operationData = {
  appCodes: z.array(field.app()).min(1, 'validation.infoComplete').max(50),
  customerTypes: z.array(field.dict(marketCustomers)).min(1, 'validation.infoComplete').max(2),
  vipLevelMin: field.dict(memberLevels).optional(),
  badge: field.text(16).optional(),
  sort: field.place(),
  onlineTime: field.time().optional(),
  offlineTime: field.time().optional(),
  dailyClickCap: z.int().min(1, 'validation.wrongValue').max(1_000_000).optional().meta({ kind: 'int' }),
  settlementPrice: field.money().optional(),
}
/** The names of {@link operationData}, in the order of the form. */
export const operationFields = Object.keys(operationData) as (keyof typeof operationData)[]

const ticked = () => z.literal(true, 'validation.checkAll').meta({ kind: 'flag' })
/** What the second person has seen for themselves. */
export const checklist = { textsRead: ticked(), linkOpened: ticked(), licenceSeen: ticked() }

const Row = z.object({
  marketProductNo: field.key(),
  ...productData,
  handoff: field.dict(handoffs),
  logo: z.string().nullable(),
  slogan: field.texts(60).nullable(),
  allInMonthRate: field.percent().nullable(),
  feeText: field.texts(200).nullable(),
  conditions: field.texts(200).nullable(),
  requiredDocs: field.texts(200).nullable(),
  appCodes: z.array(field.app()),
  customerTypes: z.array(field.dict(marketCustomers)),
  vipLevelMin: field.dict(memberLevels).nullable(),
  badge: field.text(16).nullable(),
  sort: field.int().nullable(),
  onlineTime: field.time().nullable(),
  offlineTime: field.time().nullable(),
  dailyClickCap: field.int().nullable(),
  settlementPrice: field.money().nullable(),
  platformName: field.text(),
  platformKind: field.dict(platformKinds),
  productStatus: field.state(marketProductMachine),
  /** The product that customers see until this draft of it is accepted. */
  draftOf: field.key().nullable(),
  /** Our own product whose amounts and price it follows. */
  sourceProductNo: field.product().nullable(),
  /** A legal cap that is exceeded by what it costs. */
  overCap: field.flag(),
  ...counters,
  /** Clicks of today. */
  clicksToday: field.int(),
  /** Why its link could not be opened; null while it can, or was not tried. */
  linkFault: z.string().nullable(),
  linkTime: field.time().nullable(),
  /** Recommendations that show it. */
  recommendCount: field.int(),
  submitterName: field.user().nullable(),
  operatorName: field.user().nullable(),
  reason: field.text(200).nullable(),
  updatedTime: field.time(),
  version: z.int(),
  blockedBy: blockedBy(),
})
export type MarketProductRow = z.output<typeof Row>

const Click = z.object({
  clickId: field.key(64),
  clickTime: field.time(),
  marketProductNo: field.key(),
  slot: field.dict(shelfSlots),
  appCode: field.app(),
  /** What the partner reported of it. */
  events: z.array(field.dict(marketEvents)),
  revenueAmount: field.money(),
  /** The consent that the customer gave when they opened it, and what went along under it. */
  consentVersion: field.int().nullable(),
  prefilled: z.array(field.dict(prefillFields)),
})

/** The page is its own permission key. */
const perm = '/AdminContent/LoanSupermarketSystem/LoanSupermarketProductManagement'
const key = { marketProductNo: field.key() }
const versioned = { ...key, version: z.int() }
const on = (event: string) => ({ machine: marketProductMachine, event, key: 'marketProductNo' })
const reason = field.longText(200)
/** Most products that are taken offline, or put into an order, at once. */
const atOnce = 100

/** Loan products that customers see in our apps. */
export const marketProduct = noun('supermarket/market-product', {
  page: list('/marketProduct/page', {
    perm,
    row: Row,
    filters: {
      marketProductName: field.text(64).optional(),
      platformNo: field.option('MARKET_PLATFORM').optional(),
      platformKind: z.array(field.dict(platformKinds)).optional(),
      appCode: field.app().optional(),
      productStatus: z.array(field.state(marketProductMachine)).optional(),
      customerType: field.dict(marketCustomers).optional(),
      vipLevelMin: z.array(field.dict(memberLevels)).optional(),
      badge: field.text(16).optional(),
      /** Submitted by somebody else, so that the reader may decide. */
      waiting: field.flag().optional(),
    },
    sort: [
      'sort',
      'amountMax',
      'rateMonthMax',
      'impressionCount',
      'clickCount',
      'applyCount',
      'paidOutCount',
      'revenueAmount',
      'updatedTime',
    ],
    defaultSort: '-updatedTime',
    totals: ['impressionCount', 'clickCount', 'applyCount', 'paidOutCount', 'revenueAmount'],
    exported: { as: 'marketProducts', perm: 'market:product:export' },
  }),
  detail: read('/marketProduct/detail', {
    perm,
    input: key,
    output: z.object({
      product: Row,
      /** What was changed, the newest first. */
      history: z.array(
        z.object({
          historyNo: z.int(),
          event: z.string(),
          actorName: field.user(),
          at: field.time(),
          reason: z.string().nullable(),
        }),
      ),
      /** Of a draft of a product that customers see: the fields that differ. */
      changes: z.array(z.object({ field: z.string(), before: z.string().nullable(), after: z.string().nullable() })),
      usedBy: z.array(z.object({ kind: z.string(), no: z.string(), name: z.string() })),
    }),
  }),
  /** Shown, clicked, applied for and paid out, by day. */
  stat: endpoint({
    method: 'POST',
    path: '/marketProduct/stat',
    perm,
    input: z
      .strictObject({ ...key, fromDate: field.date(), toDate: field.date() })
      .refine(
        ({ fromDate, toDate }) => fromDate <= toDate && Date.parse(toDate) - Date.parse(fromDate) < 93 * 86_400_000,
        {
          path: ['toDate'],
          message: 'validation.wrongValue',
        },
      ),
    output: z.object({
      list: z.array(
        z.object({
          date: field.date(),
          impressionCount: field.int(),
          clickCount: field.int(),
          applyCount: field.int(),
          paidOutCount: field.int(),
          revenueAmount: field.money(),
        }),
      ),
    }),
  }),
  clicks: list('/marketProduct/click/page', {
    perm,
    row: Click,
    filters: { marketProductNo: field.key().optional(), slot: z.array(field.dict(shelfSlots)).optional() },
    sort: ['clickTime'],
    defaultSort: '-clickTime',
  }),
  /** Writes a draft, or changes one. Of a product that customers see, a draft beside it. */
  save: command({
    path: '/marketProduct/save',
    perm: 'market:product:save',
    audit: 'marketProduct.save',
    on: on('product.save'),
    input: z
      .strictObject({ marketProductNo: field.key().optional(), version: z.int().optional(), ...productData })
      .superRefine((values, context) => {
        if (values.marketProductNo !== undefined && values.version === undefined)
          context.addIssue({ code: 'custom', path: ['version'], message: 'validation.infoComplete' })
        const found = flaw(values)
        if (found) context.addIssue({ code: 'custom', path: [found.path], message: found.message })
      }),
    output: z.object({ marketProductNo: field.key(), version: z.int() }),
  }),
  /** Begins a draft with the amounts and the price of a product of ours. */
  importOwn: command({
    path: '/marketProduct/importOwn',
    perm: 'market:product:save',
    audit: 'marketProduct.importOwn',
    input: z.strictObject({
      productNo: field.product(),
      platformNo: field.option('MARKET_PLATFORM'),
      applyUrl: productData.applyUrl,
    }),
    output: z.object({ marketProductNo: field.key() }),
  }),
  submit: command({
    path: '/marketProduct/submit',
    perm: 'market:product:submit',
    audit: 'marketProduct.submit',
    on: on('product.submit'),
    input: z.strictObject(versioned),
    output: done,
  }),
  operate: command({
    path: '/marketProduct/operate',
    perm: 'market:product:operate',
    audit: 'marketProduct.operate',
    on: on('product.operate'),
    input: z
      .strictObject({
        ...versioned,
        ...operationData,
        ...checklist,
        /** Where it costs more than a cap that only warns. */
        capReason: reason.optional(),
      })
      .refine(({ onlineTime, offlineTime }) => !onlineTime || !offlineTime || onlineTime < offlineTime, {
        path: ['offlineTime'],
        message: 'validation.endBeforeStart',
      }),
    output: done,
  }),
  sendBack: command({
    path: '/marketProduct/return',
    perm: 'market:product:operate',
    audit: 'marketProduct.return',
    on: on('product.operate'),
    input: z.strictObject({ ...versioned, reason }),
    output: done,
  }),
  offline: command({
    path: '/marketProduct/offline',
    perm: 'market:product:operate',
    audit: 'marketProduct.offline',
    on: { ...on('product.offline'), key: 'marketProductNos' },
    input: z.strictObject({ marketProductNos: z.array(field.key()).min(1).max(atOnce), reason }),
    output: results,
  }),
  /** Puts the products that an app shows into this order. */
  arrange: command({
    path: '/marketProduct/sort',
    perm: 'market:product:operate',
    audit: 'marketProduct.sort',
    input: z.strictObject({ appCode: field.app(), marketProductNos: z.array(field.key()).min(1).max(atOnce) }),
    output: z.object({ moved: z.int() }),
  }),
})

/** A product as customers see it. */
const Shown = z.object({
  marketProductNo: field.key(),
  marketProductName: field.text(),
  logo: z.string().nullable(),
  slogan: z.string(),
  amountMin: field.money(),
  amountMax: field.money(),
  termMin: field.int(),
  termMax: field.int(),
  termUnit: field.dict(termUnits),
  allInMonthRate: field.percent(),
  feeText: z.string(),
  conditions: z.string(),
  requiredDocs: z.string(),
  badge: z.string().nullable(),
  /** Of the one that is recommended: its number, the amount to read, and why it is recommended. */
  recommendNo: z.string().nullable(),
  quota: field.money().nullable(),
  reasonText: z.string().nullable(),
})
export type ShownProduct = z.output<typeof Shown>

/** Who looks, from the back end of a merchant's app, which signs as it signs applications. */
const asked = {
  /** Left out while nobody has signed in. */
  customerNo: field.key().optional(),
  appCode: field.app(),
  language: z.enum(['zh', 'en', 'sw']).default('en'),
}

/** What the apps of merchants call. */
export const marketShelf = noun('supermarket/market-product', {
  shelf: endpoint({
    method: 'POST',
    path: '/noAuth/marketProduct/shelf',
    auth: 'merchant',
    input: z.strictObject({
      ...asked,
      slot: field.dict(shelfSlots).default('supermarket_list'),
      /** Of the page of a refusal: the customer has read why. */
      refusalShown: field.flag().optional(),
    }),
    output: z.object({ list: z.array(Shown) }),
  }),
  /**
   * The customer opens a product: answers the address with the number of the click. Nothing of the person goes along, unless the form
   * of the partner is filled in: then the answer is first what the customer is asked, and nothing is handed over; the app calls again
   * with the version that the customer agreed to, or says that they would rather type it themselves.
   */
  open: endpoint({
    method: 'POST',
    path: '/noAuth/marketProduct/open',
    auth: 'merchant',
    input: z.strictObject({
      customerNo: field.key(),
      appCode: field.app(),
      marketProductNo: field.key(),
      slot: field.dict(shelfSlots).default('supermarket_list'),
      recommendNo: field.key().optional(),
      language: asked.language,
      /** The version of the consent that the customer has just given. */
      consentVersion: z.int().optional(),
      /** The customer hands nothing over. */
      declined: field.flag().optional(),
    }),
    output: z.object({
      /** Null while the customer has yet to be asked. */
      clickId: field.key(64).nullable(),
      targetLink: z.string().nullable(),
      consent: z
        .object({
          consentVersion: field.int(),
          consentText: z.string(),
          prefillFields: z.array(field.dict(prefillFields)),
        })
        .nullable(),
    }),
  }),
})
