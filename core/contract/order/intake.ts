import { z } from 'zod'
import { order } from '../../rules/machines/order/order.ts'
import { channels } from '../after-loan/channel.ts'
import { endpoint, noun } from '../endpoint.ts'
import { dictionary, field } from '../fields.ts'
import { Collected } from './collected-kinds.ts'
import {
  educationTypes,
  genders,
  loanPurposes,
  maritalStatuses,
  occupations,
  relationTypes,
  residenceTypes,
} from './person.ts'

/** What an applicant agreed that we may read or ask; each consent has its time. */
export const consentKinds = dictionary('CONSENT_KIND', [
  'contacts',
  'location',
  'device',
  'apps',
  'operator',
  'credit_bureau',
  'face',
])

const customer = z.strictObject({
  customerName: field.customerName(),
  idNumber: field.idNumber(),
  phone: field.phone(),
  gender: field.dict(genders),
  birthDate: field.date(),
  maritalStatus: field.dict(maritalStatuses),
  education: field.dict(educationTypes),
  childrenCount: z.int().min(0).max(30),
  occupation: field.dict(occupations),
  employerName: field.text(),
  monthlyIncome: field.money(),
  payday: z.int().min(1).max(31),
  addressText: field.text(200),
  district: field.text(),
  residenceType: field.dict(residenceTypes),
  email: z.email().max(120).optional(),
  loanPurpose: field.dict(loanPurposes),
})
const contact = z.strictObject({
  relation: field.dict(relationTypes),
  contactName: field.text(),
  contactPhone: field.phone(),
})
const device = z.strictObject({
  deviceId: field.text(),
  deviceModel: field.text(),
  osVersion: field.text(),
  rooted: z.boolean(),
  emulator: z.boolean(),
  simCount: z.int().min(0).max(4),
  batteryPercent: z.int().min(0).max(100).optional(),
  ip: field.text(),
  language: field.text(10),
})

/** What a merchant's system sends for one loan application. */
export const Application = z.strictObject({
  thirdOrderNo: field.key(64),
  productNo: field.product(),
  loanAmount: field.money(),
  customer,
  payout: z.strictObject({
    payoutType: z.literal('wallet'),
    payoutSubtype: z.enum(['mtn', 'airtel']),
    walletAccount: field.phone(),
    cardholderName: field.text(),
  }),
  contacts: z.array(contact).min(1).max(10),
  device,
  consents: z.array(z.strictObject({ consentKind: field.dict(consentKinds), consentTime: field.time() })).max(20),
  collected: Collected.optional(),
  incomingChannel: field.text(),
  promotionChannel: field.text(),
  /** The coupon that the customer chose for it. */
  couponNo: field.key().optional(),
  /** Clicks on links of channels that the app knows of; the first of them that is young enough brought the customer. */
  clickIds: z.array(field.key()).max(20).optional(),
})
export type Application = z.output<typeof Application>

/** Calls from outside: signed applications of merchants' systems, and callbacks of payment networks. */
export const intake = noun('order/intake', {
  /** Signed per merchant (`X-Merchant`, `X-Timestamp`, `X-Signature`), idempotent by `thirdOrderNo`. */
  apply: endpoint({
    method: 'POST',
    path: '/open/order/apply',
    auth: 'merchant',
    audit: 'order.create',
    on: { machine: order, event: 'order.create', key: 'thirdOrderNo' },
    input: Application,
    output: z.object({ orderNo: z.string(), orderStatus: field.state(order) }),
  }),
  /** The word of a payment network: stored first, never trusted, only a reason to ask. */
  callback: endpoint({
    method: 'POST',
    path: '/callback/pay/{channel}',
    auth: 'anon',
    foreign: { maxBody: 64 * 1024 },
    input: z.looseObject({ channel: field.dict(channels) }),
    output: z.object({}),
  }),
})
