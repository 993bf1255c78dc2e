import { z } from 'zod'
import { tempQuotaGrant } from '../../rules/machines/operation/temp-quota-grant.ts'
import { tempQuotaTask } from '../../rules/machines/operation/temp-quota-task.ts'
import { customersIn, maxIssued } from '../../rules/text/promo-code.ts'
import { blockedBy } from '../blocked.ts'
import { command, endpoint, list, noun, read, results } from '../endpoint.ts'
import { dictionary, field } from '../fields.ts'

/** Why a customer is left out. */
export const quotaFails = dictionary('QUOTA_FAIL', [
  'not_found',
  'overdue',
  'barred',
  'opted_out',
  'running',
  'over_cap',
  'twice',
])
/** By whom a customer's consent came. */
export const consentSources = dictionary('CONSENT_SOURCE', ['app', 'call'])
/** Whether a customer has agreed. */
const consents = dictionary('QUOTA_CONSENT', ['given', 'waiting'])
const decisions = dictionary('QUOTA_DECISION', ['approve', 'reject'])

const base = '/creditTemporaryAmount'
const page = 'tempQuota:page'
const records = 'tempQuota:record'
const creates = 'tempQuota:create'

const Task = z.object({
  quotaTaskNo: field.key(),
  quotaTaskStatus: field.state(tempQuotaTask),
  merchantName: field.text(),
  applicantName: field.user(),
  createdTime: field.time(),
  quotaAmount: field.money(),
  quotaCustomers: field.int(),
  /** Amount for each times customers. */
  totalAmount: field.money(),
  startDate: field.date(),
  validityDays: field.int(),
  reason: field.text(200),
  checkerName: field.user().nullable(),
  auditTime: field.time().nullable(),
  auditReason: field.text(200).nullable(),
  granted: field.int(),
  leftOutRows: field.int(),
  consented: field.int(),
  usedGrants: field.int(),
  version: z.int(),
  blockedBy: blockedBy(),
})
export type QuotaTask = z.output<typeof Task>

const Grant = z.object({
  grantNo: field.key(),
  grantStatus: field.state(tempQuotaGrant),
  customerNo: field.key(),
  customerName: field.customerName(),
  phone: field.masked('phone'),
  merchantName: field.text(),
  ownLimit: field.money(),
  quotaAmount: field.money(),
  startTime: field.time(),
  endTime: field.time(),
  agreedTime: field.time().nullable(),
  consentSource: field.dict(consentSources).nullable(),
  recordingNo: field.key().nullable(),
  grantOrderNo: field.key().nullable(),
  /** What its order took beyond the limit. */
  beyondAmount: field.money(),
  grantUsedTime: field.time().nullable(),
  quotaTaskNo: field.key(),
  revokeReason: field.text(200).nullable(),
  pendingApproval: field.user().nullable(),
  version: z.int(),
  blockedBy: blockedBy(),
})
export type QuotaGrant = z.output<typeof Grant>

const Row = z.object({
  quotaRowNo: field.key(),
  rowNo: field.int(),
  /** As it was typed: masked where it is a phone. */
  named: z.string(),
  customerNo: field.key().nullable(),
  grantNo: field.key().nullable(),
  failReason: field.dict(quotaFails).nullable(),
})

const LeftOut = z.array(z.object({ failReason: field.dict(quotaFails), count: field.int() }))
const Effect = z.object({
  found: field.int(),
  totalAmount: field.money(),
  leftOut: LeftOut,
  /** What the merchant may still pay out today; null where it has no limit. */
  limitLeft: field.money().nullable(),
})
export type QuotaEffect = z.output<typeof Effect>

const customers = () =>
  field
    .longText(400_000)
    .refine(text => {
      const n = customersIn(text).length
      return n > 0 && n <= maxIssued
    }, 'validation.couponCustomers')
    .meta({ kind: 'longText', example: '256772345678' })
    .optional()
/** Customers are named one by one, or by their group. */
const oneOf = { path: ['customers'], message: 'validation.customersOrGroup' }
const namesOne = ({
  customers: named,
  userGroupNo,
}: {
  customers?: string | undefined
  userGroupNo?: string | undefined
}) => Boolean(named) !== Boolean(userGroupNo)
const asked = {
  merchantNo: field.merchant(),
  quotaAmount: field
    .money()
    .refine(value => /^\d+(\.0+)?$/.test(value) && Number(value) > 0, 'validation.wholeShillings')
    .meta({ kind: 'money', example: '100000.00' }),
  customers: customers(),
  userGroupNo: field.option('USER_GROUP').optional(),
}
const taskKey = { quotaTaskNo: field.key(), version: z.int() }

/** Higher limits for a while: asked for good customers, decided by somebody else, used by the next order. */
export const tempQuota = noun('operation/temp-quota', {
  tasks: list(`${base}/task/page`, {
    perm: page,
    row: Task,
    filters: {
      quotaTaskNo: field.key().optional(),
      applicantName: field.text().optional(),
      quotaTaskStatus: z.array(field.state(tempQuotaTask)).optional(),
      merchantNo: z.array(field.merchant()).optional(),
      createdTime: field.dateRange().optional(),
      mine: field.flag().optional(),
    },
    sort: ['createdTime', 'quotaAmount', 'quotaCustomers'],
    defaultSort: '-createdTime',
    totals: ['totalAmount'],
    exported: { as: 'quotaTasks', perm: 'tempQuota:export' },
  }),
  records: list(`${base}/record/page`, {
    perm: records,
    row: Grant,
    filters: {
      grantStatus: z.array(field.state(tempQuotaGrant)).optional(),
      customerNo: field.key().optional(),
      phone: field.phone().optional(),
      quotaTaskNo: field.key().optional(),
      startTime: field.dateRange().optional(),
      endTime: field.dateRange().optional(),
      consent: field.dict(consents).optional(),
      grantNo: field.key().optional(),
    },
    sort: ['startTime', 'endTime', 'quotaAmount'],
    defaultSort: '-startTime',
    totals: ['quotaAmount', 'beyondAmount'],
    exported: { as: 'quotaGrants', perm: 'tempQuota:export' },
  }),
  rows: list(`${base}/task/rows/page`, {
    perm: page,
    row: Row,
    filters: { quotaTaskNo: field.key().optional(), failReason: z.array(field.dict(quotaFails)).optional() },
    sort: ['rowNo'],
    defaultSort: 'rowNo',
  }),
  detail: read(`${base}/task/{quotaTaskNo}`, {
    perm: page,
    input: { quotaTaskNo: field.key() },
    output: z.object({
      task: Task,
      leftOut: LeftOut,
      /** What the orders of its customers took beyond their limits. */
      usedAmount: field.money(),
      /** Orders that used it, and those of them that are late. */
      usedOrders: field.int(),
      lateOrders: field.int(),
    }),
  }),
  /** What a task would come to, before anybody is asked. */
  effect: endpoint({
    method: 'POST',
    path: `${base}/task/effect`,
    perm: creates,
    input: z.strictObject(asked).refine(namesOne, oneOf),
    output: Effect,
  }),
  create: command({
    path: `${base}/task/create`,
    perm: creates,
    audit: 'tempQuota.create',
    on: { machine: tempQuotaTask, event: 'quota.create', key: 'quotaTaskNo' },
    input: z
      .strictObject({
        ...asked,
        startDate: field.date(),
        validityDays: field.int().min(1, 'validation.wrongValue').max(90, 'validation.wrongValue'),
        reason: field.longText(200),
      })
      .refine(namesOne, oneOf),
    output: z.object({ quotaTaskNo: field.key() }),
  }),
  /** A second person lets the customers have the limit, or does not. */
  audit: command({
    path: `${base}/task/audit`,
    perm: 'tempQuota:audit',
    audit: 'tempQuota.audit',
    on: { machine: tempQuotaTask, event: 'quota.audit', key: 'quotaTaskNo' },
    input: z
      .strictObject({ ...taskKey, decision: field.dict(decisions), auditReason: field.longText(200).optional() })
      .refine(({ decision, auditReason }) => decision === 'approve' || Boolean(auditReason), {
        path: ['auditReason'],
        message: 'validation.infoComplete',
      }),
    output: z.object({ quotaTaskStatus: field.state(tempQuotaTask) }),
  }),
  remove: command({
    path: `${base}/task/remove`,
    anyPerm: ['tempQuota:remove', creates],
    audit: 'tempQuota.remove',
    on: { machine: tempQuotaTask, event: 'quota.remove', key: 'quotaTaskNo' },
    input: z.strictObject(taskKey),
    output: z.object({ quotaTaskStatus: field.state(tempQuotaTask) }),
  }),
  /** Takes limits back that no order uses; each waits for a second person. */
  revoke: command({
    path: `${base}/record/revoke`,
    perm: 'tempQuota:audit',
    audit: 'tempQuota.revoke',
    on: { machine: tempQuotaGrant, event: 'grant.revoke', key: 'grantNos' },
    input: z.strictObject({ grantNos: z.array(field.key()).min(1).max(100), reason: field.longText(200) }),
    output: results,
  }),
  /** The phone of a customer in full; every call leaves a line in the access log. */
  phone: endpoint({
    method: 'GET',
    path: `${base}/record/phone`,
    perm: 'tempQuota:customerPhone',
    writes: true,
    input: z.strictObject({ grantNo: field.key(), reason: field.text(100).optional() }),
    output: z.string(),
  }),
  /** Notes that the customer agreed on the phone. */
  consent: command({
    path: `${base}/record/consent`,
    perm: records,
    audit: 'tempQuota.consent',
    on: { machine: tempQuotaGrant, event: 'consent.give', key: 'grantNo' },
    input: z.strictObject({ grantNo: field.key(), version: z.int(), recordingNo: field.key() }),
    output: z.object({ grantStatus: field.state(tempQuotaGrant) }),
  }),
})

/** What the app of a merchant says for its customers; it signs. */
export const tempQuotaApp = noun('operation/temp-quota', {
  agree: endpoint({
    method: 'POST',
    path: '/noAuth/tempQuota/agree',
    auth: 'merchant',
    input: z.strictObject({ customerNo: field.key(), grantNo: field.key() }),
    output: z.object({ grantStatus: field.state(tempQuotaGrant), quotaAmount: field.money(), endTime: field.time() }),
  }),
})
