import { z } from 'zod'
import { confirmRecord } from '../../rules/machines/after-loan/confirm-record.ts'
import { transferApplication } from '../../rules/machines/charge/transfer-application.ts'
import { channels } from '../after-loan/channel.ts'
import { Attempt, Journal } from '../after-loan/loan.ts'
import { blockedBy } from '../blocked.ts'
import { command, list, noun, read } from '../endpoint.ts'
import { dictionary, field } from '../fields.ts'
import { ConfirmRow } from './refund-rows.ts'

/** Why own money moves. */
export const transferPurposes = dictionary('TRANSFER_PURPOSE', [
  'payout_float',
  'sweep',
  'between_lenders',
  'correction',
  'other',
])

const page = 'transfer:page'
const auditPage = 'transfer:audit:page'
const money = field.money

/** One transfer between accounts of ours. */
export const TransferRow = z.object({
  transferNo: field.key(),
  fromAccountNo: field.fundAccount(),
  fromAccountName: field.text(),
  toAccountNo: field.fundAccount(),
  toAccountName: field.text(),
  lenderName: field.text(),
  transferAmount: money(),
  transferPurpose: field.dict(transferPurposes),
  transferStatus: field.state(transferApplication),
  approvalCount: field.int(),
  approvalNeeded: field.int(),
  /** For how long its money is on the way; null while it is not. */
  runningMinutes: field.minutes().nullable(),
  makerName: field.user(),
  applyTime: field.time(),
  payTime: field.time().nullable(),
  arriveTime: field.time().nullable(),
  /** Days since it was paid, while no statement shows that it arrived. */
  notArrivedDays: field.int().nullable(),
  attemptNo: field.int(),
  serialNo: field.key().nullable(),
  failReason: field.text().nullable(),
  auditReason: field.text().nullable(),
  confirmStatus: field.state(confirmRecord).nullable(),
  remark: field.text().nullable(),
  version: z.int(),
  blockedBy: blockedBy(),
})
export type TransferRow = z.output<typeof TransferRow>

/** A transfer as its checker sees it. */
export const TransferReviewRow = TransferRow.extend({
  fromBalance: money(),
  fromNeeded: money(),
  toBalance: money(),
  toNeeded: money(),
  waitingMinutes: field.minutes().nullable(),
})
export type TransferReviewRow = z.output<typeof TransferReviewRow>

/** An account of ours with what it has and needs. */
export const OwnAccount = z.object({
  fundAccountNo: field.fundAccount(),
  accountName: field.text(),
  channel: field.dict(channels),
  lenderName: field.text(),
  balance: money(),
  /** What pending and approved transfers will take. */
  promised: money(),
  available: z.string(),
  minBalance: money(),
  /** What approved loans wait to be paid from it. */
  needed: money(),
  /** What is on its way out of it. */
  inFlight: money(),
})
export type OwnAccount = z.output<typeof OwnAccount>

const Approval = z.object({
  round: field.int(),
  realName: field.user(),
  approvedTime: field.time(),
  remark: z.string().nullable(),
})
const Event = z.object({
  at: field.time(),
  event: field.event(transferApplication, confirmRecord),
  from: z.string(),
  to: z.string(),
  machine: z.string(),
  actorName: z.string(),
})

const filters = {
  transferNo: field.key(2000).optional(),
  serialNo: field.key(2000).optional(),
  fromAccountNo: field.fundAccount().optional(),
  toAccountNo: field.fundAccount().optional(),
  lenderName: field.text(64).optional(),
  transferPurpose: z.array(field.dict(transferPurposes)).optional(),
  transferStatus: z.array(field.state(transferApplication)).optional(),
  transferAmount: field.moneyRange().optional(),
  applyTime: field.dateRange().optional(),
  makerName: field.text(64).optional(),
  /** Those that the reader asked for, or did not. */
  mine: field.flag().optional(),
  /** Paid, and no statement shows that it arrived. */
  notArrived: field.flag().optional(),
}

const one = { transferNo: field.key(), version: z.int() }
const asked = {
  fromAccountNo: field.fundAccount(),
  toAccountNo: field.fundAccount(),
  transferAmount: field.money(),
  transferPurpose: field.dict(transferPurposes),
  attachNos: z.array(field.file('attachment')).min(1).max(5),
  remark: field.remark().optional(),
  confirmBelowMinimum: z.boolean().optional(),
}
const standing = z.object({
  transferNo: z.string(),
  transferStatus: field.state(transferApplication),
  approvalNeeded: z.int(),
  version: z.int(),
})
const on = (event: string) => ({ machine: transferApplication, event, key: 'transferNo' })

/** What the cashier and the finance leads do with own money. */
export const transfer = noun('charge/transfer', {
  page: list('/transfer/apply/page', {
    perm: page,
    row: TransferRow,
    filters,
    totals: ['transferAmount'],
    sort: ['applyTime', 'transferAmount'],
    defaultSort: '-applyTime',
    exported: { as: 'transfers', perm: 'transfer:export' },
  }),
  auditPage: list('/transfer/audit/page', {
    perm: auditPage,
    row: TransferReviewRow,
    filters,
    totals: ['transferAmount'],
    sort: ['applyTime', 'transferAmount'],
    defaultSort: 'applyTime',
    exported: { as: 'transferReviews', perm: 'transfer:export' },
  }),
  /** Own accounts with what they have and need, and what would fill those that have too little. */
  accounts: read('/transfer/apply/accounts', {
    anyPerm: [page, auditPage],
    input: {},
    output: z.object({ list: z.array(OwnAccount) }),
  }),
  detail: read('/transfer/apply/{transferNo}', {
    anyPerm: [page, auditPage],
    input: { transferNo: field.key() },
    output: z.object({
      transfer: TransferRow,
      accounts: z.array(OwnAccount),
      /** The balances when it was asked for. */
      balancesThen: z.array(z.object({ accountName: field.text(), balance: z.string() })),
      approvals: z.array(Approval),
      attempts: z.array(Attempt),
      confirms: z.array(ConfirmRow),
      history: z.array(Event),
      journals: z.array(Journal),
    }),
  }),
  submit: command({
    path: '/transfer/apply/submit',
    perm: 'transfer:submit',
    audit: 'transfer.submit',
    money: 'moves',
    on: on('transfer.submit'),
    input: z.strictObject(asked),
    output: standing,
  }),
  resubmit: command({
    path: '/transfer/apply/resubmit',
    perm: 'transfer:submit',
    audit: 'transfer.resubmit',
    money: 'moves',
    on: on('transfer.resubmit'),
    input: z.strictObject({ ...one, ...asked, attachNos: z.array(field.file('attachment')).max(5).optional() }),
    output: standing,
  }),
  giveUp: command({
    path: '/transfer/apply/giveUp',
    perm: 'transfer:giveUp',
    audit: 'transfer.giveUp',
    on: on('transfer.giveUp'),
    input: z.strictObject({ ...one, reason: field.text(30) }),
    output: standing,
  }),
  approve: command({
    path: '/transfer/audit/approve',
    perm: 'transfer:audit',
    audit: 'transfer.approve',
    money: 'moves',
    stepUp: true,
    on: on('transfer.audit'),
    input: z.strictObject({ ...one, remark: field.remark().optional() }),
    output: standing.extend({ approvalCount: z.int() }),
  }),
  reject: command({
    path: '/transfer/audit/reject',
    perm: 'transfer:audit',
    audit: 'transfer.reject',
    on: on('transfer.audit'),
    input: z.strictObject({ ...one, reason: field.text(30) }),
    output: standing,
  }),
  payout: command({
    path: '/transfer/audit/payout',
    perm: 'transfer:payout',
    audit: 'transfer.payout',
    money: 'moves',
    stepUp: true,
    on: on('transfer.payout'),
    input: z.strictObject(one),
    output: standing,
  }),
  /** Paid by hand at the bank; the bank's serial is noted, and two persons confirm the outcome by its statement. */
  sent: command({
    path: '/transfer/audit/payout/manual',
    perm: 'transfer:payout',
    audit: 'transfer.markSent',
    money: 'moves',
    stepUp: true,
    on: on('transfer.payout'),
    input: z.strictObject({ ...one, serialNo: field.serial(64), evidence: field.file('attachment') }),
    output: standing,
  }),
  query: command({
    path: '/transfer/audit/query',
    perm: auditPage,
    audit: 'transfer.ask',
    money: 'moves',
    input: z.strictObject({ transferNo: field.key() }),
    output: z.object({ transferStatus: field.state(transferApplication), answer: z.string() }),
  }),
  confirm: command({
    path: '/transfer/audit/confirm',
    perm: 'fund:payout:confirm',
    audit: 'transfer.confirm',
    money: 'moves',
    stepUp: true,
    on: on('manual.confirm'),
    input: z.strictObject({
      ...one,
      result: z.enum(['success', 'failure']).meta({ kind: 'dict', dict: 'CONFIRM_RESULT' }),
      serialNo: field.key(64).optional(),
      statementDate: field.date(),
      /** The statement that shows it. */
      evidence: field.file('attachment'),
    }),
    output: z.object({ confirmStatus: field.state(confirmRecord), transferStatus: field.state(transferApplication) }),
  }),
  auditGiveUp: command({
    path: '/transfer/audit/giveUp',
    perm: 'transfer:giveUp',
    audit: 'transfer.auditGiveUp',
    on: on('transfer.giveUp'),
    input: z.strictObject({ ...one, reason: field.text(30) }),
    output: standing,
  }),
})
