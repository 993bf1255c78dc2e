import { z } from 'zod'
import { confirmRecord } from '../../rules/machines/after-loan/confirm-record.ts'
import { gatewayAttempt } from '../../rules/machines/after-loan/gateway-attempt.ts'
import { phoneRecharge } from '../../rules/machines/operation/phone-recharge.ts'
import { Attempt, Journal, payoutFailTypes } from '../after-loan/loan.ts'
import { signedMoney } from '../after-loan/signed-money.ts'
import { blockedBy } from '../blocked.ts'
import { ConfirmRow } from '../charge/refund-rows.ts'
import { command, endpoint, list, noun, read, results } from '../endpoint.ts'
import { dictionary, field, posts } from '../fields.ts'
import { networkDict } from './verify-code.ts'

const base = '/operation/phoneBill'
const page = 'ops:phoneBill:page'
const submitPerm = 'ops:phoneBill:submit'
const auditPerm = 'ops:phoneBill:audit'

/** Most people of one application. */
export const maxPhoneBills = 200

/** Why somebody of the staff gets no airtime. */
export const phoneBillRefusals = dictionary('PHONE_BILL_REFUSAL', ['away', 'no_phone', 'no_cap', 'over_cap', 'open'])

/** Airtime of one person for one month. */
export const PhoneBillRow = z.object({
  phoneBillNo: field.key(),
  purposeMonth: field.month(),
  userNo: field.key(),
  realName: field.user(),
  jobNo: field.text(8).nullable(),
  deptName: field.text(),
  post: field.dict(posts),
  phone: field.masked('phone', 'phoneBill'),
  /** The phone is not the one of the personnel record. */
  phoneDiffers: field.flag(),
  network: field.dict(networkDict),
  amount: field.money(),
  /** What the month of the person comes to, this one included, and the most that it may. */
  monthUsed: field.money(),
  monthCap: field.money(),
  phoneBillStatus: field.state(phoneRecharge),
  /** What is known of the newest send; null while nothing was sent. */
  attemptStatus: field.state(gatewayAttempt).nullable(),
  /** For how long its money is on the way; null while it is not. */
  runningMinutes: field.minutes().nullable(),
  /** Nobody has known for half an hour what became of it: finance finds out. */
  forFinance: field.flag(),
  makerName: field.user(),
  checkerName: field.user().nullable(),
  auditTime: field.time().nullable(),
  auditReason: field.text(200).nullable(),
  serialNo: field.key().nullable(),
  failType: field.dict(payoutFailTypes).nullable(),
  failReason: field.text().nullable(),
  createdTime: field.time(),
  finishTime: field.time().nullable(),
  remark: field.text().nullable(),
  batchNo: field.key(),
  attemptNo: field.int(),
  /** The account of ours that would pay it now, and what it holds. */
  payingAccount: field.text().nullable(),
  payingBalance: signedMoney().nullable(),
  version: z.int(),
  blockedBy: blockedBy(),
})
export type PhoneBillRow = z.output<typeof PhoneBillRow>

/** A row of an imported file. */
export const importedPhoneBill = z.object({
  jobNo: field.text(8),
  phone: field.text(30),
  amount: field.money(),
  remark: field.remark().optional(),
})
export type ImportedPhoneBill = z.output<typeof importedPhoneBill>

const LeftOut = z.object({ userNo: field.key(), realName: field.user(), refusal: field.dict(phoneBillRefusals) })
const Sum = z.object({
  deptName: field.text(),
  post: field.dict(posts),
  headcount: field.int(),
  amount: field.money(),
  successAmount: field.money(),
})
/** A line of the monthly sheet, which its person signs. */
const Line = z.object({
  deptName: field.text(),
  post: field.dict(posts),
  realName: field.user(),
  jobNo: field.text(8).nullable(),
  amount: field.money(),
  phoneBillStatus: field.state(phoneRecharge),
  finishTime: field.time().nullable(),
})
const Past = z.object({
  phoneBillNo: field.key(),
  purposeMonth: field.month(),
  amount: field.money(),
  phoneBillStatus: field.state(phoneRecharge),
  finishTime: field.time().nullable(),
})
const Event = z.object({
  at: field.time(),
  event: field.event(phoneRecharge, confirmRecord),
  from: z.string(),
  to: z.string(),
  machine: z.string(),
  actorName: z.string(),
})

const asked = {
  userNos: z.array(field.user()).min(1, 'validation.infoComplete').max(maxPhoneBills),
  amount: field.money(),
  purposeMonth: field.month(),
  remark: field.remark().optional(),
}
const many = { phoneBillNos: z.array(field.key()).min(1).max(500) }
const on = (event: string, key = 'phoneBillNos') => ({ machine: phoneRecharge, event, key })

/** Calls of airtime for the staff: who gets it, who agrees, and what became of it. */
export const phoneBill = noun('operation/phone-bill', {
  page: list(`${base}/page`, {
    perm: page,
    row: PhoneBillRow,
    filters: {
      phoneBillNo: field.key(2000).optional(),
      /** Months that the days of the range belong to. */
      purposeMonth: field.dateRange().optional(),
      deptNo: field.dept().optional(),
      userNo: field.user().optional(),
      jobNo: field.text(8).optional(),
      network: z.array(field.dict(networkDict)).optional(),
      phoneBillStatus: z.array(field.state(phoneRecharge)).optional(),
      forFinance: field.flag().optional(),
      phoneDiffers: field.flag().optional(),
      createdTime: field.dateRange().optional(),
    },
    totals: ['amount'],
    sort: ['createdTime', 'amount', 'purposeMonth'],
    defaultSort: '-createdTime',
    exported: { as: 'phoneBills', perm: 'ops:phoneBill:export' },
    imported: {
      as: 'phoneBills',
      perm: submitPerm,
      row: importedPhoneBill,
      key: 'jobNo',
      example: { jobNo: 'NK0042', phone: '256772123456', amount: '10000', remark: '' },
      money: true,
      maxRows: 1_000,
    },
  }),
  detail: read(`${base}/detail`, {
    perm: page,
    input: { phoneBillNo: field.key() },
    output: z.object({
      phoneBill: PhoneBillRow,
      attempts: z.array(Attempt),
      confirms: z.array(ConfirmRow),
      history: z.array(Event),
      journals: z.array(Journal),
      /** The person's airtime of the last twelve months, the newest first. */
      past: z.array(Past),
    }),
  }),
  /** A month by department and post, and its sheet to sign. */
  summary: endpoint({
    method: 'POST',
    path: `${base}/summary`,
    perm: page,
    input: z.strictObject({ month: field.month() }),
    output: z.object({ sums: z.array(Sum), lines: z.array(Line) }),
  }),
  /** The people who got airtime in a month, and the amount that most of them got. */
  lastList: read(`${base}/lastList`, {
    perm: submitPerm,
    input: { purposeMonth: field.month() },
    output: z.object({ userNos: z.array(field.user()), amount: field.money().nullable() }),
  }),
  /** What an application comes to, and who is left out of it. */
  check: endpoint({
    method: 'POST',
    path: `${base}/check`,
    perm: submitPerm,
    input: z.strictObject(asked),
    output: z.object({ headcount: field.int(), totalAmount: field.money(), leftOut: z.array(LeftOut) }),
  }),
  submit: command({
    path: `${base}/submit`,
    perm: submitPerm,
    audit: 'phoneBill.submit',
    money: 'moves',
    on: on('phone.submit', 'phoneBillNo'),
    input: z.strictObject(asked),
    output: z.object({
      batchNo: field.key(),
      phoneBillNos: z.array(field.key()),
      headcount: field.int(),
      totalAmount: field.money(),
      leftOut: z.array(LeftOut),
    }),
  }),
  approve: command({
    path: `${base}/approve`,
    perm: auditPerm,
    audit: 'phoneBill.approve',
    money: 'moves',
    stepUp: true,
    on: on('phone.audit'),
    input: z.strictObject(many),
    output: results,
  }),
  reject: command({
    path: `${base}/reject`,
    perm: auditPerm,
    audit: 'phoneBill.reject',
    on: on('phone.audit'),
    input: z.strictObject({ ...many, reason: field.longText(200) }),
    output: results,
  }),
  /** Once more under a new reference, because the last send failed for good. */
  retry: command({
    path: `${base}/retry`,
    perm: auditPerm,
    audit: 'phoneBill.retry',
    money: 'moves',
    stepUp: true,
    on: on('phone.retry'),
    input: z.strictObject(many),
    output: results,
  }),
  /** Two persons of finance say by a statement what became of airtime that the vendor is silent about. */
  confirm: command({
    path: `${base}/confirm`,
    perm: 'fund:payout:confirm',
    audit: 'phoneBill.confirm',
    money: 'moves',
    stepUp: true,
    on: on('manual.confirm', 'phoneBillNo'),
    input: z.strictObject({
      phoneBillNo: field.key(),
      version: z.int(),
      result: z.enum(['success', 'failure']).meta({ kind: 'dict', dict: 'CONFIRM_RESULT' }),
      serialNo: field.key(64).optional(),
      statementDate: field.date(),
      /** The statement that shows it. */
      evidence: field.file('attachment'),
    }),
    output: z.object({ confirmStatus: field.state(confirmRecord), phoneBillStatus: field.state(phoneRecharge) }),
  }),
})
