import { z } from 'zod'
import { confirmRecord } from '../../rules/machines/after-loan/confirm-record.ts'
import { gatewayAttempt } from '../../rules/machines/after-loan/gateway-attempt.ts'
import { loanCode } from '../../rules/machines/after-loan/loan-code.ts'
import { order } from '../../rules/machines/order/order.ts'
import { blockedBy } from '../blocked.ts'
import { sentForApproval } from '../common/approval.ts'
import { command, endpoint, list, noun, read, results } from '../endpoint.ts'
import { dictionary, field } from '../fields.ts'
import { cancelReasons } from '../order/cancel-reasons.ts'
import { loanKinds } from '../order/levels.ts'
import { isWholePayee, payeeFields, payeeResults, payoutSubtypes, payoutTypes, wholePayee } from '../payee.ts'
import { channels } from './channel.ts'

/** The two outcomes that a person may state of a payout: money reached the payee, or it did not. */
export const releaseResults = dictionary('RELEASE_RESULT', ['success', 'failed'])
/** Why a payout failed for good. The type decides the next step: correct the payee, wait for balance, retry under a new reference. */
export const payoutFailTypes = dictionary('PAYOUT_FAIL_TYPE', [
  'payee_invalid',
  'payee_barred',
  'payee_limit',
  'our_balance',
  'name_mismatch',
  'amount_limit',
  'config',
  'returned',
  'other',
])
/** Why a payout is not sent yet. */
export const waitReasons = dictionary('WAIT_REASON', [
  'no_route',
  'channel_paused',
  'short_balance',
  'cap_reached',
  'window_closed',
  'merchant_limit',
  'blacklist_check',
  'blocked',
  'payee_unproven',
])

const money = field.money
const page = 'fund:payout:page'
const codes = z.array(field.key()).min(1).max(500)

/** One payout of an order: a loan code with its amounts, payee and state. */
export const LoanCodeRow = z.object({
  loanCode: field.key(),
  orderNo: field.key(),
  thirdOrderNo: field.key(64),
  customerName: field.customerName(),
  phone: field.masked('phone', 'order'),
  merchantName: field.text(),
  productName: field.text(),
  loanKind: field.dict(loanKinds),
  loanAmount: money(),
  actualLoanAmount: money(),
  payoutType: field.dict(payoutTypes),
  payoutSubtype: field.dict(payoutSubtypes),
  walletAccount: field.masked('walletAccount', 'loanCode').nullable(),
  bankName: field.text().nullable(),
  bankCardNo: field.masked('bankCardNo', 'loanCode').nullable(),
  cardholderName: field.text(),
  verifyResult: field.dict(payeeResults),
  channel: field.dict(channels).nullable(),
  fundAccountName: field.text().nullable(),
  loanCodeStatus: field.state(loanCode),
  unknownMinutes: field.minutes().nullable(),
  waitReason: field.dict(waitReasons).nullable(),
  attemptNo: field.int(),
  failType: field.dict(payoutFailTypes).nullable(),
  failReason: field.text().nullable(),
  confirmStatus: field.state(confirmRecord).nullable(),
  confirmerName: field.user().nullable(),
  confirmTime: field.time().nullable(),
  serialNo: field.key().nullable(),
  auditTime: field.time().nullable(),
  requestTime: field.time(),
  finishTime: field.time().nullable(),
  orderStatus: field.state(order),
  pendingApproval: z.string().nullable(),
  version: z.int(),
})
export type LoanCodeRow = z.output<typeof LoanCodeRow>

/** A payout with what the server would refuse on it. */
export const OpenLoanCode = LoanCodeRow.extend({ blockedBy: blockedBy() })
export type OpenLoanCode = z.output<typeof OpenLoanCode>

/** One send of a loan code to a channel, under a reference that is never used twice. */
export const Attempt = z.object({
  externalId: field.key(),
  gatewayRef: field.key(),
  attemptNo: field.int(),
  attemptStatus: field.state(gatewayAttempt),
  channel: field.dict(channels),
  amount: money(),
  sentTime: field.time().nullable(),
  answerTime: field.time().nullable(),
  answerCode: field.text().nullable(),
  answerMessage: field.text().nullable(),
  serialNo: field.key().nullable(),
  queryCount: field.int(),
  nextQueryTime: field.time().nullable(),
  createdTime: field.time(),
})

const Line = z.object({ accountCode: z.string(), component: z.string().nullable(), debit: money(), credit: money() })
/** One posting with its lines; debits equal credits. */
export const Journal = z.object({
  journalNo: z.int(),
  postingCode: z.string(),
  businessDate: field.date(),
  valueDate: field.date(),
  postedTime: field.time(),
  cause: z.string(),
  actor: z.string(),
  reversesJournalNo: z.int().nullable(),
  lines: z.array(Line),
})

const Confirm = z.object({
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
  event: field.event(loanCode, order),
  from: z.string(),
  to: z.string(),
  actorName: z.string(),
})

/** What the bank or the network says became of a payout that was sent. */
const ReleasedOrder = z.strictObject({
  loanCode: field.key(),
  orderNo: field.key(),
  result: field.dict(releaseResults),
  serialNo: field.key(64).optional(),
  payoutTime: field.time().optional(),
  amount: money().optional(),
  failReason: field.text(100).optional(),
})
export type ReleasedOrder = z.output<typeof ReleasedOrder>

/** Calls of the payout desk: list, detail, retry, recreate, cancel, correct the payee, confirm the outcome. */
export const loan = noun('after-loan/loan', {
  page: list('/payManage/loan/page', {
    perm: page,
    row: OpenLoanCode,
    filters: {
      keyword: field.key(2000).optional(),
      phone: field.phone().optional(),
      merchantNo: z.array(field.merchant()).optional(),
      productNo: z.array(field.product()).optional(),
      loanKind: field.dict(loanKinds).optional(),
      channel: field.dict(channels).optional(),
      fundAccountNo: field.fundAccount().optional(),
      payoutType: field.dict(payoutTypes).optional(),
      loanCodeStatus: z.array(field.state(loanCode)).optional(),
      failType: z.array(field.dict(payoutFailTypes)).optional(),
      verifyResult: field.dict(payeeResults).optional(),
      confirmStatus: field.state(confirmRecord).optional(),
      unknownMinutes: field.intRange().optional(),
      waitsForApproval: field.flag().optional(),
      actualLoanAmount: field.moneyRange().optional(),
      requestTime: field.dateRange().optional(),
      finishTime: field.dateRange().optional(),
    },
    totals: ['actualLoanAmount'],
    sort: ['requestTime', 'finishTime', 'actualLoanAmount'],
    defaultSort: '-requestTime',
    exported: { as: 'loanCodes', perm: 'fund:payout:export' },
    imported: {
      as: 'releasedOrders',
      perm: 'fund:payout:import',
      row: ReleasedOrder,
      key: 'loanCode',
      money: true,
      example: {
        loanCode: 'LC2611207K3M9Q2A',
        orderNo: 'LO2611207K3M9Q2A',
        result: 'success',
        serialNo: 'MP2611203344556677',
        payoutTime: '2026-11-20 10:05',
        amount: '1,240,000',
      },
    },
  }),
  summary: read('/payManage/loan/summary', {
    perm: page,
    input: {},
    output: z.object({
      byStatus: z.record(z.string(), z.object({ count: z.int(), amount: money() })),
      oldestUnknownMinutes: z.int().nullable(),
      accounts: z.array(
        z.object({
          fundAccountNo: z.string(),
          accountName: z.string(),
          channel: field.dict(channels),
          balance: money(),
          waiting: money(),
          enough: z.boolean(),
        }),
      ),
    }),
  }),
  detail: read('/payManage/loan/{loanCode}', {
    perm: page,
    input: { loanCode: field.key() },
    output: z.object({
      code: OpenLoanCode,
      attempts: z.array(Attempt),
      journals: z.array(Journal),
      confirms: z.array(Confirm),
      history: z.array(Event),
      otherCodes: z.array(LoanCodeRow),
    }),
  }),
  cancel: command({
    path: '/payManage/loan/cancel',
    perm: 'fund:payout:cancel',
    audit: 'payout.cancel',
    on: { machine: loanCode, event: 'code.cancel', key: 'loanCodes' },
    input: z.strictObject({ loanCodes: codes, reason: field.dict(cancelReasons), remark: field.remark().optional() }),
    output: results,
  }),
  /** Lets a payout go that waits because its customer is on a black list: somebody has looked at the entries. */
  release: command({
    path: '/payManage/loan/release',
    perm: 'fund:payout:cancel',
    audit: 'payout.release',
    money: 'moves',
    on: { machine: loanCode, event: 'code.release', key: 'loanCode' },
    input: z.strictObject({ loanCode: field.key(), version: z.int(), reason: field.longText(200) }),
    output: z.object({ loanCode: field.key() }),
  }),
  retry: command({
    path: '/payManage/loan/retry',
    perm: 'fund:payout:retry',
    audit: 'payout.retry',
    money: 'moves',
    on: { machine: loanCode, event: 'payout.retry', key: 'loanCodes' },
    input: z.strictObject({ loanCodes: codes, accountChecked: z.boolean().optional() }),
    output: results,
  }),
  userInfo: command({
    path: '/payManage/loan/userInfo',
    perm: 'fund:userInfo:update',
    audit: 'payout.correctPayee',
    money: 'moves',
    on: { machine: loanCode, event: 'code.recreate', key: 'loanCode' },
    input: z
      .strictObject({
        loanCode: field.key(),
        version: z.int(),
        ...payeeFields,
        /** What shows whose account it is. */
        evidence: field.file('attachment'),
      })
      .refine(isWholePayee, wholePayee),
    output: sentForApproval.extend({ verifyResult: field.dict(payeeResults) }),
  }),
  recreate: command({
    path: '/payManage/loan/recreate',
    perm: 'fund:payout:recreate',
    audit: 'payout.recreate',
    money: 'moves',
    on: { machine: loanCode, event: 'code.recreate', key: 'loanCode' },
    input: z.strictObject({ loanCode: field.key(), version: z.int() }),
    output: z.object({ loanCode: z.string() }),
  }),
  allowReWithdraw: command({
    path: '/payManage/loan/allowReWithdraw',
    perm: 'fund:userInfo:update',
    audit: 'payout.allowReWithdraw',
    money: 'moves',
    on: { machine: order, event: 'reWithdrawal.allow', key: 'orderNo' },
    input: z.strictObject({ orderNo: field.key(), version: z.int() }),
    output: z.object({ orderNo: z.string() }),
  }),
  verify: command({
    path: '/payManage/loan/verify',
    perm: 'fund:payout:verify',
    audit: 'payout.verifyAccount',
    input: z.strictObject({ loanCodes: z.array(field.key()).min(1).max(100) }),
    output: results,
  }),
  /** An account that cannot be proven the customer's by its channel: a second person is asked to accept it. */
  markChecked: command({
    path: '/payManage/loan/markChecked',
    perm: 'fund:payout:verify',
    audit: 'payout.markChecked',
    money: 'moves',
    input: z.strictObject({
      loanCode: field.key(),
      version: z.int(),
      /** What shows whose account it is. */
      evidence: field.file('attachment'),
    }),
    output: sentForApproval,
  }),
  channel: command({
    path: '/payManage/loan/channel',
    perm: 'fund:channel:update',
    audit: 'payout.channel',
    money: 'moves',
    on: { machine: loanCode, event: 'channel.update', key: 'loanCodes' },
    input: z.strictObject({ loanCodes: codes, fundAccountNo: field.fundAccount() }),
    output: results,
  }),
  query: command({
    path: '/payManage/loan/query',
    perm: page,
    audit: 'payout.ask',
    money: 'moves',
    input: z.strictObject({ loanCode: field.key() }),
    output: z.object({
      loanCodeStatus: field.state(loanCode),
      answer: z.string(),
      nextQueryTime: field.time().nullable(),
    }),
  }),
  confirm: command({
    path: '/payManage/loan/confirm',
    perm: 'fund:payout:confirm',
    audit: 'payout.confirm',
    money: 'moves',
    stepUp: true,
    on: { machine: loanCode, event: 'manual.confirm', key: 'loanCode' },
    input: z.strictObject({
      loanCode: field.key(),
      version: z.int(),
      result: z.enum(['success', 'failure']).meta({ kind: 'dict', dict: 'CONFIRM_RESULT' }),
      serialNo: field.key().optional(),
      statementDate: field.date(),
      /** The statement that shows it. */
      evidence: field.file('attachment'),
    }),
    output: z.object({ confirmStatus: field.state(confirmRecord), loanCodeStatus: field.state(loanCode) }),
  }),
  cancelPaid: command({
    path: '/payManage/loan/cancelPaid',
    perm: 'fund:cancelPay',
    audit: 'payout.cancelPaid',
    money: 'moves',
    on: { machine: loanCode, event: 'code.reverse', key: 'loanCode' },
    input: z.strictObject({ loanCode: field.key(), version: z.int(), reason: field.text(30) }),
    output: sentForApproval,
  }),
  abortCancelPaid: command({
    path: '/payManage/loan/cancelPaid/abort',
    perm: 'fund:cancelPay',
    audit: 'payout.abortCancelPaid',
    money: 'moves',
    on: { machine: loanCode, event: 'reverse.abort', key: 'loanCode' },
    input: z.strictObject({ loanCode: field.key(), version: z.int() }),
    output: z.object({ loanCodeStatus: field.state(loanCode) }),
  }),
  codesOfOrder: endpoint({
    method: 'GET',
    path: '/payManage/loanCode/list',
    perm: page,
    input: z.strictObject({ orderNo: field.key() }),
    output: z.object({ list: z.array(LoanCodeRow) }),
  }),
})
