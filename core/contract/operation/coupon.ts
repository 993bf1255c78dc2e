import { z } from 'zod'
import { coupon as machine } from '../../rules/machines/operation/coupon.ts'
import { couponIssueBatch } from '../../rules/machines/operation/coupon-issue-batch.ts'
import { customersIn, maxIssued, promoFormat } from '../../rules/text/promo-code.ts'
import { blockedBy } from '../blocked.ts'
import { config } from '../config.ts'
import type { Flaw } from '../config-versions.ts'
import { command, endpoint, list, noun, read, results } from '../endpoint.ts'
import { dictionary, field } from '../fields.ts'
import { couponTypes } from '../order/order.ts'

/** What a coupon is paid with: the whole debt, a part of it, an extension, or anything. */
export const couponRepayTypes = dictionary('COUPON_REPAY_TYPE', ['settle', 'partial', 'extension', 'generic'])
/** Who gave a coupon. */
export const couponSources = dictionary('COUPON_SOURCE', ['system', 'batch', 'promo_code', 'service', 'activity'])
/** Where a promo code stands. */
export const promoStates = dictionary('PROMO_STATE', ['planned', 'running', 'used_up', 'ended', 'stopped'])
/** Why a customer of a batch got nothing. */
export const issueFails = dictionary('COUPON_FAIL', [
  'not_found',
  'budget',
  'customer_cap',
  'overdue',
  'barred',
  'template_off',
  'twice',
])

const days = () => field.int().min(1, 'validation.wrongValue').max(365, 'validation.wrongValue')
const times = (max: number) => field.int().min(1, 'validation.wrongValue').max(max, 'validation.wrongValue')

const whole = (value: unknown) => typeof value !== 'string' || /^\d+(\.0+)?$/.test(value)
const above = (value: unknown) => typeof value !== 'string' || Number(value) > 0

/** What is wrong with amounts that are given away: whole shillings, and something. */
const amountFlaw = (values: Readonly<Record<string, unknown>>, names: readonly string[]): Flaw | null => {
  const path = names.find(name => !whole(values[name]) || !above(values[name]))
  return path ? { path, message: 'validation.wholeShillings' } : null
}

const form = {
  couponName: field.text(30),
  couponType: field.dict(couponTypes),
  couponRepayType: field.dict(couponRepayTypes).optional(),
  merchantNos: z.array(field.merchant()).min(1, 'validation.infoComplete').max(200),
  faceAmount: field.money(),
  minOrderAmount: field.money(),
  validityDays: days(),
  issueCapPerCustomer: times(100),
  budgetAmount: field.money(),
}

/** Kinds of coupons: what each is worth, for whose customers, for how long, and what may be given away in all. */
export const couponTemplates = config({
  name: 'couponTemplate',
  path: '/promocode/template',
  area: 'operation:coupon',
  table: 'coupon_template',
  key: 'couponTemplateNo',
  row: {
    ...form,
    couponRepayType: field.dict(couponRepayTypes).nullable(),
    merchantNames: field.text(2_000),
    issuedCount: field.int(),
    couponUses: field.int(),
    /** Used of a hundred that were given; null before the first one. */
    usedShare: field.percent().nullable(),
    /** What all coupons ever given are worth: never more than the budget. */
    issuedAmount: field.money(),
    /** What was used of it. */
    spentAmount: field.money(),
  },
  form,
  applies: { couponRepayType: ({ couponType }) => couponType !== 'increase_loan_limit_coupon' },
  flaw: values => {
    if (
      values.couponType !== undefined &&
      values.couponType !== 'increase_loan_limit_coupon' &&
      values.couponRepayType == null
    )
      return { path: 'couponRepayType', message: 'validation.infoComplete' }
    if (!whole(values.minOrderAmount)) return { path: 'minOrderAmount', message: 'validation.wholeShillings' }
    return amountFlaw(values, ['faceAmount', 'budgetAmount'])
  },
  filters: {
    couponName: field.text(30).optional(),
    couponType: z.array(field.dict(couponTypes)).optional(),
    couponRepayType: z.array(field.dict(couponRepayTypes)).optional(),
    merchantNo: field.merchant().optional(),
  },
  sort: ['couponName', 'faceAmount', 'issuedCount', 'budgetAmount'],
  used: true,
  exported: { as: 'couponTemplates', perm: 'operation:coupon:export' },
})

const perm = 'operation:coupon:page'

const Coupon = z.object({
  couponNo: field.key(),
  couponName: field.text().nullable(),
  couponTemplateNo: field.key().nullable(),
  couponType: field.dict(couponTypes),
  couponRepayType: field.dict(couponRepayTypes).nullable(),
  couponStatus: field.state(machine),
  faceAmount: field.money(),
  minOrderAmount: field.money(),
  customerNo: field.key(),
  customerName: field.customerName(),
  phone: field.masked('phone', 'customer'),
  merchantNo: field.merchant().nullable(),
  merchantName: field.text().nullable(),
  startTime: field.time(),
  expireTime: field.time(),
  boundOrderNo: field.key().nullable(),
  couponSource: field.dict(couponSources),
  /** The batch, code, application or activity that gave it. */
  sourceNo: field.key().nullable(),
  createdTime: field.time(),
  usedTime: field.time().nullable(),
  /** What it took off; null before, and where it raised a limit. */
  takenOff: field.money().nullable(),
  revokeReason: field.text(200).nullable(),
  pendingApproval: field.user().nullable(),
  version: z.int(),
  blockedBy: blockedBy(),
})
export type Coupon = z.output<typeof Coupon>

const Batch = z.object({
  issueBatchNo: field.key(),
  issueBatchStatus: field.state(couponIssueBatch),
  couponTemplateNo: field.key(),
  couponName: field.text(),
  faceAmount: field.money(),
  startTime: field.time(),
  reason: field.text(200),
  issueCount: field.int(),
  totalAmount: field.money(),
  issuedOk: field.int(),
  issuedFailed: field.int(),
  makerName: field.text(),
  checkerName: field.text().nullable(),
  createdTime: field.time(),
  finishTime: field.time().nullable(),
  version: z.int(),
})
export type CouponBatch = z.output<typeof Batch>

const BatchRow = z.object({
  batchRowNo: field.key(),
  issueBatchNo: field.key(),
  rowNo: field.int(),
  /** As it was typed: masked where it is a phone. */
  named: z.string(),
  customerNo: field.key().nullable(),
  couponNo: field.key().nullable(),
  failReason: field.dict(issueFails).nullable(),
})

const Code = z.object({
  promoCode: field.key(),
  couponTemplateNo: field.key(),
  couponName: field.text(),
  faceAmount: field.money(),
  promoState: field.dict(promoStates),
  codeUses: field.int(),
  maxUses: field.int(),
  startTime: field.time(),
  endTime: field.time(),
  makerName: field.text(),
  createdTime: field.time(),
  stoppedTime: field.time().nullable(),
  stoppedBy: field.user().nullable(),
  version: z.int(),
  blockedBy: blockedBy(),
})
export type PromoCode = z.output<typeof Code>

const Day = z.object({ date: field.date(), issued: field.int(), used: field.int() })

/** What an issue would come to. */
const Effect = z.object({
  found: field.int(),
  totalAmount: field.money(),
  budgetLeft: field.money(),
  /** Used so far of this kind of coupon. */
  spentAmount: field.money(),
  validityDays: field.int(),
  couponName: field.text(),
  faceAmount: field.money(),
  leftOut: z.array(z.object({ failReason: field.dict(issueFails), count: field.int() })),
})
export type IssueEffect = z.output<typeof Effect>

const customers = () =>
  field
    .longText(400_000)
    .refine(text => {
      const n = customersIn(text).length
      return n > 0 && n <= maxIssued
    }, 'validation.couponCustomers')
    .meta({ kind: 'longText', example: '256772345678' })

const promo = () =>
  z.string().trim().regex(promoFormat, 'validation.promoFormat').meta({ kind: 'key', example: 'PUNGUZA8' })
const template = () => field.option('COUPON_TEMPLATE')
const couponNos = { couponNos: z.array(field.key()).min(1).max(100) }

/** Coupons of customers, the kinds there are, and the ways in which they are given. */
export const coupon = noun('operation/coupon', {
  ...couponTemplates.calls,
  stat: read('/promocode/template/stat', {
    perm,
    input: { couponTemplateNo: field.key() },
    output: z.object({
      issued: field.int(),
      used: field.int(),
      expired: field.int(),
      cost: field.money(),
      byDay: z.array(Day),
    }),
  }),
  coupons: list('/promocode/coupon/page', {
    perm,
    row: Coupon,
    filters: {
      couponStatus: z.array(field.state(machine)).optional(),
      couponType: z.array(field.dict(couponTypes)).optional(),
      phone: field.phone().optional(),
      couponNo: field.key().optional(),
      boundOrderNo: field.key().optional(),
      sourceNo: field.key().optional(),
      couponTemplateNo: template().optional(),
      couponSource: z.array(field.dict(couponSources)).optional(),
      createdTime: field.dateRange().optional(),
    },
    sort: ['createdTime', 'expireTime', 'faceAmount'],
    defaultSort: '-createdTime',
    totals: ['faceAmount', 'takenOff'],
    exported: { as: 'coupons', perm: 'operation:coupon:export' },
  }),
  batches: list('/promocode/batch/page', {
    perm,
    row: Batch,
    filters: {
      issueBatchNo: field.key().optional(),
      couponTemplateNo: template().optional(),
      issueBatchStatus: z.array(field.state(couponIssueBatch)).optional(),
      createdTime: field.dateRange().optional(),
    },
    sort: ['createdTime', 'totalAmount', 'issueCount'],
    defaultSort: '-createdTime',
    exported: { as: 'couponBatches', perm: 'operation:coupon:export' },
  }),
  batchRows: list('/promocode/batch/rows/page', {
    perm,
    row: BatchRow,
    filters: {
      issueBatchNo: field.key().optional(),
      failReason: z.array(field.dict(issueFails)).optional(),
    },
    sort: ['rowNo'],
    defaultSort: 'rowNo',
    exported: { as: 'couponBatchRows', perm: 'operation:coupon:export' },
  }),
  codes: list('/promocode/code/page', {
    perm,
    row: Code,
    filters: {
      promoCode: field.key().optional(),
      couponTemplateNo: template().optional(),
      promoState: z.array(field.dict(promoStates)).optional(),
      createdTime: field.dateRange().optional(),
    },
    sort: ['createdTime', 'endTime', 'codeUses'],
    defaultSort: '-createdTime',
    exported: { as: 'promoCodes', perm: 'operation:coupon:export' },
  }),
  /** What an issue to these customers would come to, before anybody is asked. */
  effect: endpoint({
    method: 'POST',
    path: '/promocode/batch/effect',
    perm: 'operation:coupon:issue',
    input: z.strictObject({ couponTemplateNo: template(), customers: customers() }),
    output: Effect,
  }),
  /** Coupons for many customers at once; a second person agrees. */
  issue: command({
    path: '/promocode/batch/submit',
    perm: 'operation:coupon:issue',
    audit: 'couponBatch.submit',
    money: 'forgives',
    on: { machine: couponIssueBatch, event: 'batch.submit', key: 'couponTemplateNo' },
    input: z.strictObject({
      couponTemplateNo: template(),
      customers: customers(),
      startDate: field.date(),
      reason: field.longText(200),
    }),
    output: z.object({ issueBatchNo: field.key(), approvalNo: field.key() }),
  }),
  /** Codes that customers type for a coupon: each drawn by lot, or one for all. A second person agrees. */
  generate: command({
    path: '/promocode/code/generate',
    perm: 'operation:coupon:issue',
    audit: 'promoCode.generate',
    money: 'forgives',
    input: z
      .strictObject({
        couponTemplateNo: template(),
        codeCount: field.int().min(1, 'validation.wrongValue').max(maxIssued, 'validation.wrongValue'),
        commonCode: promo().optional(),
        maxUses: times(1_000_000),
        startTime: field.time(),
        endTime: field.time(),
        reason: field.longText(200),
      })
      .superRefine((values, context) => {
        if (Date.parse(values.endTime) <= Date.parse(values.startTime))
          context.addIssue({ code: 'custom', path: ['endTime'], message: 'validation.leaveOrder' })
      }),
    output: z.object({ approvalNo: field.key() }),
  }),
  stopCode: command({
    path: '/promocode/code/stop',
    perm: 'operation:coupon:save',
    audit: 'promoCode.stop',
    input: z.strictObject({ promoCode: field.key(), version: z.int() }),
    output: z.object({ version: z.int() }),
  }),
  /** Takes coupons back that nobody has used; each waits for a second person. */
  revoke: command({
    path: '/promocode/coupon/revoke',
    perm: 'operation:coupon:revoke',
    audit: 'coupon.revoke',
    money: 'forgives',
    on: { machine, event: 'coupon.revoke', key: 'couponNos' },
    input: z.strictObject({ ...couponNos, reason: field.longText(200) }),
    output: results,
  }),
})

/** What the app of a merchant asks for its customers; it signs. */
export const couponApp = noun('operation/coupon', {
  redeem: endpoint({
    method: 'POST',
    path: '/noAuth/coupon/redeem',
    auth: 'merchant',
    input: z.strictObject({
      customerNo: field.key(),
      promoCode: z.string().trim().min(1).max(40).meta({ kind: 'key' }),
    }),
    output: z.object({
      couponNo: field.key(),
      couponName: field.text(),
      faceAmount: field.money(),
      expireTime: field.time(),
    }),
  }),
})
