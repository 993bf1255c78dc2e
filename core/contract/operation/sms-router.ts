import { z } from 'zod'
import { networks } from '../../rules/text/network.ts'
import { type Config, config } from '../config.ts'
import type { Flaw } from '../config-versions.ts'
import { command, endpoint, noun, read } from '../endpoint.ts'
import { dictionary, field } from '../fields.ts'
import { verifyScenes } from './verify-code.ts'

/** What routes carry: codes and service messages, or offers. */
export const routePurposes = ['verify', 'marketing'] as const
export type RoutePurpose = (typeof routePurposes)[number]

const routeNetworks = dictionary('ROUTE_NETWORK', [...networks, 'any'])
/** An account that carries texts. */
const account = () =>
  field.option('MESSAGE_ACCOUNT').meta({ kind: 'option', dict: 'MESSAGE_ACCOUNT', example: 'sms-1' })
const standings = dictionary('ROUTE_STANDING', ['good', 'probe', 'skipped'])
const reasons = dictionary('ROUTE_REASON', ['weight', 'failover', 'wider', 'skipped'])
type Values = Readonly<Record<string, unknown>>

const sender = () => field.key(20).regex(/^([A-Za-z0-9]{3,11}|\d{3,15})$/, 'validation.senderId')

const between = (purpose: RoutePurpose) => (purpose === 'marketing' ? (['08:00', '20:00'] as const) : ([] as const))

const flaw = ({ windowStart, windowEnd, appCode, merchantNo }: Values): Flaw | null => {
  if (appCode && merchantNo) return { path: 'appCode', message: 'validation.appOrMerchant' }
  if ((windowStart === undefined) !== (windowEnd === undefined))
    return { path: windowStart === undefined ? 'windowStart' : 'windowEnd', message: 'validation.infoComplete' }
  return typeof windowStart === 'string' && typeof windowEnd === 'string' && windowStart >= windowEnd
    ? { path: 'windowEnd', message: 'validation.closesBeforeOpen' }
    : null
}

const formOf = (purpose: RoutePurpose) => ({
  merchantNo: field.merchant().optional(),
  appCode: field.app().optional(),
  network: field.dict(routeNetworks),
  scenes: z.array(field.dict(verifyScenes)).max(verifyScenes.values.length).optional(),
  accountNo: account(),
  senderId: sender(),
  routeWeight: z.int().min(0, 'validation.routeWeight').max(100, 'validation.routeWeight'),
  failoverOrder: z.int().min(1, 'validation.failoverOrder').max(9, 'validation.failoverOrder'),
  textsADay: z.int().min(0, 'validation.textsADay').max(10_000_000, 'validation.textsADay').optional(),
  windowStart: field.clock(...between(purpose)).optional(),
  windowEnd: field.clock(...between(purpose)).optional(),
})

/** The routes of a purpose. */
const routesOf = (purpose: RoutePurpose) => {
  const form = formOf(purpose)
  const code = `sms:router:${purpose}`
  return config({
    name: purpose === 'verify' ? 'verifyRoute' : 'marketingRoute',
    path: `/common/smsRouter/${purpose}`,
    area: code,
    codes: { page: `${code}:page`, save: code, enable: code, delete: code },
    table: `sms_route_${purpose}`,
    key: 'routeNo',
    row: {
      ...form,
      merchantNo: field.merchant().nullable(),
      merchantName: field.text().nullable(),
      appCode: field.app().nullable(),
      scenes: z.array(field.dict(verifyScenes)),
      textsADay: field.int().nullable(),
      windowStart: field.clock().nullable(),
      windowEnd: field.clock().nullable(),
      sentToday: field.int(),
      /** Delivered of a hundred of the last 24 hours whose end is known; null while there is none. */
      deliveredRate: z.number().nullable(),
      medianSeconds: field.int().nullable(),
      /** What a part has cost of late. */
      unitCost: field.money().nullable(),
      routeStanding: field.dict(standings),
      skippedUntil: field.time().nullable(),
      whySkipped: field.text().nullable(),
    },
    form,
    flaw,
    filters: {
      merchantNo: z.array(field.merchant()).optional(),
      appCode: field.app().optional(),
      network: z.array(field.dict(routeNetworks)).optional(),
      scene: z.array(field.dict(verifyScenes)).optional(),
      accountNo: z.array(account()).optional(),
    },
    sort: ['failoverOrder'],
  })
}

const Ordered = z.object({
  routeNo: field.key(),
  accountNo: account(),
  senderId: z.string(),
  reason: field.dict(reasons),
})
const Weighted = z.object({
  routeNo: field.key(),
  accountNo: account(),
  senderId: z.string(),
  routeWeight: field.int(),
  unitCost: field.money().nullable(),
  version: z.int(),
})
const Covered = z.object({
  merchantNo: field.merchant(),
  merchantName: z.string(),
  mtn: field.int(),
  airtel: field.int(),
  other: field.int(),
})

/** The calls of the routes of a purpose. */
const callsOf = (purpose: RoutePurpose, routes: ReturnType<typeof routesOf>) => {
  const path = `/common/smsRouter/${purpose}` as const
  const [page, save] = [`sms:router:${purpose}:page`, `sms:router:${purpose}`]
  const key = { routeNo: field.key() }
  return noun('operation/sms-router', {
    ...routes.calls,
    /** The routes of a text in their order, and why; nothing is sent. */
    resolve: endpoint({
      method: 'POST',
      path: `${path}/resolve`,
      perm: page,
      input: z.strictObject({
        phone: field.phone(),
        appCode: field.app().optional(),
        scene: field.dict(verifyScenes).optional(),
      }),
      output: z.object({ network: field.dict(dictionary('SMS_NETWORK', networks)), list: z.array(Ordered) }),
    }),
    /** How many routes in force each merchant has on each network. */
    coverage: read(`${path}/coverage`, { perm: page, input: {}, output: z.object({ list: z.array(Covered) }) }),
    /** The routes in force of the scope of one, with what yesterday's texts of the scope were. */
    group: read(`${path}/group`, {
      perm: page,
      input: key,
      output: z.object({ list: z.array(Weighted), sentYesterday: z.int(), yesterdayCost: field.money() }),
    }),
    weights: command({
      path: `${path}/weights`,
      perm: save,
      audit: `${purpose}Route.weights`,
      input: z.strictObject({
        routeWeights: field
          .rows({ ...key, version: z.int(), routeWeight: z.int().min(0).max(100) }, 50, [
            { routeNo: 'RV1', version: 0, routeWeight: 100 },
          ])
          .min(1)
          .refine(list => list.reduce((sum, { routeWeight }) => sum + routeWeight, 0) === 100, 'validation.weights100'),
      }),
      output: z.object({ changed: z.int() }),
    }),
    /** The route goes last for half an hour. */
    skip: command({
      path: `${path}/skip`,
      perm: save,
      audit: `${purpose}Route.skip`,
      input: z.strictObject({ ...key, version: z.int(), reason: field.remark(30).min(1, 'validation.contentEmpty') }),
      output: z.object({ version: z.int() }),
    }),
    /** Sends a text by the account of a route to the phone of the caller. */
    sendTest: command({
      path: `${path}/sendTest`,
      perm: save,
      audit: `${purpose}Route.test`,
      input: z.strictObject(key),
      output: z.object({ messageNo: field.key() }),
    }),
  })
}

export const verifyRoutes = routesOf('verify')
export const marketingRoutes = routesOf('marketing')
/** Routes of codes and service messages. */
export const verifyRoute = callsOf('verify', verifyRoutes)
/** Routes of offers. */
export const marketingRoute = callsOf('marketing', marketingRoutes)

/** The two configs and their calls, by purpose. */
export const routers = {
  verify: { config: verifyRoutes as unknown as Config, calls: verifyRoute },
  marketing: { config: marketingRoutes as unknown as Config, calls: marketingRoute },
} as const

/** The network of a number that is not that of its prefix. */
export const smsNetwork = noun('operation/sms-router', {
  correct: command({
    path: '/common/smsRouter/network/save',
    perm: 'sms:router:verify',
    audit: 'smsNetwork.correct',
    input: z.strictObject({
      phone: field.phone(),
      network: field.dict(dictionary('SMS_NETWORK', networks)),
      reason: field.remark(30).min(1, 'validation.contentEmpty'),
    }),
    output: z.object({}),
  }),
})
