import { z } from 'zod'
import { confirmRecord } from '../../rules/machines/after-loan/confirm-record.ts'
import { flow } from '../../rules/machines/after-loan/flow.ts'
import { overpayment } from '../../rules/machines/after-loan/overpayment.ts'
import { refund as refundMachine } from '../../rules/machines/charge/refund.ts'
import { refundAudit } from '../../rules/machines/charge/refund-audit.ts'
import { refundVerification } from '../../rules/machines/charge/refund-verification.ts'
import { phoneFormat } from '../../rules/text/formats.ts'
import { channels } from '../after-loan/channel.ts'
import { command, endpoint, list, noun, read, results } from '../endpoint.ts'
import { field } from '../fields.ts'
import {
  CandidateRow,
  RefundDetail,
  RefundRow,
  ReviewRow,
  refundReasons,
  refundRejectReasons,
  refundSources,
  SourceRow,
  seenEvidence,
} from './refund-rows.ts'

const page = 'refund:page'
const auditPage = 'refund:audit:page'
const submitPerm = 'refund:submit'
const checkPerm = 'refund:check'
const payoutPerm = 'refund:payout'

const numbers = () => field.key(2000).optional()

const filters = {
  refundNo: numbers(),
  orderNo: numbers(),
  serialNo: numbers(),
  customerName: field.customerName().optional(),
  phone: field.phone().optional(),
  merchantNo: z.array(field.merchant()).optional(),
  channel: field.dict(channels).optional(),
  refundSource: z.array(field.dict(refundSources)).optional(),
  refundStatus: z.array(field.state(refundMachine)).optional(),
  auditStatus: z.array(field.state(refundAudit)).optional(),
  verifyStatus: z.array(field.state(refundVerification)).optional(),
  ignoreVerification: field.flag().optional(),
  samePayer: field.flag().optional(),
  runningMinutes: field.intRange().optional(),
  refundAmount: field.moneyRange().optional(),
  applyTime: field.dateRange().optional(),
  successTime: field.dateRange().optional(),
  makerName: field.text(64).optional(),
  /** Those that the reader asked for, or did not. */
  mine: field.flag().optional(),
}

const one = { refundNo: field.key(), version: z.int() }

/** Whom the money goes to, as staff type it. */
const payee = {
  channel: field.dict(channels),
  payeeName: field.text(64),
  payeeAccount: z.string().regex(/^\d{6,20}$/, 'validation.bankCardFormat'),
  payeeBank: field.text().optional(),
}
type Payee = { channel: string; payeeAccount: string; payeeBank?: string | undefined }
const isBank = ({ channel }: Payee) => channel === 'bank_file'
/** A wallet is a phone number. */
const walletFits = (given: Payee) => isBank(given) || phoneFormat.test(given.payeeAccount)
const walletFlaw = { message: 'validation.phoneFormat', path: ['payeeAccount'] }
const bankFits = (given: Payee) => !isBank(given) || Boolean(given.payeeBank)
const bankFlaw = { message: 'validation.infoComplete', path: ['payeeBank'] }

const asked = {
  refundSource: field.dict(refundSources),
  refundAmount: field.money(),
  ...payee,
  refundReason: field.dict(refundReasons),
  attachNos: z.array(field.file('attachment')).max(5).optional(),
  remark: field.remark().optional(),
}

const standing = z.object({
  refundNo: z.string(),
  refundStatus: field.state(refundMachine),
  auditStatus: field.state(refundAudit),
  verifyStatus: field.state(refundVerification),
  version: z.int(),
})

const lists = { row: RefundRow, filters, totals: ['refundAmount'] as const }

/** What repayment officers, checkers and the cashier do with money that a customer has back. */
export const refund = noun('charge/refund', {
  page: list('/transfer/refund/page', {
    ...lists,
    perm: page,
    sort: ['applyTime', 'successTime', 'refundAmount'],
    defaultSort: '-applyTime',
    exported: { as: 'refunds', perm: 'refund:export' },
  }),
  auditPage: list('/transfer/refund/audit/page', {
    ...lists,
    row: ReviewRow,
    perm: auditPage,
    sort: ['applyTime', 'auditTime', 'refundAmount'],
    defaultSort: 'applyTime',
    exported: { as: 'refundReviews', perm: 'refund:export' },
  }),
  candidates: list('/transfer/refund/candidate/page', {
    perm: page,
    row: CandidateRow,
    filters: {
      customerNo: numbers(),
      phone: field.phone().optional(),
      orderNo: numbers(),
      merchantNo: z.array(field.merchant()).optional(),
      refundableAmount: field.moneyRange().optional(),
      ageDays: field.intRange().optional(),
      overpaymentStatus: z.array(field.state(overpayment)).optional(),
    },
    totals: ['refundableAmount'],
    sort: ['refundableAmount', 'credited'],
    defaultSort: '-refundableAmount',
  }),
  detail: read('/transfer/refund/{refundNo}', {
    anyPerm: [page, auditPage],
    input: { refundNo: field.key() },
    output: RefundDetail,
  }),
  /** What may go back to a customer, and to whom it should. */
  check: endpoint({
    method: 'POST',
    path: '/transfer/refund/check',
    perm: page,
    input: z
      .strictObject({ customerNo: field.key().optional(), orderNo: field.key().optional() })
      .refine(({ customerNo, orderNo }) => Boolean(customerNo ?? orderNo), {
        message: 'validation.infoComplete',
        path: ['customerNo'],
      }),
    output: z.object({
      customerNo: field.key(),
      customerName: field.customerName(),
      orderNo: field.key().nullable(),
      refundableAmount: field.money(),
      /** The whole shillings of it. */
      proposedAmount: field.money(),
      sources: z.array(SourceRow),
      openRefundNo: field.key().nullable(),
      hasOpenOrder: field.flag(),
      refundSource: field.dict(refundSources),
      /** The account that the newest of the money came from. */
      payee: z
        .object({
          channel: field.dict(channels),
          payeeName: field.customerName(),
          payeeAccount: field.masked('walletAccount'),
        })
        .nullable(),
      /** Nobody knows whose the money is: it goes back to where it came from. */
      unidentified: field.flag(),
    }),
  }),
  submit: command({
    path: '/transfer/refund/submit',
    perm: submitPerm,
    audit: 'refund.submit',
    money: 'moves',
    on: { machine: refundMachine, event: 'refund.submit', key: 'refundNo' },
    input: z
      .strictObject({ customerNo: field.key(), orderNo: field.key().optional(), ...asked })
      .refine(walletFits, walletFlaw)
      .refine(bankFits, bankFlaw),
    output: standing,
  }),
  resubmit: command({
    path: '/transfer/refund/resubmit',
    perm: submitPerm,
    audit: 'refund.resubmit',
    money: 'moves',
    on: { machine: refundAudit, event: 'refund.resubmit', key: 'refundNo' },
    input: z
      .strictObject({ ...one, ...asked })
      .refine(walletFits, walletFlaw)
      .refine(bankFits, bankFlaw),
    output: standing,
  }),
  editPayee: command({
    path: '/transfer/refund/payee',
    perm: submitPerm,
    audit: 'refund.editPayee',
    money: 'moves',
    on: { machine: refundMachine, event: 'refund.editPayee', key: 'refundNo' },
    input: z
      .strictObject({ ...one, ...payee, attachNos: z.array(field.file('attachment')).max(5).optional() })
      .refine(walletFits, walletFlaw)
      .refine(bankFits, bankFlaw),
    output: standing,
  }),
  close: command({
    path: '/transfer/refund/close',
    anyPerm: [checkPerm, submitPerm],
    audit: 'refund.close',
    money: 'moves',
    on: { machine: refundMachine, event: 'refund.close', key: 'refundNo' },
    input: z.strictObject({ ...one, reason: field.text(30) }),
    output: standing,
  }),
  verify: command({
    path: '/transfer/refund/verify',
    perm: checkPerm,
    audit: 'refund.verify',
    on: { machine: refundVerification, event: 'verify.run', key: 'refundNo' },
    input: z.strictObject(one),
    output: standing.extend({ holderName: field.customerName().nullable(), matchScore: field.percent().nullable() }),
  }),
  ignore: command({
    path: '/transfer/refund/verify/ignore',
    perm: checkPerm,
    audit: 'refund.ignoreVerification',
    money: 'moves',
    on: { machine: refundVerification, event: 'verify.ignore', key: 'refundNo' },
    input: z.strictObject({ ...one, reason: field.text(30), seen: z.array(field.dict(seenEvidence)).min(1).max(3) }),
    output: standing,
  }),
  approve: command({
    path: '/transfer/refund/audit/approve',
    perm: checkPerm,
    audit: 'refund.approve',
    money: 'moves',
    /** An account that its channel did not confirm, or that the money did not come from, takes the checker's code. */
    stepUp: 'ofRecord',
    on: { machine: refundAudit, event: 'audit.approve', key: 'refundNos' },
    input: z.strictObject({
      refundNos: z.array(field.key()).min(1).max(50),
      /** The warning that other customers have the same account was seen. */
      sharedAccountSeen: z.boolean().optional(),
    }),
    output: results,
  }),
  reject: command({
    path: '/transfer/refund/audit/reject',
    perm: checkPerm,
    audit: 'refund.reject',
    on: { machine: refundAudit, event: 'audit.reject', key: 'refundNo' },
    input: z.strictObject({ ...one, rejectReason: field.dict(refundRejectReasons), remark: field.remark().optional() }),
    output: standing,
  }),
  revoke: command({
    path: '/transfer/refund/audit/revoke',
    perm: checkPerm,
    audit: 'refund.revoke',
    on: { machine: refundAudit, event: 'audit.revoke', key: 'refundNo' },
    input: z.strictObject({ ...one, reason: field.text(30) }),
    output: standing,
  }),
  payout: command({
    path: '/transfer/refund/payout',
    perm: payoutPerm,
    audit: 'refund.payout',
    money: 'moves',
    stepUp: true,
    on: { machine: refundMachine, event: 'refund.payout', key: 'refundNos' },
    input: z.strictObject({ refundNos: z.array(field.key()).min(1).max(100), fundAccountNo: field.fundAccount() }),
    output: results,
  }),
  again: command({
    path: '/transfer/refund/again',
    perm: payoutPerm,
    audit: 'refund.again',
    money: 'moves',
    stepUp: true,
    on: { machine: refundMachine, event: 'refund.again', key: 'refundNo' },
    /** By hand with the bank's serial and what shows it, as `sent`. */
    input: z.strictObject({
      ...one,
      fundAccountNo: field.fundAccount(),
      serialNo: field.serial(64).optional(),
      evidence: field.file('attachment').optional(),
    }),
    output: standing,
  }),
  /** Paid by hand at the bank; the bank's serial is noted, and two persons confirm the outcome by its statement. */
  sent: command({
    path: '/transfer/refund/payout/manual',
    perm: payoutPerm,
    audit: 'refund.markSent',
    money: 'moves',
    stepUp: true,
    on: { machine: refundMachine, event: 'refund.payout', key: 'refundNo' },
    input: z.strictObject({
      ...one,
      fundAccountNo: field.fundAccount(),
      serialNo: field.serial(64),
      evidence: field.file('attachment'),
    }),
    output: standing,
  }),
  query: command({
    path: '/transfer/refund/query',
    perm: page,
    audit: 'refund.ask',
    money: 'moves',
    input: z.strictObject({ refundNo: field.key() }),
    output: z.object({ refundStatus: field.state(refundMachine), answer: z.string() }),
  }),
  confirm: command({
    path: '/transfer/refund/confirm',
    perm: 'fund:payout:confirm',
    audit: 'refund.confirm',
    money: 'moves',
    stepUp: true,
    on: { machine: refundMachine, event: 'manual.confirm', key: 'refundNo' },
    input: z.strictObject({
      ...one,
      result: z.enum(['success', 'failure']).meta({ kind: 'dict', dict: 'CONFIRM_RESULT' }),
      serialNo: field.key(64).optional(),
      statementDate: field.date(),
      /** The statement that shows it. */
      evidence: field.file('attachment'),
    }),
    output: z.object({ confirmStatus: field.state(confirmRecord), refundStatus: field.state(refundMachine) }),
  }),
  /** What is left of a receipt that belongs to nobody is held for the unidentified payer of a merchant. */
  fromFlow: command({
    path: '/transfer/refund/fromFlow',
    perm: submitPerm,
    audit: 'refund.fromFlow',
    money: 'moves',
    on: { machine: flow, event: 'flow.toRefund', key: 'flowNo' },
    input: z.strictObject({ flowNo: field.key(), reason: field.text(30) }),
    output: z.object({ customerNo: field.key(), amount: field.money() }),
  }),
})
