import { z } from 'zod'
import { extension } from '../../rules/machines/after-loan/extension.ts'
import { flow } from '../../rules/machines/after-loan/flow.ts'
import { overpayment } from '../../rules/machines/after-loan/overpayment.ts'
import { plan } from '../../rules/machines/after-loan/plan.ts'
import { repaymentRecord } from '../../rules/machines/after-loan/repayment-record.ts'
import { order } from '../../rules/machines/order/order.ts'
import { sentForApproval } from '../common/approval.ts'
import { command, done, endpoint, list, noun, read, results } from '../endpoint.ts'
import { field } from '../fields.ts'
import { loanKinds } from '../order/levels.ts'
import { channels } from './channel.ts'
import {
  amounts,
  BillOrderRow,
  BillRow,
  ExtensionRow,
  extensionOffer,
  FlowRow,
  flowSources,
  JournalRow,
  OpenFlow,
  OpenRecord,
  OrderRow,
  rollbackKinds,
} from './repayment-rows.ts'

const money = field.money
const page = 'repay:order:page'
const billPage = 'repay:bill:page'
/** Of the list by order and the list by instalment. */
const pages = [page, billPage]

/** What both lists are asked for of an order. */
const ofOrder = {
  orderNo: field.key(2000).optional(),
  thirdOrderNo: field.key(64).optional(),
  phone: field.phone().optional(),
  idNumber: field.idNumber().optional(),
  customerNo: field.key().optional(),
  merchantNo: z.array(field.merchant()).optional(),
  productNo: z.array(field.product()).optional(),
  loanKind: field.dict(loanKinds).optional(),
  overdue: field.flag().optional(),
  overdueDays: field.intRange().optional(),
  dueDate: field.dateRange().optional(),
  payoutTime: field.dateRange().optional(),
  settledTime: field.dateRange().optional(),
  hasOverflow: field.flag().optional(),
  hasFlow: field.flag().optional(),
}

const flowLine = z.strictObject({
  flowNo: field.key().optional(),
  paymentCode: field.key(),
  paymentChannel: field.dict(channels),
  serialNo: field.serial(),
  amount: money(),
  entryTime: field.time(),
  writeOffAmount: money(),
  isrecord: z.boolean().optional(),
  accountId: field.key().optional(),
})
const writeOff = {
  orderNo: field.key(),
  repayType: z.enum(['settle', 'partial', 'extension', 'overpayment']).meta({ kind: 'dict', dict: 'REPAY_TYPE' }),
  valueDate: field.date().optional(),
  /** The coupon that it is made with. */
  couponNo: field.key().optional(),
  flows: z.array(flowLine).max(20),
}

/** A coupon that a repayment of this kind can be made with. */
const UsableCoupon = z.object({
  couponNo: field.key(),
  couponName: field.text().nullable(),
  faceAmount: money(),
  expireTime: field.time(),
  /** The customer named it when they applied. */
  bound: z.boolean(),
})
export const Trial = z.object({
  trialKey: z.string(),
  valueDate: field.date(),
  due: amounts,
  settleAmount: money(),
  received: money(),
  applied: amounts,
  waived: amounts,
  overflow: money(),
  outstandingAfter: money(),
  orderStatusAfter: field.state(order),
  allocation: z.array(
    z.object({
      billNo: z.string(),
      installmentNo: z.int(),
      dueDate: field.date(),
      applied: amounts,
      waived: amounts,
      leftAfter: money(),
    }),
  ),
  /** What puts the oldest open bill off on the value date; null when it cannot be. */
  extension: extensionOffer.nullable(),
  /** What the coupon takes off; the rest of its worth is gone. */
  couponAmount: money(),
  coupons: z.array(UsableCoupon),
  flags: z.object({ confirmGreater: z.boolean(), confirmLess: z.boolean(), confirmNotExtension: z.boolean() }),
  refusal: z.string().nullable(),
  reversedPenalty: money(),
  /** Serial numbers of receipts that nothing proves yet: they count from today, and nothing is written off with them. */
  unproven: z.array(z.string()),
  /** The value date is yet to come: what would be owed on it, which cannot be posted. */
  projected: z.boolean(),
})
export type Trial = z.output<typeof Trial>

const settlePreview = z.object({
  orderNo: z.string(),
  trialKey: z.string(),
  outstanding: money(),
  waived: amounts,
  allowed: z.boolean(),
  reason: z.string().nullable(),
})

/** Calls of repayment: orders, trial, write-off, receipts, rollback, settling of small rests. */
export const repay = noun('after-loan/repayment', {
  page: list('/rePayManage/page', {
    perm: page,
    row: OrderRow,
    filters: {
      ...ofOrder,
      orderStatus: z.array(field.state(order)).optional(),
      extensionCount: field.intRange().optional(),
    },
    totals: [
      'loanAmount',
      'actualLoanAmount',
      'settleAmount',
      'outstandingPrincipal',
      'outstandingInterest',
      'outstandingFee',
      'outstandingPenalty',
      'paidAmount',
      'reductionAmount',
    ],
    sort: ['payoutTime', 'dueDate', 'overdueDays', 'loanAmount', 'settledTime'],
    defaultSort: '-payoutTime',
    exported: { as: 'repayments', perm: 'repay:flow:export' },
  }),
  bills: list('/rePayManage/bill/page', {
    perm: billPage,
    row: BillOrderRow,
    filters: {
      billNo: field.key(64).optional(),
      ...ofOrder,
      installmentNo: field.intRange().optional(),
      billStatus: z.array(field.state(plan)).optional(),
      extended: field.flag().optional(),
    },
    totals: [
      'billAmount',
      'principal',
      'interest',
      'serviceFee',
      'managementFee',
      'lateFee',
      'liquidatedDamages',
      'paidAmount',
      'reductionAmount',
      'left',
    ],
    sort: ['dueDate', 'overdueDays', 'billAmount', 'settledTime'],
    defaultSort: 'dueDate',
    exported: { as: 'repaymentBills', perm: 'repay:flow:export' },
  }),
  detail: read('/rePayManage/{orderNo}', {
    anyPerm: pages,
    input: { orderNo: field.key() },
    output: z.object({
      order: OrderRow,
      bills: z.array(BillRow),
      records: z.array(OpenRecord),
      extensions: z.array(ExtensionRow),
      flows: z.array(FlowRow),
      journals: z.array(JournalRow),
      balances: z.array(z.object({ accountCode: z.string(), balance: money(), bills: money().nullable() })),
    }),
  }),
  trial: endpoint({
    method: 'POST',
    path: '/rePayManage/trial',
    anyPerm: pages,
    input: z.strictObject(writeOff),
    output: Trial,
  }),
  commit: command({
    path: '/rePayManage/commit',
    perm: 'postloan:repay:commit',
    audit: 'repay.commit',
    money: 'moves',
    on: { machine: order, event: 'settle', key: 'orderNo' },
    input: z.strictObject({
      ...writeOff,
      version: z.int(),
      trialKey: z.string().max(64),
      confirmGreater: z.boolean().optional(),
      confirmLess: z.boolean().optional(),
      confirmNotExtension: z.boolean().optional(),
      remark: field.remark().optional(),
    }),
    output: z.object({
      repaymentNo: z.string(),
      amount: money(),
      outstanding: money(),
      orderStatus: field.state(order),
    }),
  }),
  /** Writes down what puts the oldest open bill off, good until the end of the day. */
  extensionQuote: command({
    path: '/rePayManage/extension/quote',
    perm: 'postloan:repay:commit',
    audit: 'extension.quote',
    on: { machine: extension, event: 'extension.apply', key: 'orderNo' },
    input: z.strictObject({ orderNo: field.key(), version: z.int() }),
    output: z.object({ billExtensionNo: field.key(), amount: money(), newDueDate: field.date() }),
  }),
  extensionCancel: command({
    path: '/rePayManage/extension/cancel',
    perm: 'postloan:repay:commit',
    audit: 'extension.cancel',
    on: { machine: extension, event: 'extension.cancel', key: 'billExtensionNo' },
    input: z.strictObject({ billExtensionNo: field.key(), version: z.int() }),
    output: done,
  }),
  zeroPreview: endpoint({
    method: 'POST',
    path: '/rePayManage/settle/zero/preview',
    perm: 'repay:settle:small',
    /** Without orders it finds those that may be settled. */
    input: z.strictObject({ orderNos: z.array(field.key()).min(1).max(500).optional() }),
    output: z.object({
      list: z.array(settlePreview),
      penaltyAndFee: money(),
      interest: money(),
      principal: money(),
      allowed: z.int(),
      refused: z.int(),
    }),
  }),
  zeroSettle: command({
    path: '/rePayManage/settle/zero',
    perm: 'repay:settle:small',
    audit: 'repay.zeroSettle',
    money: 'forgives',
    on: { machine: order, event: 'settle', key: 'orderNos' },
    input: z.strictObject({
      orderNos: z.array(field.key()).min(1).max(500),
      trialKeys: z.array(z.string().max(64)).max(500),
    }),
    output: results,
  }),
  reuseOverflow: command({
    path: '/rePayManage/overflow/reuse',
    perm: 'postloan:repay:commit',
    audit: 'overflow.reuse',
    money: 'moves',
    on: { machine: overpayment, event: 'overflow.reapply', key: 'orderNo' },
    input: z.strictObject({ orderNo: field.key(), version: z.int(), amount: money() }),
    output: z.object({ repaymentNo: z.string(), outstanding: money() }),
  }),
  rollback: command({
    path: '/rePayManage/record/rollback',
    perm: 'postloan:rollback:full',
    audit: 'repay.rollback',
    money: 'moves',
    on: { machine: repaymentRecord, event: 'rollback.full', key: 'repaymentNo' },
    input: z.strictObject({
      repaymentNo: field.key(),
      version: z.int(),
      /** What becomes of its receipts: nothing for the moment, or another kind of repayment as of the same value date. */
      rollbackAs: field.dict(rollbackKinds).default('plain'),
      reason: field.text(30),
    }),
    output: sentForApproval,
  }),

  flows: list('/rePayManage/flow/page', {
    perm: 'repay:flow:list',
    row: OpenFlow,
    filters: {
      flowNo: field.key().optional(),
      serialNo: field.key().optional(),
      paymentCode: field.key().optional(),
      payerAccount: field.phone().optional(),
      paymentChannel: field.dict(channels).optional(),
      flowStatus: z.array(field.state(flow)).optional(),
      amount: field.moneyRange().optional(),
      entryTime: field.dateRange().optional(),
      isrecord: field.flag().optional(),
      source: z.array(field.dict(flowSources)).optional(),
    },
    sort: ['entryTime', 'amount'],
    defaultSort: '-entryTime',
    exported: { as: 'flows', perm: 'repay:flow:export' },
  }),
  flowSave: command({
    path: '/rePayManage/flow/save',
    perm: 'repay:flow:save',
    audit: 'flow.save',
    money: 'moves',
    on: { machine: flow, event: 'flow.save', key: 'flowNo' },
    input: z.strictObject({
      paymentCode: field.key().optional(),
      paymentChannel: field.dict(channels),
      serialNo: field.serial(),
      amount: money(),
      entryTime: field.time(),
      /** The account that received it; without it, the one by which the merchant of the pay code is paid over this channel. */
      fundAccountNo: field.fundAccount().optional(),
      payerName: field.text().optional(),
      /** Commits it at once: it is complete and waits for proof. */
      commit: z.boolean().optional(),
    }),
    output: z.object({ flowNo: z.string(), flowStatus: field.state(flow) }),
  }),
  flowCommit: command({
    path: '/rePayManage/flow/commit',
    perm: 'repay:flow:commit',
    audit: 'flow.commit',
    money: 'moves',
    on: { machine: flow, event: 'flow.commit', key: 'flowNo' },
    input: z.strictObject({ flowNo: field.key(), version: z.int() }),
    output: z.object({ flowNo: z.string(), flowStatus: field.state(flow) }),
  }),
  /** Asks a second person to confirm a typed receipt by evidence. */
  flowConfirm: command({
    path: '/rePayManage/flow/confirm',
    perm: 'repay:flow:commit',
    audit: 'flow.confirm',
    money: 'moves',
    on: { machine: flow, event: 'flow.confirm', key: 'flowNo' },
    input: z.strictObject({ flowNo: field.key(), version: z.int(), evidence: field.file('attachment') }),
    output: sentForApproval,
  }),
  flowDelete: command({
    path: '/rePayManage/flow/delete',
    perm: 'repay:flow:save',
    audit: 'flow.delete',
    on: { machine: flow, event: 'flow.delete', key: 'flowNo' },
    input: z.strictObject({ flowNo: field.key(), version: z.int() }),
    output: z.object({ flowNo: z.string(), flowStatus: field.state(flow) }),
  }),
  flowVoid: command({
    path: '/rePayManage/flow/void',
    perm: 'repay:flow:void',
    audit: 'flow.void',
    money: 'moves',
    on: { machine: flow, event: 'flow.void', key: 'flowNo' },
    input: z.strictObject({ flowNo: field.key(), version: z.int(), reason: field.text(30) }),
    output: sentForApproval,
  }),
  payCode: read('/rePayManage/virtualCard/{orderNo}', {
    anyPerm: pages,
    input: { orderNo: field.key() },
    output: z.object({
      payCode: z.string().nullable(),
      channel: field.dict(channels).nullable(),
      amount: money(),
      dueDate: field.date().nullable(),
    }),
  }),
})
