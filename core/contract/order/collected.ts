import { z } from 'zod'
import { order as orderMachine } from '../../rules/machines/order/order.ts'
import { followResults } from '../audit/decisions.ts'
import { command, endpoint, noun, read } from '../endpoint.ts'
import { dictionary, field } from '../fields.ts'
import type { SensitiveKindName } from '../sensitive-kinds.ts'
import { appCategories, contactSources, phoneNetworks, positionKinds } from './collected-kinds.ts'
import { relationTypes } from './person.ts'

/** What the bank verification service said: not asked yet, no answer, no such number, the applicant's own, or somebody else's. */
export const bvnResults = dictionary('BVN_RESULT', ['not_asked', 'unknown', 'none', 'passed', 'failed'])

const perm = 'order:detail:view'
const input = { orderNo: field.key() }
/** When the applicant agreed that this is collected; without it nothing of it is kept. */
const consentTime = field.time().nullable()

/** A part of an order that is sensitive as a whole: to open it is noted. */
const seen = <O extends z.ZodType>(path: `/${string}`, sees: SensitiveKindName, output: O) =>
  endpoint({ method: 'GET', path, perm, sees, writes: true, input: z.strictObject(input), output })

const Contact = z.object({
  contactNo: field.key(),
  contactSource: field.dict(contactSources),
  relation: field.dict(relationTypes),
  contactName: z.string(),
  contactPhone: field.masked('phone', 'contact'),
  phoneNetwork: field.dict(phoneNetworks),
  /** Has or had an order that the reader may see. */
  isCustomer: field.flag(),
  /** Has such a loan that is overdue now. */
  contactOverdue: field.flag(),
  /** Their phone is on a black list in force. */
  blacklisted: field.flag(),
  /** Other customers, of orders that the reader may see, who have the same person among their contacts. */
  sharedCount: field.int(),
  lastFollowResult: field.dict(followResults).nullable(),
})
export type OrderContact = z.output<typeof Contact>

const Affinity = Contact.extend({
  callCount: field.int(),
  smsCount: field.int(),
  callMinutes: field.int(),
  lastCallTime: field.time(),
  inPhoneBook: field.flag(),
})

const Month = z.object({
  month: field.month(),
  calls: field.int(),
  sms: field.int(),
  topUps: field.int(),
  topUpAmount: field.money(),
  nightShare: field.percent(),
})
const Operator = z.object({
  phoneNetwork: field.dict(phoneNetworks),
  simRegisteredName: field.customerName(),
  simSince: field.date(),
  simMonths: field.int(),
  nightShare: field.percent(),
  months: z.array(Month),
})

const App = z.object({
  packageName: field.key(120),
  appTitle: field.text(80),
  appCategory: field.dict(appCategories),
  installTime: field.time(),
})

const Position = z.object({
  positionNo: field.int(),
  positionKind: field.dict(positionKinds),
  /** Degrees as decimals. */
  latitude: z.string(),
  longitude: z.string(),
  accuracyMeters: field.int(),
  addressText: field.text(200),
  capturedTime: field.time(),
  /** From where the application was made; null where that is not known. */
  metersFromApply: field.int().nullable(),
})
export type OrderPosition = z.output<typeof Position>

const Device = z.object({
  deviceId: field.key(64),
  deviceModel: field.text(),
  osVersion: field.text(),
  rooted: field.flag(),
  emulator: field.flag(),
  simCount: field.int(),
  batteryPercent: field.int().nullable(),
  ip: z.string(),
  language: z.string(),
  /** Other customers who applied with it. */
  sharedDeviceCount: field.int(),
})

const Other = z.object({
  orderNo: field.key(),
  merchantName: field.text(),
  customerName: field.customerName(),
  orderStatus: field.state(orderMachine),
  applyTime: field.time(),
})

const Like = Other.extend({
  /** From 0 to 1, as a share of a hundred. */
  likeness: field.percent(),
  sameIdNumber: field.flag(),
  overdueDays: field.int(),
})

const Bvn = z.object({
  /** Null where the applicant gave none. */
  bvn: z.string().nullable(),
  bvnResult: field.dict(bvnResults),
  bvnName: field.customerName().nullable(),
  bvnBirthDate: field.date().nullable(),
  nameMatch: field.flag().nullable(),
  birthDateMatch: field.flag().nullable(),
  phoneMatch: field.flag().nullable(),
  askedByName: field.user().nullable(),
  bvnTime: field.time().nullable(),
  /** Until it may be asked again. */
  waitSeconds: z.int(),
})
export type OrderBvn = z.output<typeof Bvn>

const Merchant = z.object({
  merchantNo: field.key(),
  merchantName: field.text(),
  orderCount: field.int(),
  openLoans: field.int(),
  outstanding: field.money(),
  maxOverdueDays: field.int(),
  lastStatus: field.state(orderMachine),
  lastApplyTime: field.time(),
})

const RepayCode = z.object({
  payCode: field.key(),
  /** Due up to today; nothing once all is paid, null where nothing was paid out. */
  dueToday: field.money().nullable(),
  settleToday: field.money().nullable(),
  dueDate: field.date().nullable(),
  /** The amounts are those of this business day. */
  validDate: field.date(),
})

/** What is known of an applicant besides what they typed: each part is its own call, and most are sensitive as a whole. */
export const orderCollected = noun('order/collected', {
  relations: seen('/loans/audit/detail/relations', 'contacts', z.object({ list: z.array(Contact) })),
  affinity: seen('/loans/audit/detail/affinity', 'contacts', z.object({ consentTime, list: z.array(Affinity) })),
  operator: seen('/loans/audit/detail/operator', 'operator', z.object({ consentTime, operator: Operator.nullable() })),
  apps: seen(
    '/loans/audit/detail/apps',
    'appList',
    z.object({
      consentTime,
      total: field.int(),
      lending: field.int(),
      gambling: field.int(),
      list: z.array(App),
    }),
  ),
  location: seen('/loans/audit/detail/location', 'location', z.object({ consentTime, list: z.array(Position) })),
  device: seen(
    '/loans/audit/detail/device',
    'device',
    z.object({ consentTime, device: Device.nullable(), shared: z.array(Other) }),
  ),
  bvn: seen('/loans/audit/detail/bvn', 'bvn', Bvn),
  bvnQuery: command({
    path: '/loans/audit/bvn/query',
    perm,
    sees: 'bvn',
    audit: 'order.bvnQuery',
    input: z.strictObject(input),
    output: Bvn,
  }),
  faces: endpoint({
    method: 'POST',
    path: '/loans/audit/face/search',
    perm,
    sees: 'face',
    writes: true,
    input: z.strictObject(input),
    output: z.object({
      consentTime,
      faceScore: field.percent().nullable(),
      threshold: field.percent(),
      list: z.array(Like),
    }),
  }),
  merchants: read('/loans/audit/detail/merchants', { perm, input, output: z.object({ list: z.array(Merchant) }) }),
  repayCode: read('/loans/audit/detail/repayCode', { perm, input, output: RepayCode }),
})
