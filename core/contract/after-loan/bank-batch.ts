import { z } from 'zod'
import { command, endpoint, list, noun, read } from '../endpoint.ts'
import { dictionary, field } from '../fields.ts'

/** How far a payout file has come: made, delivered to the bank, answered in part or for every payment; or given up before anybody fetched it. */
export const batchStatuses = dictionary('BANK_BATCH_STATUS', [
  'prepared',
  'sent',
  'part_answered',
  'answered',
  'discarded',
])
/** How a payout file reaches the bank. */
export const sendWays = dictionary('BANK_SEND_WAY', ['folder', 'hand'])

const page = 'fund:payout:page'
const make = 'fund:payout:bankFile'
const money = field.money

/** Payments of one file; what is left goes into the next. */
export const maxPayments = 200
/** Most days ahead that a file may ask for its execution. */
export const maxDaysAhead = 7
/** Characters of an answer that is brought by hand. */
export const maxAnswer = 900_000

/** The outcome of a bank's answer: `taken` counts, `waiting` counts once a second person approves; all others are only kept. */
export const answerOutcomes = ['taken', 'waiting', 'repeated', 'foreign', 'differs', 'unreadable'] as const

/** One payout file, with the number and sum of its payments. */
export const BankBatchRow = z.object({
  batchNo: field.key(),
  fundAccountNo: field.key(),
  fundAccountName: field.text(),
  executionDate: field.date(),
  /** Follows from its payments. */
  batchStatus: field.dict(batchStatuses),
  paymentCount: field.int(),
  amount: money(),
  succeededCount: field.int(),
  failedCount: field.int(),
  undecidedCount: field.int(),
  /** Put into the folder of the bank by the server, or downloaded and delivered by a person. */
  sendWay: field.dict(sendWays),
  createdByName: field.user(),
  createdTime: field.time(),
  sentTime: field.time().nullable(),
  answeredTime: field.time().nullable(),
  discardedByName: field.user().nullable(),
  discardReason: field.text().nullable(),
})
export type BankBatchRow = z.output<typeof BankBatchRow>

const BankAccount = z.object({
  fundAccountNo: z.string(),
  accountName: z.string(),
  paymentCount: z.int(),
  amount: money(),
  balance: money(),
})

/** Payout files of bank accounts: made, handed over, and answered. */
export const bankBatch = noun('after-loan/bank-batch', {
  page: list('/payManage/bankBatch/page', {
    perm: page,
    row: BankBatchRow,
    filters: {
      batchNo: field.key().optional(),
      fundAccountNo: field.fundAccount().optional(),
      batchStatus: z.array(field.dict(batchStatuses)).optional(),
      createdTime: field.dateRange().optional(),
    },
    sort: ['createdTime', 'amount'],
    defaultSort: '-createdTime',
  }),
  /** Accounts at banks, and what a file of each would hold now. */
  accounts: read('/payManage/bankBatch/accounts', {
    perm: make,
    input: {},
    output: z.object({ list: z.array(BankAccount) }),
  }),
  /** Reserves the money of every payment and writes the file. Count and sum are what the person agreed to. */
  create: command({
    path: '/payManage/bankBatch/create',
    perm: make,
    audit: 'payout.bankFile',
    money: 'moves',
    input: z.strictObject({
      fundAccountNo: field.fundAccount(),
      executionDate: field.date(),
      paymentCount: field.int(),
      amount: money(),
    }),
    output: z.object({ batchNo: z.string() }),
  }),
  file: endpoint({
    method: 'GET',
    path: '/payManage/bankBatch/{batchNo}/file',
    perm: make,
    writes: true,
    file: true,
    input: z.strictObject({ batchNo: field.key() }),
    output: z.null(),
  }),
  /** Gives up a file that nobody has fetched: its payments have failed, and their money is free again. */
  discard: command({
    path: '/payManage/bankBatch/discard',
    perm: make,
    audit: 'payout.discardFile',
    money: 'moves',
    input: z.strictObject({ batchNo: field.key(), reason: field.text(30) }),
    output: z.object({ failedCount: z.int() }),
  }),
  /** Brings an answer of the bank (pain.002) by hand; a second person agrees to what it says before it counts. */
  answer: command({
    path: '/payManage/bankBatch/answer',
    perm: make,
    audit: 'payout.bankAnswer',
    money: 'moves',
    input: z.strictObject({ fileName: field.text(200), content: z.string().min(1).max(maxAnswer) }),
    output: z.object({
      outcome: z.enum(answerOutcomes),
      taken: field.int(),
      ignored: field.int(),
      approvalNo: z.string().nullable(),
    }),
  }),
})
