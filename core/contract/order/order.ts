import { z } from 'zod'
import { coupon } from '../../rules/machines/operation/coupon.ts'
import { credit } from '../../rules/machines/operation/credit.ts'
import { order as orderMachine } from '../../rules/machines/order/order.ts'
import { Attempt, LoanCodeRow } from '../after-loan/loan.ts'
import { BillRow, JournalRow, RecordRow } from '../after-loan/repayment-rows.ts'
import { auditResults, faceConsistencies, followResults, sendBackReasons } from '../audit/decisions.ts'
import { endpoint, list, noun, read } from '../endpoint.ts'
import { dictionary, field } from '../fields.ts'
import { payeeResults, payoutSubtypes, payoutTypes } from '../payee.ts'
import { modelLevels } from './levels.ts'
import { orderBrief } from './order-brief.ts'
import {
  customerStatuses,
  educationTypes,
  genders,
  loanPurposes,
  maritalStatuses,
  occupations,
  relationTypes,
  residenceTypes,
} from './person.ts'

/** What a coupon does: raises the limit, takes an amount off, or lowers interest. */
export const couponTypes = dictionary('COUPON_TYPE', [
  'increase_loan_limit_coupon',
  'discount_coupon',
  'interest_discount_coupon',
])
/** Facts of an application that are compared with an outside source. */
export const checkKeys = dictionary('CHECK_KEY', [
  'wallet_name',
  'registry_name',
  'birth_date',
  'gender',
  'phone_owner',
  'bvn_name',
  'face',
  'location',
])
/** The result of such a comparison; `unknown` where the source gave no answer. */
export const checkResults = dictionary('CHECK_RESULT', ['match', 'mismatch', 'unknown'])
/** How a limit is granted: approved before the application, or as a line that may be drawn again once repaid. */
export const creditTypes = dictionary('CREDIT_TYPE', ['pre_approval', 'revolving'])

const perm = 'order:detail:view'
const input = { orderNo: field.key() }
const money = field.money

const check = z.object({
  checkKey: field.dict(checkKeys),
  left: z.string().nullable(),
  right: z.string().nullable(),
  checkResult: field.dict(checkResults),
})

const Basic = z.object({
  checks: z.array(check),
  customer: z.object({
    customerNo: field.key(),
    customerName: field.customerName(),
    idNumber: field.masked('idNumber', 'customer'),
    phone: field.masked('phone', 'customer'),
    gender: field.dict(genders).nullable(),
    birthDate: field.date().nullable(),
    age: field.int().nullable(),
    maritalStatus: field.dict(maritalStatuses).nullable(),
    education: field.dict(educationTypes).nullable(),
    childrenCount: field.int().nullable(),
    email: field.email().nullable(),
    addressText: z.string().nullable(),
    district: z.string().nullable(),
    residenceType: field.dict(residenceTypes).nullable(),
    occupation: field.dict(occupations).nullable(),
    employerName: z.string().nullable(),
    monthlyIncome: money().nullable(),
    payday: field.int().nullable(),
    registerTime: field.time(),
    customerStatus: field.dict(customerStatuses),
    creditType: field.dict(creditTypes),
    creditLimit: money(),
    remainingLimit: money(),
    creditStatus: field.state(credit),
    creditExpiry: field.date().nullable(),
    creditAdjustable: field.flag(),
  }),
  coupon: z
    .object({
      couponNo: field.key(),
      couponType: field.dict(couponTypes),
      faceAmount: money(),
      couponStatus: field.state(coupon),
      expireTime: field.time(),
    })
    .nullable(),
  loan: z.object({
    loanPurpose: field.dict(loanPurposes).nullable(),
    requestedAmount: money(),
    suggestedAmount: money().nullable(),
    approvalAmount: money().nullable(),
    loanAmount: money(),
    actualLoanAmount: money(),
    incomingChannel: field.openDict('INCOMING_CHANNEL').nullable(),
    promotionChannel: field.openDict('PROMOTION_CHANNEL').nullable(),
    lendingChannel: field.openDict('CHANNEL').nullable(),
    dataSource: field.openDict('DATA_SOURCE'),
    applyTime: field.time(),
    auditTime: field.time().nullable(),
    payoutTime: field.time().nullable(),
    modelLevel: field.dict(modelLevels).nullable(),
    modelScore: field.int().nullable(),
    refuseCode: z.string().nullable(),
    refuseReason: z.string().nullable(),
  }),
  payout: z.object({
    payoutType: field.dict(payoutTypes),
    payoutSubtype: field.dict(payoutSubtypes),
    walletAccount: field.masked('walletAccount', 'order').nullable(),
    bankName: z.string().nullable(),
    bankCardNo: field.masked('bankCardNo', 'order').nullable(),
    cardholderName: z.string(),
    verifyResult: field.dict(payeeResults),
    holderName: z.string().nullable(),
  }),
  /** Null for readers without `pii:reveal:contacts`. */
  contacts: z
    .array(
      z.object({
        contactNo: field.key(),
        relation: field.dict(relationTypes),
        contactName: z.string(),
        contactPhone: field.masked('phone', 'contact'),
        lastFollowResult: field.dict(followResults).nullable(),
      }),
    )
    .nullable(),
})

const History = z.object({
  orderNo: field.key(),
  merchantName: field.text(),
  orderStatus: field.state(orderMachine),
  loanAmount: money(),
  actualLoanAmount: money(),
  applyTime: field.time(),
  payoutTime: field.time().nullable(),
  settledTime: field.time().nullable(),
  overdueDays: field.int(),
  auditorName: field.user().nullable(),
  outstanding: money(),
})

const Follow = z.object({
  followNo: field.key(),
  contactNo: z.string().nullable(),
  contactName: z.string().nullable(),
  relation: field.dict(relationTypes).nullable(),
  followResult: field.dict(followResults),
  followRemark: z.string().nullable(),
  createdByName: field.user(),
  createdTime: field.time(),
})

const Record = z.object({
  auditRecordNo: field.key(),
  auditStep: field.int(),
  auditorName: field.user(),
  auditResult: field.dict(auditResults),
  approvalAmount: money().nullable(),
  refuseCode: z.string().nullable(),
  refuseReason: z.string().nullable(),
  sendBackReason: field.dict(sendBackReasons).nullable(),
  faceConsistency: field.dict(faceConsistencies).nullable(),
  remark: z.string().nullable(),
  seconds: field.seconds(),
  submitTime: field.time(),
  answers: z.array(
    z.object({ questionZh: z.string(), questionLocal: z.string(), answer: z.string(), answerZh: z.string() }),
  ),
})

/** Everything known about one order, read-only; each tab is its own call. */
export const order = noun('order/order', {
  ...orderBrief,
  basic: read('/loans/audit/detail/basic', { perm, input, output: Basic }),
  payout: read('/loans/audit/detail/payout', {
    perm,
    input,
    output: z.object({ codes: z.array(LoanCodeRow), attempts: z.array(Attempt) }),
  }),
  repayment: read('/loans/audit/detail/repayment', {
    perm,
    input,
    output: z.object({
      bills: z.array(BillRow),
      records: z.array(RecordRow),
      journals: z.array(JournalRow),
      overflowAmount: money(),
    }),
  }),
  records: endpoint({
    method: 'POST',
    path: '/loans/audit/record/list',
    perm,
    input: z.strictObject(input),
    output: z.object({ list: z.array(Record) }),
  }),
  follows: list('/loans/audit/follow/page', {
    perm,
    row: Follow,
    filters: input,
    sort: ['createdTime'],
    defaultSort: '-createdTime',
  }),
  history: list('/loans/audit/history/page', {
    perm,
    row: History,
    filters: { orderNo: field.key(), orderStatus: z.array(field.state(orderMachine)).optional() },
    sort: ['applyTime'],
    defaultSort: '-applyTime',
  }),
})
export type OrderBasic = z.output<typeof Basic>
