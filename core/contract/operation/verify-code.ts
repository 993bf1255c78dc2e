import { z } from 'zod'
import { message } from '../../rules/machines/operation/message.ts'
import { verificationCode } from '../../rules/machines/user/verification-code.ts'
import { networks } from '../../rules/text/network.ts'
import { blockedBy } from '../blocked.ts'
import { command, endpoint, list, noun, read } from '../endpoint.ts'
import { dictionary, field } from '../fields.ts'
import { channelTypes, failReasons } from './sms-report.ts'

/** What a code is asked for. */
export const verifyScenes = dictionary('VERIFY_SCENE', [
  'register',
  'login',
  'reset_password',
  'bind_account',
  'withdraw',
  'staff_login',
])

/** Networks by which texts are routed. */
export const networkDict = dictionary('SMS_NETWORK', networks)

const perm = 'operation:verifyCode:page'

const Row = z.object({
  codeNo: field.key(),
  sendTime: field.time(),
  channelType: field.dict(channelTypes),
  /** Null for a code that went by e-mail. */
  phone: field.masked('phone', 'verifyCode').nullable(),
  scene: field.dict(verifyScenes),
  /** The app that asked for it; null for staff. */
  appCode: field.app().nullable(),
  merchantNo: field.merchant().nullable(),
  merchantName: field.text().nullable(),
  network: field.dict(networkDict).nullable(),
  vendorName: field.text().nullable(),
  senderId: field.text().nullable(),
  codeStatus: field.state(verificationCode),
  messageStatus: field.state(message),
  deliverySeconds: field.int().nullable(),
  tries: field.int(),
  failReason: field.dict(failReasons).nullable(),
  ip: field.text().nullable(),
  /** By whom a new code would go; null where there is no other route. */
  nextVendor: field.text().nullable(),
  blockedBy: blockedBy(),
})
export type VerifyCodeRow = z.output<typeof Row>

const Health = z.object({
  vendorName: z.string(),
  network: field.dict(networkDict),
  sent: field.int(),
  delivered: field.int(),
  /** Delivered of a hundred of those whose end is known or whose report is late; null while there is none. */
  deliveredRate: z.number().nullable(),
  medianSeconds: field.int().nullable(),
})
export type Health = z.output<typeof Health>

const Attempt = z.object({
  messageNo: field.key(),
  codeNo: field.key(),
  scene: field.dict(verifyScenes),
  codeStatus: field.state(verificationCode),
  vendorName: field.text().nullable(),
  senderId: field.text().nullable(),
  messageStatus: field.state(message),
  failReason: field.dict(failReasons).nullable(),
  segments: field.int().nullable(),
  deliverySeconds: field.int().nullable(),
  createdTime: field.time(),
  /** What vendors answered, in the order in which they did; the first one is the oldest. */
  steps: z.array(
    z.object({ at: field.time(), event: z.string(), toState: field.state(message), said: z.string().nullable() }),
  ),
})
export type Attempt = z.output<typeof Attempt>

/** Codes that were sent to customers and staff: whether they arrive. The code itself is in no answer. */
export const verifyCode = noun('operation/verify-code', {
  page: list('/operation/verifyCode/page', {
    perm,
    row: Row,
    filters: {
      phone: field.phone().optional(),
      scene: z.array(field.dict(verifyScenes)).optional(),
      appCode: field.app().optional(),
      codeStatus: z.array(field.state(verificationCode)).optional(),
      messageStatus: z.array(field.state(message)).optional(),
      vendorName: field.text().optional(),
      network: z.array(field.dict(networkDict)).optional(),
      sendTime: field.dateRange().optional(),
    },
    sort: ['sendTime', 'deliverySeconds'],
    defaultSort: '-sendTime',
  }),
  /** How codes arrive, by vendor and network. */
  health: endpoint({
    method: 'POST',
    path: '/operation/verifyCode/health',
    perm,
    input: z.strictObject({ hours: z.union([z.literal(1), z.literal(24)]) }),
    output: z.object({ list: z.array(Health) }),
  }),
  /** What was sent to the phone or address of a code in the 24 hours before it, and since. */
  attempts: read('/operation/verifyCode/attempts', {
    perm,
    input: { codeNo: field.key() },
    output: z.object({
      list: z.array(Attempt),
      sentInHour: z.int(),
      perHour: z.int(),
      liftedUntil: field.time().nullable(),
    }),
  }),
  resend: command({
    path: '/operation/verifyCode/resend',
    perm: 'operation:verifyCode:resend',
    audit: 'verifyCode.resend',
    on: { machine: verificationCode, event: 'code.supersede', key: 'codeNo' },
    input: z.strictObject({ codeNo: field.key() }),
    output: z.object({ codeNo: field.key(), vendorName: z.string() }),
  }),
  /** Lets a phone at its hourly limit be sent codes for another hour. */
  unlock: command({
    path: '/operation/verifyCode/unlock',
    perm: 'operation:verifyCode:unlock',
    audit: 'verifyCode.unlock',
    input: z.strictObject({ codeNo: field.key(), reason: field.longText(200) }),
    output: z.object({ liftedUntil: field.time() }),
  }),
})
