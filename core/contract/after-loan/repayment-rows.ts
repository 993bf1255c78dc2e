import { z } from 'zod'
import { extension } from '../../rules/machines/after-loan/extension.ts'
import { flow } from '../../rules/machines/after-loan/flow.ts'
import { loanCode } from '../../rules/machines/after-loan/loan-code.ts'
import { plan } from '../../rules/machines/after-loan/plan.ts'
import { repaymentRecord } from '../../rules/machines/after-loan/repayment-record.ts'
import { order } from '../../rules/machines/order/order.ts'
import { blockedBy } from '../blocked.ts'
import { dictionary, field } from '../fields.ts'
import { loanKinds } from '../order/levels.ts'
import { channels } from './channel.ts'
import { Journal } from './loan.ts'

/** What a repayment does: settles the loan, pays part of it, pays for an extension, or uses an overpayment. */
export const repayTypes = dictionary('REPAY_TYPE', ['settle', 'partial', 'extension', 'overpayment'])
/** What a rollback makes of a repayment: an extension may become a settlement, a partial repayment an extension. */
export const rollbackKinds = dictionary('ROLLBACK_KIND', ['plain', 'settle', 'extension'])
/** How a receipt came in: callback of a network, imported file, typed by staff, supplemented later. */
export const flowSources = dictionary('FLOW_SOURCE', ['callback', 'import', 'typed', 'supplement'])
/** Why a receipt is not written off by itself and waits for a person. */
export const flowWaits = dictionary('FLOW_WAIT', [
  'no_match',
  'several_orders',
  'amount_unclear',
  'overflow_limit',
  'unproven',
  'partial_off',
  'extension_off',
])
/** What proves a receipt: the channel's record, a statement line, a second person, or the rule before proofs existed. */
export const flowProofs = dictionary('FLOW_PROOF', ['channel', 'statement', 'person', 'earlier'])

const money = field.money
/** The posting of a loan as the repayment screens show it. */
export const JournalRow = Journal

/** The six components of a bill, in the names that postings, plans and trials share. */
export const amounts = z.object({
  principal: money(),
  interest: money(),
  serviceFee: money(),
  managementFee: money(),
  lateFee: money(),
  liquidatedDamages: money(),
})

/** One bill (instalment) of an order: due, paid and waived by component. */
export const BillRow = z.object({
  billNo: field.key(),
  installmentNo: field.int(),
  dueDate: field.date(),
  billStatus: field.state(plan),
  due: amounts,
  paid: amounts,
  waived: amounts,
  billAmount: money(),
  left: money(),
  /** Penalties of it after the day that a late arrival claims, while nobody has decided about that. */
  contestedPenalty: money(),
  overdueDays: field.int(),
  settledTime: field.time().nullable(),
  extended: field.flag(),
  extensionCount: field.int(),
})
export type BillRow = z.output<typeof BillRow>

/** One repayment: how money was applied, from which receipts, with what forgiven. */
export const RecordRow = z.object({
  repaymentNo: field.key(),
  repayType: field.dict(repayTypes),
  recordStatus: field.state(repaymentRecord),
  amount: money(),
  overflowAmount: money(),
  reductionAmount: money(),
  couponAmount: money(),
  extensionFee: money(),
  applied: amounts,
  waived: amounts,
  valueDate: field.date(),
  repaymentTime: field.time(),
  postedName: field.user(),
  flows: z.array(
    z.object({ flowNo: z.string(), serialNo: z.string(), channel: field.dict(channels), writeOffAmount: money() }),
  ),
  remark: z.string().nullable(),
  newest: z.boolean(),
  pendingApproval: z.string().nullable(),
  version: z.int(),
})
export type RecordRow = z.output<typeof RecordRow>

/** What putting a bill off costs on a day, and the day it is put off to. */
export const extensionOffer = z.object({
  billNo: field.key(),
  installmentNo: field.int(),
  extensionFee: money(),
  due: amounts,
  amount: money(),
  dueDate: field.date(),
  newDueDate: field.date(),
  extensionCount: field.int(),
  extensionsAllowed: field.int(),
})

/** A bill that was to be put off: the quote, and what became of it. */
export const ExtensionRow = z.object({
  billExtensionNo: field.key(),
  extensionStatus: field.state(extension),
  billNo: field.key(),
  installmentNo: field.int(),
  extensionFee: money(),
  amount: money(),
  dueDate: field.date(),
  newDueDate: field.date(),
  extensionCount: field.int(),
  extensionsAllowed: field.int(),
  repaymentNo: field.key().nullable(),
  createdName: field.user(),
  createdTime: field.time(),
  version: z.int(),
  blockedBy: blockedBy(),
})
export type ExtensionRow = z.output<typeof ExtensionRow>

/** A repayment with what the server would refuse on it. */
export const OpenRecord = RecordRow.extend({ blockedBy: blockedBy() })
export type OpenRecord = z.output<typeof OpenRecord>

/** An order of the repayment list. */
export const OrderRow = z.object({
  orderNo: field.key(),
  thirdOrderNo: field.key(64),
  customerName: field.customerName(),
  phone: field.masked('phone', 'order'),
  merchantName: field.text(),
  productName: field.text(),
  loanKind: field.dict(loanKinds),
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
  orderStatus: field.state(order),
  repaymentTime: field.time().nullable(),
  settledTime: field.time().nullable(),
  loanCodeStatus: field.state(loanCode).nullable(),
  blockedBy: blockedBy(),
  version: z.int(),
})
export type RepayOrderRow = z.output<typeof OrderRow>

/** A receipt. */
export const FlowRow = z.object({
  flowNo: field.key(),
  serialNo: field.key(),
  paymentChannel: field.dict(channels),
  paymentCode: field.key().nullable(),
  accountName: field.text().nullable(),
  amount: money(),
  remaining: money(),
  payerName: field.text().nullable(),
  payerAccount: field.masked('walletAccount', 'flow').nullable(),
  entryTime: field.time(),
  isrecord: field.flag(),
  flowStatus: field.state(flow),
  source: field.dict(flowSources),
  orderNos: z.array(z.string()),
  ageDays: field.int(),
  waitReason: field.dict(flowWaits).nullable(),
  /** What shows that the money came; null while it was only typed. */
  proof: field.dict(flowProofs).nullable(),
  pendingApproval: z.string().nullable(),
  version: z.int(),
})
export type FlowRow = z.output<typeof FlowRow>

/** A receipt with what the server would refuse on it. */
export const OpenFlow = FlowRow.extend({ blockedBy: blockedBy() })

/** One bill of an instalment product with its order: what the list by instalment shows. `version` is the order's. */
export const BillOrderRow = z.object({
  billNo: field.key(),
  orderNo: field.key(),
  thirdOrderNo: field.key(64),
  installmentNo: field.int(),
  installmentCount: field.int(),
  customerName: field.customerName(),
  phone: field.masked('phone', 'order'),
  merchantName: field.text(),
  productName: field.text(),
  dueDate: field.date(),
  billAmount: money(),
  principal: money(),
  interest: money(),
  serviceFee: money(),
  managementFee: money(),
  lateFee: money(),
  liquidatedDamages: money(),
  paidAmount: money(),
  reductionAmount: money(),
  left: money(),
  overdueDays: field.int(),
  extended: field.flag(),
  extensionCount: field.int(),
  billStatus: field.state(plan),
  settledTime: field.time().nullable(),
  orderStatus: field.state(order),
  loanCodeStatus: field.state(loanCode).nullable(),
  blockedBy: blockedBy(),
  version: z.int(),
})
export type BillOrderRow = z.output<typeof BillOrderRow>
