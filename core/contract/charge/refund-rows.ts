import { z } from 'zod'
import { confirmRecord } from '../../rules/machines/after-loan/confirm-record.ts'
import { overpayment } from '../../rules/machines/after-loan/overpayment.ts'
import { refund } from '../../rules/machines/charge/refund.ts'
import { refundAudit } from '../../rules/machines/charge/refund-audit.ts'
import { refundVerification } from '../../rules/machines/charge/refund-verification.ts'
import { channels } from '../after-loan/channel.ts'
import { Attempt, Journal, payoutFailTypes } from '../after-loan/loan.ts'
import { blockedBy } from '../blocked.ts'
import { dictionary, field } from '../fields.ts'

/** Why a customer has money back. */
export const refundSources = dictionary('REFUND_SOURCE', [
  'overpaid',
  'paid_after_settle',
  'duplicate',
  'wrong_payer',
  'fee_correction',
])
/** Why it is asked for. */
export const refundReasons = dictionary('REFUND_REASON', [
  'customer_asked',
  'no_open_loan',
  'paid_by_mistake',
  'complaint',
  'other',
])
/** Why a refund is sent back to who asked for it. */
export const refundRejectReasons = dictionary('REFUND_REJECT_REASON', [
  'not_customers_money',
  'payee_doubtful',
  'amount_wrong',
  'evidence_missing',
  'has_open_loan',
  'other',
])
/** What a checker has seen who accepts an account that its channel did not confirm. */
export const seenEvidence = dictionary('SEEN_EVIDENCE', ['id_picture', 'portal_screenshot', 'customer_call'])

const money = field.money

/** One refund, from the request to the money. */
export const RefundRow = z.object({
  refundNo: field.key(),
  orderNo: field.key().nullable(),
  customerNo: field.key(),
  customerName: field.customerName(),
  phone: field.masked('phone', 'customer'),
  merchantName: field.text(),
  refundSource: field.dict(refundSources),
  refundAmount: money(),
  /** What the customer's overflow holds besides. */
  refundableAmount: money(),
  channel: field.dict(channels),
  payeeName: field.customerName(),
  payeeAccount: field.masked('walletAccount', 'refund'),
  payeeBank: field.text().nullable(),
  /** Whether it goes back to the account that the money came from. */
  samePayer: field.flag(),
  auditStatus: field.state(refundAudit),
  verifyStatus: field.state(refundVerification),
  matchScore: field.percent().nullable(),
  ignoreVerification: field.flag(),
  refundStatus: field.state(refund),
  /** For how long its money is on the way; null while it is not. */
  runningMinutes: field.minutes().nullable(),
  attemptNo: field.int(),
  failType: field.dict(payoutFailTypes).nullable(),
  failReason: field.text().nullable(),
  serialNo: field.key().nullable(),
  refundReason: field.dict(refundReasons),
  remark: field.text().nullable(),
  makerName: field.user(),
  applyTime: field.time(),
  auditorName: field.user().nullable(),
  auditTime: field.time().nullable(),
  auditReason: field.text().nullable(),
  payerUserName: field.user().nullable(),
  successTime: field.time().nullable(),
  confirmStatus: field.state(confirmRecord).nullable(),
  version: z.int(),
  blockedBy: blockedBy(),
})
export type RefundRow = z.output<typeof RefundRow>

/** A refund as its reviewer sees it in the list. */
export const ReviewRow = RefundRow.extend({
  /** For how long it has waited for its review; null once it was decided. */
  waitingMinutes: field.minutes().nullable(),
  /** What went back to the customer in the last 90 days. */
  recentCount: field.int(),
  recentAmount: money(),
})
export type ReviewRow = z.output<typeof ReviewRow>

/** What is held for one customer because more came in than was owed. */
export const CandidateRow = z.object({
  overpaymentNo: field.key(),
  customerName: field.customerName(),
  customerNo: field.key(),
  phone: field.masked('phone', 'customer'),
  orderNo: field.key().nullable(),
  merchantName: field.text(),
  credited: money(),
  reapplied: money(),
  refunded: money(),
  reserved: money(),
  refundableAmount: money(),
  overpaymentStatus: field.state(overpayment),
  ageDays: field.int(),
  hasOpenOrder: field.flag(),
  version: z.int(),
})
export type CandidateRow = z.output<typeof CandidateRow>

/** One receipt that made the overflow, as far as it was left over. */
export const SourceRow = z.object({
  flowNo: field.key(),
  serialNo: field.key(),
  channel: field.dict(channels),
  orderNo: field.key().nullable(),
  amount: money(),
  overflowAmount: money(),
  payerName: field.customerName().nullable(),
  payerAccount: field.masked('walletAccount', 'flow').nullable(),
  entryTime: field.time(),
})
export type SourceRow = z.output<typeof SourceRow>

const Earlier = z.object({
  refundNo: field.key(),
  customerName: field.customerName(),
  refundAmount: money(),
  refundStatus: field.state(refund),
  payeeName: field.customerName(),
  applyTime: field.time(),
  successTime: field.time().nullable(),
})

const Movement = z.object({
  at: field.time(),
  kind: z.enum(['received', 'overflow', 'refund']),
  no: field.key(),
  amount: money(),
})

/** What two persons said by a statement. */
export const ConfirmRow = z.object({
  confirmNo: z.string(),
  confirmStatus: field.state(confirmRecord),
  result: z.enum(['success', 'failure']).nullable(),
  serialNo: z.string().nullable(),
  firstName: field.user().nullable(),
  firstTime: field.time().nullable(),
  secondName: field.user().nullable(),
  secondTime: field.time().nullable(),
})

const Event = z.object({
  at: field.time(),
  event: field.event(refund, refundAudit, refundVerification, confirmRecord),
  from: z.string(),
  to: z.string(),
  machine: z.string(),
  actorName: z.string(),
})

/** Everything about one refund. */
export const RefundDetail = z.object({
  refund: RefundRow,
  /** The account that the money came from, where one is known. */
  sourceAccount: field.masked('walletAccount', 'refund').nullable(),
  /** The holder of the payee's account as the channel names them, where the reader may know it. */
  holderName: field.customerName().nullable(),
  ignoredName: field.user().nullable(),
  ignoredTime: field.time().nullable(),
  ignoreReason: z.string().nullable(),
  ignoreSeen: z.array(field.dict(seenEvidence)),
  fundAccountName: field.text().nullable(),
  sources: z.array(SourceRow),
  earlier: z.array(Earlier),
  /** Refunds of other customers to the same account. */
  sharedAccount: z.array(Earlier),
  movements: z.array(Movement),
  attempts: z.array(Attempt),
  confirms: z.array(ConfirmRow),
  history: z.array(Event),
  journals: z.array(Journal),
})
export type RefundDetail = z.output<typeof RefundDetail>
