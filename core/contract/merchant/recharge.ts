import { z } from 'zod'
import { merchantRecharge } from '../../rules/machines/merchant/merchant-recharge.ts'
import { Journal } from '../after-loan/loan.ts'
import { blockedBy } from '../blocked.ts'
import { command, list, noun, read } from '../endpoint.ts'
import { field } from '../fields.ts'

const perm = 'merchant:recharge:page'
const base = '/merchant/recharge'
const signed = () => z.string().meta({ kind: 'money' })

/** A payment of a merchant into its wallet. */
export const RechargeRow = z.object({
  rechargeNo: field.key(),
  merchantNo: field.merchant(),
  merchantName: field.text(),
  rechargeAmount: field.money(),
  fundAccountNo: field.fundAccount(),
  accountName: field.text(),
  serialNo: field.key(64),
  payerName: field.customerName(),
  bankEntryTime: field.time(),
  rechargeStatus: field.state(merchantRecharge),
  /** Whether the bank's own statement shows it. */
  bankLine: field.flag(),
  makerName: field.user(),
  createdTime: field.time(),
  checkerName: field.user().nullable(),
  auditTime: field.time().nullable(),
  auditReason: field.text(200).nullable(),
  balanceAfter: signed().nullable(),
  /** The wallet now, and with this top-up. */
  walletBalance: signed(),
  balanceThen: signed(),
  remark: field.text().nullable(),
  reverseReason: field.text(200).nullable(),
  version: z.int(),
  pendingApproval: field.user().nullable(),
  blockedBy: blockedBy(),
})
export type RechargeRow = z.output<typeof RechargeRow>

const BankLine = z.object({
  lineNo: field.key(),
  fundAccountNo: field.fundAccount(),
  serialNo: field.key(64),
  amount: field.money(),
  entryTime: field.time(),
  payerName: field.customerName().nullable(),
  likely: field.flag(),
  /** The merchant whose legal name the payer has. */
  merchantNo: field.merchant().nullable(),
  merchantName: field.text().nullable(),
})
export type BankLine = z.output<typeof BankLine>

const Event = z.object({
  at: field.time(),
  event: field.event(merchantRecharge),
  from: z.string(),
  to: z.string(),
  actorName: z.string(),
})

const asked = {
  merchantNo: field.merchant(),
  fundAccountNo: field.fundAccount(),
  rechargeAmount: field.money(),
  serialNo: field.serial(64),
  payerName: field.text(64),
  bankEntryTime: field.time(),
  receipt: field.file('attachment'),
  remark: field.remark().optional(),
  /** The same file was handed in before, and it is meant. */
  confirmSameReceipt: z.boolean().optional(),
}
const one = { rechargeNo: field.key(), version: z.int() }
const standing = z.object({
  rechargeNo: z.string(),
  rechargeStatus: field.state(merchantRecharge),
  version: z.int(),
})
const on = (event: string) => ({ machine: merchantRecharge, event, key: 'rechargeNo' })

/** Calls of what merchants pay in. */
export const recharge = noun('merchant/recharge', {
  page: list(`${base}/page`, {
    perm,
    row: RechargeRow,
    filters: {
      merchantNo: z.array(field.merchant()).optional(),
      fundAccountNo: field.fundAccount().optional(),
      rechargeStatus: z.array(field.state(merchantRecharge)).optional(),
      serialNo: field.key(2000).optional(),
      bankEntryTime: field.dateRange().optional(),
      createdTime: field.dateRange().optional(),
      /** Those that the reader booked, or did not. */
      mine: field.flag().optional(),
      /** Confirmed without a line of the bank, which has not come yet. */
      noBankLine: field.flag().optional(),
    },
    totals: ['rechargeAmount'],
    sort: ['createdTime', 'rechargeAmount', 'bankEntryTime'],
    defaultSort: '-createdTime',
    exported: { as: 'recharges', perm: 'merchant:recharge:export' },
  }),
  detail: read(`${base}/detail`, {
    perm,
    input: { rechargeNo: field.key() },
    output: z.object({
      recharge: RechargeRow,
      bank: BankLine.nullable(),
      history: z.array(Event),
      journals: z.array(Journal),
    }),
  }),
  /** Payments on the statements of own accounts that nothing is booked for yet; `likely` ones have the legal name of a merchant. */
  bankLines: list(`${base}/bankLines/page`, {
    perm,
    row: BankLine,
    filters: {
      fundAccountNo: field.fundAccount().optional(),
      amount: field.moneyRange().optional(),
      entryTime: field.dateRange().optional(),
      likely: field.flag().optional(),
    },
    sort: ['entryTime', 'amount'],
    defaultSort: '-entryTime',
  }),
  submit: command({
    path: `${base}/submit`,
    perm: 'merchant:recharge:submit',
    audit: 'recharge.submit',
    money: 'moves',
    on: on('recharge.submit'),
    input: z.strictObject(asked),
    output: standing,
  }),
  resubmit: command({
    path: `${base}/resubmit`,
    perm: 'merchant:recharge:submit',
    audit: 'recharge.resubmit',
    money: 'moves',
    on: on('recharge.resubmit'),
    input: z.strictObject({ ...one, ...asked, receipt: field.file('attachment').optional() }),
    output: standing,
  }),
  /** A second person lets the money into the wallet: the bank shows it, or they say why they know. */
  approve: command({
    path: `${base}/approve`,
    perm: 'merchant:recharge:audit',
    audit: 'recharge.approve',
    money: 'moves',
    stepUp: true,
    on: on('recharge.audit'),
    input: z.strictObject({ ...one, reason: field.remark(200).optional() }),
    output: standing.extend({ balanceAfter: z.string() }),
  }),
  reject: command({
    path: `${base}/reject`,
    perm: 'merchant:recharge:audit',
    audit: 'recharge.reject',
    on: on('recharge.audit'),
    input: z.strictObject({ ...one, reason: field.longText(200) }),
    output: standing,
  }),
  /** Asks another person to take a confirmed top-up back out of the wallet. */
  reverse: command({
    path: `${base}/reverse`,
    perm: 'merchant:recharge:reverse',
    audit: 'recharge.reverse',
    money: 'moves',
    stepUp: true,
    on: on('recharge.reverse'),
    input: z.strictObject({ ...one, reason: field.longText(200), evidence: field.file('attachment') }),
    output: z.object({ approvalNo: field.key() }),
  }),
})
