import { z } from 'zod'
import { allowedLink, hostsIn, isHost, maxHosts } from '../../rules/market/hosts.ts'
import { config } from '../config.ts'
import type { Flaw } from '../config-versions.ts'
import { command, endpoint, list, noun, read } from '../endpoint.ts'
import { dictionary, field } from '../fields.ts'

/** A lender of our own, or a partner. */
export const platformKinds = dictionary('PLATFORM_KIND', ['own', 'partner'])
/** What a platform pays for: applications, a share of payouts, or nothing. */
export const settlementModes = dictionary('SETTLEMENT_MODE', ['cpa', 'cps', 'free'])
/** What of a customer a partner's form may be filled in with, once they have agreed to it. */
export const prefillFields = dictionary('PREFILL_FIELD', ['customerName', 'phone', 'idNumber', 'birthDate', 'district'])
/** What a partner tells us about a customer who was handed over. */
export const marketEvents = dictionary('MARKET_EVENT', ['apply', 'approve', 'payout'])
/** What became of a message of a partner. */
export const postbackResults = dictionary('POSTBACK_RESULT', [
  'accepted',
  'wrong_key',
  'stale',
  'unknown_click',
  'late',
  'wrong_value',
])
const licenceWithin = dictionary('PLATFORM_LICENCE', ['0', '30', '60'])

/** Days before its end from which a licence is shown in red. */
export const licenceWarnDays = 60

type Values = Readonly<Record<string, unknown>>
const flaw = ({ allowedHosts, prefillUrl, prefillFields: given }: Values): Flaw | null => {
  if (typeof allowedHosts !== 'string') return null
  const hosts = hostsIn(allowedHosts)
  if (hosts.length > maxHosts || !hosts.every(isHost)) return { path: 'allowedHosts', message: 'validation.hostName' }
  if (prefillUrl != null && !allowedLink(String(prefillUrl), hosts))
    return { path: 'prefillUrl', message: 'validation.wrongValue' }
  const fields = Array.isArray(given) ? given.length : 0
  if ((prefillUrl != null) === fields > 0) return null
  return { path: prefillUrl == null ? 'prefillUrl' : 'prefillFields', message: 'validation.infoComplete' }
}

const form = {
  platformName: field.text(64),
  platformKind: field.dict(platformKinds),
  legalName: field.text(128),
  licenceNo: field.key(64),
  licenceExpiry: field.date(),
  contactPerson: field.text(),
  contactEmail: z.email('validation.emailFormat').max(120).meta({ kind: 'text' }),
  /** Names of hosts, parted by commas; `*.` stands for all below one. */
  allowedHosts: field.longText(2_000).meta({ kind: 'longText', example: 'apply-now.lender.example' }),
  settlementMode: field.dict(settlementModes),
  /** For an application. */
  unitPrice: field.money().optional(),
  /** Of what is paid out, in percent. */
  sharePercent: field.percent().optional(),
  consentText: field.texts(500),
  /** Where the form of the partner is filled in, on one of its hosts; empty where customers type everything themselves. */
  prefillUrl: field.text(500).meta({ kind: 'text', example: 'https://apply-now.lender.example/prefill' }).optional(),
  /** What goes there, and is named in the consent text. */
  prefillFields: z.array(field.dict(prefillFields)).max(prefillFields.values.length).optional(),
}

/** Lenders and own brands whose products stand in the loan supermarket. */
export const platforms = config({
  name: 'platform',
  path: '/supermarketPlatform',
  area: 'market:platform',
  table: 'supermarket_platform',
  key: 'platformNo',
  row: {
    ...form,
    unitPrice: field.money().nullable(),
    sharePercent: field.percent().nullable(),
    prefillUrl: field.text(500).nullable(),
    prefillFields: z.array(field.dict(prefillFields)).nullable(),
    /** Counts the consent texts, with what went under each. */
    consentVersion: field.int(),
    /** Days until the licence ends; negative once it has. */
    licenceLeft: field.int(),
    productCount: field.int(),
    onlineCount: field.int(),
    /** Of the last 30 days, as the next ones. */
    clickCount: field.int(),
    applyCount: field.int(),
    paidOutCount: field.int(),
    revenueAmount: field.money(),
    acceptedCount: field.int(),
    refusedCount: field.int(),
    /** When the key was made that its messages are signed with; null while there is none. */
    keyTime: field.time().nullable(),
  },
  form,
  applies: {
    unitPrice: ({ settlementMode }) => settlementMode === 'cpa',
    sharePercent: ({ settlementMode }) => settlementMode === 'cps',
  },
  flaw: values => {
    if (values.settlementMode === 'cpa' && values.unitPrice == null)
      return { path: 'unitPrice', message: 'validation.infoComplete' }
    if (values.settlementMode === 'cps' && values.sharePercent == null)
      return { path: 'sharePercent', message: 'validation.infoComplete' }
    return flaw(values)
  },
  filters: {
    platformName: field.text(64).optional(),
    platformKind: z.array(field.dict(platformKinds)).optional(),
    settlementMode: z.array(field.dict(settlementModes)).optional(),
    licenceWithin: field.dict(licenceWithin).optional(),
  },
  sort: ['platformName', 'licenceExpiry', 'productCount', 'clickCount', 'paidOutCount', 'revenueAmount'],
  checked: true,
  used: true,
})

const Postback = z.object({
  postbackNo: field.key(),
  receivedTime: field.time(),
  platformNo: field.key(),
  platformName: field.text(),
  marketProductName: field.text().nullable(),
  marketEvent: field.dict(marketEvents),
  clickId: field.key(64),
  eventId: field.key(64),
  postbackResult: field.dict(postbackResults),
  amount: field.money().nullable(),
  revenueAmount: field.money(),
  /** How often the same message came. */
  deliveries: field.int(),
})
export type Postback = z.output<typeof Postback>

const perm = 'market:platform:page'

/** Calls of platforms: those of the config, what partners report, and the key they sign it with. */
export const platform = noun('supermarket/platform', {
  ...platforms.calls,
  usedBy: platforms.calls.usedBy as NonNullable<typeof platforms.calls.usedBy>,
  postbacks: list('/supermarketPlatform/postbackLog/page', {
    perm,
    row: Postback,
    filters: {
      platformNo: field.key().optional(),
      marketEvent: z.array(field.dict(marketEvents)).optional(),
      postbackResult: z.array(field.dict(postbackResults)).optional(),
      receivedTime: field.dateRange().optional(),
    },
    sort: ['receivedTime', 'amount', 'revenueAmount'],
    defaultSort: '-receivedTime',
    totals: ['revenueAmount'],
    exported: { as: 'marketConversions', perm: 'market:platform:export' },
  }),
  /** What a platform brought, by month. */
  stat: read('/supermarketPlatform/stat', {
    perm,
    input: { platformNo: field.key(), fromDate: field.date(), toDate: field.date() },
    output: z.object({
      list: z.array(
        z.object({
          month: field.month(),
          clickCount: field.int(),
          applyCount: field.int(),
          paidOutCount: field.int(),
          payoutAmount: field.money(),
          revenueAmount: field.money(),
          /** Revenue for a click; null without one. */
          perClick: field.money().nullable(),
        }),
      ),
    }),
  }),
  /** Its products with the address that a customer would be sent to. */
  links: read('/supermarketPlatform/links', {
    perm,
    input: { platformNo: field.key() },
    output: z.object({
      list: z.array(
        z.object({ marketProductNo: field.key(), marketProductName: field.text(), targetLink: z.string() }),
      ),
    }),
  }),
  /** Makes a key; the one before it is taken for another 24 hours. */
  rotateKey: command({
    path: '/supermarketPlatform/key/rotate',
    perm: 'market:platform:save',
    audit: 'platform.rotateKey',
    input: z.strictObject({ platformNo: field.key(), version: z.int() }),
    output: z.object({ postbackKey: z.string(), version: z.int() }),
  }),
  /**
   * What a partner reports, signed: `X-Timestamp` in milliseconds and `X-Signature`, the HMAC-SHA256 in hex over `timestamp.rawBody`.
   * An event is taken once, whatever the number of its deliveries.
   */
  postback: endpoint({
    method: 'POST',
    path: '/open/market/postback',
    auth: 'platform',
    foreign: { maxBody: 16 * 1024 },
    input: z.strictObject({
      platformNo: field.key(),
      eventId: field.key(64),
      clickId: field.key(64),
      marketEvent: field.dict(marketEvents),
      /** What was paid out. */
      amount: field.money().optional(),
    }),
    output: z.object({}),
  }),
})
