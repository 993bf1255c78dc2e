import { z } from 'zod'
import { coupon } from '../../rules/machines/operation/coupon.ts'
import { couponApplication } from '../../rules/machines/service/coupon-application.ts'
import { blockedBy } from '../blocked.ts'
import { config } from '../config.ts'
import type { Flaw } from '../config-versions.ts'
import { command, endpoint, list, noun, read, results } from '../endpoint.ts'
import { dictionary, field } from '../fields.ts'
import { couponRepayTypes } from '../operation/coupon.ts'
import { couponTypes } from '../order/order.ts'

const base = '/customerServiceCoupon'
const auditPerm = 'cs:coupon:audit'
const myPerm = 'cs:coupon:myApply'
const applyPerm = 'cs:coupon:apply'
const count = (min: number, max: number) =>
  field.int().min(min, 'validation.wrongValue').max(max, 'validation.wrongValue')
const template = () => field.option('COUPON_TEMPLATE')
const isWhole = (value: unknown) => typeof value !== 'string' || /^\d+(\.0+)?$/.test(value)

/** Amounts that agents may choose are whole shillings, above nothing, and in order. */
const amountFlaw = (values: Readonly<Record<string, unknown>>): Flaw | null => {
  const { amountFree, amountMin, amountMax, monthlyBudget } = values
  if (!isWhole(monthlyBudget)) return { path: 'monthlyBudget', message: 'validation.wholeShillings' }
  if (amountFree !== true) return null
  for (const [path, value] of [
    ['amountMin', amountMin],
    ['amountMax', amountMax],
  ] as const) {
    if (value === undefined || value === null) return { path, message: 'validation.infoComplete' }
    if (!isWhole(value) || Number(value) <= 0) return { path, message: 'validation.wholeShillings' }
  }
  return Number(amountMin) <= Number(amountMax) ? null : { path: 'amountMax', message: 'validation.rangeOrder' }
}

const form = {
  configName: field.text(30),
  couponTemplateNo: template(),
  merchantNos: z.array(field.merchant()).min(1, 'validation.infoComplete').max(200),
  amountFree: field.flag(),
  amountMin: field.money().optional(),
  amountMax: field.money().optional(),
  countMax: count(1, 10),
  perAgentDaily: count(0, 100),
  perCustomer30Days: count(1, 10),
  monthlyBudget: field.money(),
  minReasonLength: count(0, 200),
}
const one = 'cs:coupon:config'

/** Which coupons agents of customer service may ask for: how much, how many, within which budget of a month. */
export const serviceCouponConfigs = config({
  name: 'serviceCoupon',
  path: `${base}/config`,
  area: 'cs:coupon',
  codes: { page: one, save: one, enable: one, delete: one },
  table: 'cs_coupon_config',
  key: 'serviceConfigNo',
  row: {
    ...form,
    amountMin: field.money().nullable(),
    amountMax: field.money().nullable(),
    couponName: field.text(30),
    couponType: field.dict(couponTypes),
    couponRepayType: field.dict(couponRepayTypes).nullable(),
    faceAmount: field.money(),
    validityDays: field.int(),
    merchantNames: field.text(2_000),
    /** Approved this month, and asked for and not decided. */
    usedBudget: field.money(),
    pendingBudget: field.money(),
    pendingCount: field.int(),
  },
  form,
  applies: { amountMin: ({ amountFree }) => amountFree === true, amountMax: ({ amountFree }) => amountFree === true },
  flaw: amountFlaw,
  filters: {
    configName: field.text(30).optional(),
    couponType: z.array(field.dict(couponTypes)).optional(),
    couponRepayType: z.array(field.dict(couponRepayTypes)).optional(),
    merchantNo: field.merchant().optional(),
  },
  sort: ['configName', 'monthlyBudget'],
  used: true,
  money: 'forgives',
})

const ApplyRow = z.object({
  applyNo: field.key(),
  couponApplyStatus: field.state(couponApplication),
  serviceConfigNo: field.key(),
  configName: field.text(30),
  couponType: field.dict(couponTypes),
  couponRepayType: field.dict(couponRepayTypes).nullable(),
  customerNo: field.key(),
  customerName: field.customerName(),
  phone: field.masked('phone', 'customer'),
  merchantName: field.text(),
  orderNo: field.key().nullable(),
  faceAmount: field.money(),
  couponCount: field.int(),
  totalAmount: field.money(),
  reason: field.text(200),
  applicantName: field.user(),
  applyTime: field.time(),
  /** Coupons that customer service gave this customer in 30 days. */
  given30Days: field.int(),
  /** What is left of the month's budget of its settings. */
  budgetLeft: field.money(),
  /** What the customer owes now. */
  amountDue: field.money(),
  auditorName: field.user().nullable(),
  auditTime: field.time().nullable(),
  auditRemark: field.text(200).nullable(),
  couponNos: z.array(z.string()),
  blockedBy: blockedBy(),
  version: z.int(),
})
export type ApplyRow = z.output<typeof ApplyRow>

const IssuedRow = z.object({
  couponNo: field.key(),
  applyNo: field.key().nullable(),
  couponType: field.dict(couponTypes),
  couponStatus: field.state(coupon),
  faceAmount: field.money(),
  customerName: field.customerName(),
  phone: field.masked('phone', 'customer'),
  customerNo: field.key(),
  merchantName: field.text().nullable(),
  startTime: field.time(),
  expireTime: field.time(),
  boundOrderNo: field.key().nullable(),
  usedTime: field.time().nullable(),
  pendingApproval: field.user().nullable(),
  version: z.int(),
})
export type IssuedRow = z.output<typeof IssuedRow>

/** Why a coupon cannot be asked for now. */
export const applyRefusals = dictionary('COUPON_REFUSAL', [
  'template_off',
  'used_up',
  'customer_cap',
  'budget',
  'barred',
  'overdue',
])

const Choice = z.object({
  serviceConfigNo: field.key(),
  configName: field.text(30),
  couponType: field.dict(couponTypes),
  amountFree: field.flag(),
  amountMin: field.money(),
  amountMax: field.money(),
  countMax: field.int(),
  validityDays: field.int(),
  minReasonLength: field.int(),
  applicationsLeft: field.int(),
  refusal: field.dict(applyRefusals).nullable(),
})
export type CouponChoice = z.output<typeof Choice>

const Customer = z.object({
  customerNo: field.key(),
  customerName: field.customerName(),
  phone: field.masked('phone', 'customer'),
  merchantName: field.text(),
  openOrderNo: field.key().nullable(),
  amountDue: field.money(),
  given30Days: field.int(),
  configs: z.array(Choice),
})
export type CouponCustomer = z.output<typeof Customer>

const filters = {
  applyNo: field.key().optional(),
  couponType: z.array(field.dict(couponTypes)).optional(),
  couponApplyStatus: z.array(field.state(couponApplication)).optional(),
  phone: field.phone().optional(),
  applyTime: field.dateRange().optional(),
}
const decided = { applyNo: field.key(), version: z.int() }

/** Calls of the coupons that customer service gives: the settings, what agents ask for, and what others decide. */
export const serviceCoupon = noun('service/service-coupon', {
  ...serviceCouponConfigs.calls,
  audit: list(`${base}/audit/page`, {
    perm: auditPerm,
    row: ApplyRow,
    filters: {
      ...filters,
      couponRepayType: z.array(field.dict(couponRepayTypes)).optional(),
      merchantNo: z.array(field.merchant()).optional(),
      applicantName: field.text().optional(),
      customerNo: field.key().optional(),
      totalAmount: field.moneyRange().optional(),
      auditTime: field.dateRange().optional(),
    },
    sort: ['applyTime', 'totalAmount'],
    defaultSort: 'applyTime',
    totals: ['totalAmount'],
    exported: { as: 'couponApplications', perm: 'cs:coupon:export' },
  }),
  issued: list(`${base}/issued/page`, {
    perm: auditPerm,
    row: IssuedRow,
    filters: {
      couponNo: field.key().optional(),
      couponStatus: z.array(field.state(coupon)).optional(),
      boundOrderNo: field.key().optional(),
      applyNo: field.key().optional(),
      expireTime: field.dateRange().optional(),
    },
    sort: ['startTime', 'expireTime'],
    defaultSort: '-startTime',
  }),
  auditDetail: read(`${base}/audit/{applyNo}`, {
    perm: auditPerm,
    input: { applyNo: field.key() },
    output: z.object({
      application: ApplyRow,
      coupons: z.array(IssuedRow),
      /** Coupons of the last year, by what became of them. */
      lastYear: z.object({ given: field.int(), used: field.int(), expired: field.int() }),
      /** Of the applicant in 30 days. */
      applicant: z.object({ asked: field.int(), approved: field.int() }),
    }),
  }),
  decide: command({
    path: `${base}/audit/decide`,
    perm: auditPerm,
    audit: 'serviceCoupon.decide',
    money: 'forgives',
    on: { machine: couponApplication, event: 'coupon.audit', key: 'applyNos' },
    input: z
      .strictObject({
        applyNos: z.array(field.key()).min(1).max(50),
        decision: z.enum(['approve', 'reject']).meta({ kind: 'dict', dict: 'COUPON_DECISION' }),
        auditRemark: field.longText(200).optional(),
      })
      .refine(({ decision, auditRemark }) => decision === 'approve' || Boolean(auditRemark), {
        path: ['auditRemark'],
        message: 'validation.infoComplete',
      }),
    output: results,
  }),
  revoke: command({
    path: `${base}/issued/revoke`,
    perm: auditPerm,
    audit: 'serviceCoupon.revoke',
    money: 'forgives',
    on: { machine: coupon, event: 'coupon.revoke', key: 'couponNos' },
    input: z.strictObject({ couponNos: z.array(field.key()).min(1).max(100), reason: field.longText(200) }),
    output: results,
  }),
  my: list(`${base}/my/page`, {
    perm: myPerm,
    row: ApplyRow,
    filters,
    sort: ['applyTime', 'totalAmount'],
    defaultSort: '-applyTime',
  }),
  quota: read(`${base}/my/quota`, {
    perm: myPerm,
    input: {},
    output: z.object({
      list: z.array(
        z.object({
          serviceConfigNo: field.key(),
          configName: field.text(30),
          submitted: field.int(),
          applicationsLeft: field.int(),
        }),
      ),
    }),
  }),
  /** A customer by number or phone, and what may be asked for them. */
  check: endpoint({
    method: 'POST',
    path: `${base}/my/check`,
    perm: myPerm,
    input: z
      .strictObject({ customerNo: field.key().optional(), phone: field.phone().optional() })
      .refine(({ customerNo, phone }) => Boolean(customerNo ?? phone), {
        path: ['phone'],
        message: 'validation.searchFirst',
      }),
    output: Customer,
  }),
  apply: command({
    path: `${base}/apply`,
    perm: applyPerm,
    audit: 'serviceCoupon.apply',
    money: 'forgives',
    on: { machine: couponApplication, event: 'coupon.apply', key: 'applyNo' },
    input: z.strictObject({
      customerNo: field.key(),
      serviceConfigNo: field.key(),
      faceAmount: field.money().optional(),
      couponCount: count(1, 10),
      orderNo: field.key().optional(),
      reason: field.longText(200),
    }),
    output: z.object({ applyNo: field.key(), applicationsLeft: field.int() }),
  }),
  withdraw: command({
    path: `${base}/my/withdraw`,
    perm: applyPerm,
    audit: 'serviceCoupon.withdraw',
    on: { machine: couponApplication, event: 'coupon.withdraw', key: 'applyNo' },
    input: z.strictObject(decided),
    output: z.object({ couponApplyStatus: field.state(couponApplication) }),
  }),
})
