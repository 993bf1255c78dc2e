import { z } from 'zod'
import { flow } from '../../rules/machines/after-loan/flow.ts'
import { blockedBy } from '../blocked.ts'
import { command, endpoint, list, noun, read } from '../endpoint.ts'
import { dictionary, field } from '../fields.ts'
import { channels } from './channel.ts'

/** What the statement of our account says of a receipt that only a customer shows: the same amount, another one, or nothing. */
export const statementMatches = dictionary('STATEMENT_MATCH', ['matched', 'other_amount', 'not_found'])
/**
 * What the channel answered when it was asked for the day of a receipt: the same amount, another one, no such transaction, the day is
 * not over, it did not answer, or it tells nobody.
 */
export const channelAnswers = dictionary('CHANNEL_ANSWER', [
  'confirmed',
  'other_amount',
  'denied',
  'not_closed',
  'unavailable',
  'cannot',
])

const base = '/rePayManage/flow/supplement'
const page = 'repay:supplement:page'
const decide = 'repay:flow:commit'

export const SupplementRow = z.object({
  supplementNo: field.key(),
  flowNo: field.key(),
  serialNo: field.key(),
  paymentChannel: field.dict(channels),
  accountName: field.text().nullable(),
  amount: field.money(),
  entryTime: field.time(),
  paymentCode: field.key().nullable(),
  payerName: field.text().nullable(),
  payerAccount: field.masked('walletAccount', 'flow').nullable(),
  orderNo: field.key().nullable(),
  customerName: field.customerName().nullable(),
  statementMatch: field.dict(statementMatches),
  channelAnswer: field.dict(channelAnswers),
  flowStatus: field.state(flow),
  makerName: field.user(),
  createdTime: field.time(),
  reviewerName: field.user().nullable(),
  reviewTime: field.time().nullable(),
  reviewReason: field.text().nullable(),
  /** The reviewer saw the receipt in the channel's portal, because no statement shows it. */
  seenInPortal: field.flag(),
  remark: field.text().nullable(),
  blockedBy: blockedBy(),
  version: z.int(),
})
export type SupplementRow = z.output<typeof SupplementRow>

const Line = z.object({
  lineNo: field.key(),
  entryTime: field.time(),
  amount: field.money(),
  payerAccount: field.masked('walletAccount').nullable(),
  reference: field.key(80).nullable(),
  narrative: z.string().nullable(),
})

/** What is known of a transaction number: our own flow, the line of a statement, and what the channel answers. */
const Known = z.object({
  flowNo: field.key().nullable(),
  flowStatus: field.state(flow).nullable(),
  flowAmount: field.money().nullable(),
  line: Line.nullable(),
  channelAnswer: field.dict(channelAnswers),
  /** The amount that the channel says, where it knows the transaction. */
  channelAmount: field.money().nullable(),
})
export type SupplementKnown = z.output<typeof Known>

const earlierReasons = dictionary('SAME_PROOF', ['file', 'serial', 'payer'])
const Earlier = z.object({
  supplementNo: field.key(),
  serialNo: field.key(),
  amount: field.money(),
  flowStatus: field.state(flow),
  createdTime: field.time(),
  /** What it has in common with this one. */
  sameProof: z.array(field.dict(earlierReasons)),
})

const one = { supplementNo: field.key(), version: z.int() }
const decided = z.object({ flowNo: field.key(), flowStatus: field.state(flow) })

/** Calls of supplemented receipts: a customer shows that they paid, no flow came, and a second person decides whether it is money. */
export const supplement = noun('after-loan/supplement', {
  page: list(`${base}/page`, {
    perm: page,
    row: SupplementRow,
    filters: {
      supplementNo: field.key().optional(),
      serialNo: field.key(64).optional(),
      orderNo: field.key().optional(),
      paymentChannel: field.dict(channels).optional(),
      fundAccountNo: field.fundAccount().optional(),
      flowStatus: z.array(field.state(flow)).optional(),
      statementMatch: z.array(field.dict(statementMatches)).optional(),
      amount: field.moneyRange().optional(),
      entryTime: field.dateRange().optional(),
      createdTime: field.dateRange().optional(),
      makerName: field.text().optional(),
      /** Sent by the reader, or by somebody else. */
      mine: field.flag().optional(),
    },
    sort: ['createdTime', 'amount'],
    defaultSort: '-createdTime',
    exported: { as: 'supplements', perm: 'repay:flow:export' },
  }),
  detail: read(`${base}/{supplementNo}`, {
    perm: page,
    input: { supplementNo: field.key() },
    output: z.object({ supplement: SupplementRow, line: Line.nullable(), earlier: z.array(Earlier) }),
  }),
  /** Asks what is known of a transaction before it is sent; the channel is asked where its day is over. */
  check: endpoint({
    method: 'POST',
    path: `${base}/check`,
    perm: page,
    input: z.strictObject({
      fundAccountNo: field.fundAccount(),
      serialNo: field.serial(),
      entryTime: field.time().optional(),
      amount: field.money().optional(),
    }),
    output: Known,
  }),
  submit: command({
    path: `${base}/submit`,
    perm: 'repay:flow:save',
    audit: 'supplement.submit',
    money: 'moves',
    on: { machine: flow, event: 'supplement.submit', key: 'flowNo' },
    input: z.strictObject({
      fundAccountNo: field.fundAccount(),
      serialNo: field.serial(),
      amount: field.money(),
      entryTime: field.time(),
      paymentCode: field.key(),
      payerName: field.text().optional(),
      payerAccount: field.phone().optional(),
      orderNo: field.key().optional(),
      attachNos: z.array(field.file('attachment')).min(1).max(5),
      remark: field.text(30).optional(),
      /** The warning that the same file was sent before was seen. */
      sameProofSeen: z.boolean().optional(),
    }),
    output: z.object({ supplementNo: field.key(), flowNo: field.key(), flowStatus: field.state(flow) }),
  }),
  approve: command({
    path: `${base}/approve`,
    perm: decide,
    audit: 'supplement.approve',
    money: 'moves',
    on: { machine: flow, event: 'supplement.approve', key: 'supplementNo' },
    input: z.strictObject({
      ...one,
      /** No statement shows it, and the reviewer saw it in the channel's portal. */
      seenInPortal: z.boolean().optional(),
    }),
    output: decided,
  }),
  reject: command({
    path: `${base}/reject`,
    perm: decide,
    audit: 'supplement.reject',
    on: { machine: flow, event: 'supplement.reject', key: 'supplementNo' },
    input: z.strictObject({ ...one, reason: field.text(30) }),
    output: decided,
  }),
})
