import { z } from 'zod'
import { sentForApproval } from './common.ts'
import { command, endpoint, list, read, results } from './endpoint.ts'
import { field } from './fields.ts'
import { Journal } from './loan.ts'

const money = field.money
const page = 'repay:order:page'
export const JournalRow = Journal

/** The six components of a bill, in the names that postings, plans and trials share. */
const amounts = z.object({
  principal: money(),
  interest: money(),
  serviceFee: money(),
  managementFee: money(),
  lateFee: money(),
  liquidatedDamages: money(),
})

export const BillRow = z.object({
  billNo: field.key(),
  installmentNo: field.int(),
  dueDate: field.date(),
  billStatus: field.dict('BILL_STATUS'),
  due: amounts,
  paid: amounts,
  waived: amounts,
  billAmount: money(),
  left: money(),
  overdueDays: field.int(),
  settledTime: field.time().nullable(),
  extended: field.flag(),
  extensionCount: field.int(),
})
export type BillRow = z.output<typeof BillRow>

export const RecordRow = z.object({
  repaymentNo: field.key(),
  repayType: field.dict('REPAY_TYPE'),
  recordStatus: field.dict('REPAY_RECORD_STATUS'),
  amount: money(),
  overflowAmount: money(),
  reductionAmount: money(),
  couponAmount: money(),
  applied: amounts,
  waived: amounts,
  valueDate: field.date(),
  repaymentTime: field.time(),
  postedName: field.user(),
  flows: z.array(
    z.object({ flowNo: z.string(), serialNo: z.string(), channel: field.dict('CHANNEL'), writeOffAmount: money() }),
  ),
  remark: z.string().nullable(),
  newest: z.boolean(),
  pendingApproval: z.string().nullable(),
  version: z.int(),
})
export type RecordRow = z.output<typeof RecordRow>

const OrderRow = z.object({
  orderNo: field.key(),
  thirdOrderNo: field.key(64),
  customerName: field.customerName(),
  phone: field.masked('phone', 'order'),
  merchantName: field.text(),
  productName: field.text(),
  loanKind: field.dict('LOAN_KIND'),
  loanAmount: money(),
  actualLoanAmount: money(),
  payoutTime: field.time(),
  dueDate: field.date().nullable(),
  installmentsPaid: field.int(),
  installmentCount: field.int(),
  overdueDays: field.int(),
  settleAmount: money(),
  outstandingPrincipal: money(),
  outstandingInterest: money(),
  outstandingFee: money(),
  outstandingPenalty: money(),
  paidAmount: money(),
  reductionAmount: money(),
  overflowAmount: money(),
  extensionCount: field.int(),
  orderStatus: field.dict('ORDER_STATUS'),
  repaymentTime: field.time().nullable(),
  settledTime: field.time().nullable(),
  loanCodeStatus: field.dict('LOAN_CODE_STATUS').nullable(),
  version: z.int(),
})
export type RepayOrderRow = z.output<typeof OrderRow>

const FlowRow = z.object({
  flowNo: field.key(),
  serialNo: field.key(),
  paymentChannel: field.dict('CHANNEL'),
  paymentCode: field.key().nullable(),
  accountName: field.text().nullable(),
  amount: money(),
  remaining: money(),
  payerName: field.text().nullable(),
  payerAccount: field.masked('walletAccount', 'flow').nullable(),
  entryTime: field.time(),
  isrecord: field.flag(),
  flowStatus: field.dict('FLOW_STATUS'),
  source: field.dict('FLOW_SOURCE'),
  orderNos: z.array(z.string()),
  ageDays: field.int(),
  waitReason: field.dict('FLOW_WAIT').nullable(),
  version: z.int(),
})
export type FlowRow = z.output<typeof FlowRow>

const flowLine = z.strictObject({
  flowNo: field.key().optional(),
  paymentCode: field.key(),
  paymentChannel: field.dict('CHANNEL'),
  serialNo: z.string().trim().min(1, 'validation.serialEmpty').max(40),
  amount: money(),
  entryTime: field.time(),
  writeOffAmount: money(),
  isrecord: z.boolean().optional(),
  accountId: field.key().optional(),
})
const writeOff = {
  orderNo: field.key(),
  repayType: z.enum(['settle', 'partial', 'overpayment']).meta({ kind: 'dict', dict: 'REPAY_TYPE' }),
  valueDate: field.date().optional(),
  flows: z.array(flowLine).max(20),
}
const Trial = z.object({
  trialKey: z.string(),
  valueDate: field.date(),
  due: amounts,
  settleAmount: money(),
  received: money(),
  applied: amounts,
  waived: amounts,
  overflow: money(),
  outstandingAfter: money(),
  orderStatusAfter: field.dict('ORDER_STATUS'),
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
  flags: z.object({ confirmGreater: z.boolean(), confirmLess: z.boolean() }),
  refusal: z.string().nullable(),
  reversedPenalty: money(),
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

export const repay = {
  page: list('/rePayManage/page', {
    perm: page,
    row: OrderRow,
    filters: {
      orderNo: field.key(2000).optional(),
      thirdOrderNo: field.key(64).optional(),
      phone: field.phone().optional(),
      idNumber: field.idNumber().optional(),
      customerNo: field.key().optional(),
      merchantNo: z.array(field.merchant()).optional(),
      productNo: z.array(field.product()).optional(),
      loanKind: field.dict('LOAN_KIND').optional(),
      orderStatus: z.array(field.dict('ORDER_STATUS')).optional(),
      overdue: field.flag().optional(),
      overdueDays: field.intRange().optional(),
      dueDate: field.dateRange().optional(),
      payoutTime: field.dateRange().optional(),
      settledTime: field.dateRange().optional(),
      hasOverflow: field.flag().optional(),
      hasFlow: field.flag().optional(),
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
  detail: read('/rePayManage/{orderNo}', {
    perm: page,
    input: { orderNo: field.key() },
    output: z.object({
      order: OrderRow,
      bills: z.array(BillRow),
      records: z.array(RecordRow),
      flows: z.array(FlowRow),
      journals: z.array(JournalRow),
      balances: z.array(z.object({ accountCode: z.string(), balance: money(), bills: money().nullable() })),
    }),
  }),
  trial: endpoint({
    method: 'POST',
    path: '/rePayManage/trial',
    perm: page,
    input: z.strictObject(writeOff),
    output: Trial,
  }),
  commit: command({
    path: '/rePayManage/commit',
    perm: 'postloan:repay:commit',
    audit: 'repay.commit',
    on: { machine: 'order', event: 'settle', key: 'orderNo' },
    input: z.strictObject({
      ...writeOff,
      version: z.int(),
      trialKey: z.string().max(64),
      confirmGreater: z.boolean().optional(),
      confirmLess: z.boolean().optional(),
      remark: field.remark().optional(),
    }),
    output: z.object({
      repaymentNo: z.string(),
      amount: money(),
      outstanding: money(),
      orderStatus: field.dict('ORDER_STATUS'),
    }),
  }),
  zeroPreview: endpoint({
    method: 'POST',
    path: '/rePayManage/settle/zero/preview',
    perm: 'repay:settle:small',
    input: z.strictObject({ orderNos: z.array(field.key()).min(1).max(500) }),
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
    on: { machine: 'order', event: 'settle', key: 'orderNos' },
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
    on: { machine: 'overpayment', event: 'overflow.reapply', key: 'orderNo' },
    input: z.strictObject({ orderNo: field.key(), version: z.int(), amount: money() }),
    output: z.object({ repaymentNo: z.string(), outstanding: money() }),
  }),
  rollback: command({
    path: '/rePayManage/record/rollback',
    perm: 'postloan:rollback:full',
    audit: 'repay.rollback',
    on: { machine: 'repaymentRecord', event: 'rollback.full', key: 'repaymentNo' },
    input: z.strictObject({ repaymentNo: field.key(), version: z.int(), reason: field.text(30) }),
    output: sentForApproval,
  }),

  flows: list('/rePayManage/flow/page', {
    perm: 'repay:flow:list',
    row: FlowRow,
    filters: {
      serialNo: field.key().optional(),
      paymentCode: field.key().optional(),
      payerAccount: field.phone().optional(),
      paymentChannel: field.dict('CHANNEL').optional(),
      flowStatus: z.array(field.dict('FLOW_STATUS')).optional(),
      amount: field.moneyRange().optional(),
      entryTime: field.dateRange().optional(),
      isrecord: field.flag().optional(),
      source: z.array(field.dict('FLOW_SOURCE')).optional(),
    },
    sort: ['entryTime', 'amount'],
    defaultSort: '-entryTime',
    exported: { as: 'flows', perm: 'repay:flow:export' },
  }),
  flowSave: command({
    path: '/rePayManage/flow/save',
    perm: 'repay:flow:save',
    audit: 'flow.save',
    on: { machine: 'flow', event: 'flow.save', key: 'flowNo' },
    input: z.strictObject({
      paymentCode: field.key().optional(),
      paymentChannel: field.dict('CHANNEL'),
      serialNo: z.string().trim().min(1, 'validation.serialEmpty').max(40),
      amount: money(),
      entryTime: field.time(),
      fundAccountNo: field.fundAccount(),
      payerName: field.text().optional(),
    }),
    output: z.object({ flowNo: z.string() }),
  }),
  flowCommit: command({
    path: '/rePayManage/flow/commit',
    perm: 'repay:flow:commit',
    audit: 'flow.commit',
    on: { machine: 'flow', event: 'flow.commit', key: 'flowNo' },
    input: z.strictObject({ flowNo: field.key(), version: z.int() }),
    output: z.object({ flowNo: z.string(), flowStatus: field.dict('FLOW_STATUS') }),
  }),
  flowDelete: command({
    path: '/rePayManage/flow/delete',
    perm: 'repay:flow:save',
    audit: 'flow.delete',
    on: { machine: 'flow', event: 'flow.delete', key: 'flowNo' },
    input: z.strictObject({ flowNo: field.key(), version: z.int() }),
    output: z.object({ flowNo: z.string(), flowStatus: field.dict('FLOW_STATUS') }),
  }),
  flowVoid: command({
    path: '/rePayManage/flow/void',
    perm: 'repay:flow:void',
    audit: 'flow.void',
    on: { machine: 'flow', event: 'flow.void', key: 'flowNo' },
    input: z.strictObject({ flowNo: field.key(), version: z.int(), reason: field.text(30) }),
    output: sentForApproval,
  }),
  payCode: read('/rePayManage/virtualCard/{orderNo}', {
    perm: page,
    input: { orderNo: field.key() },
    output: z.object({
      payCode: z.string().nullable(),
      channel: field.dict('CHANNEL').nullable(),
      amount: money(),
      dueDate: field.date().nullable(),
    }),
  }),
}
