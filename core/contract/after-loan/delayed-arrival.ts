import { z } from 'zod'
import { delayedArrival } from '../../rules/machines/after-loan/delayed-arrival.ts'
import { order } from '../../rules/machines/order/order.ts'
import { blockedBy } from '../blocked.ts'
import { command, done, endpoint, list, noun } from '../endpoint.ts'
import { dictionary, field } from '../fields.ts'
import { channels } from './channel.ts'
import { Trial } from './repayment.ts'

/** What a second person makes of a request: the money counts from the earlier day, or it does not. */
export const delayDecisions = dictionary('DELAY_DECISION', ['pass', 'reject'])
/** How many days before its arrival money may count at most. */
export const mostDaysBack = 7

const applies = 'postloan:repay:delayedApply'
const audits = 'postloan:repay:delayedAudit'
const pages = [applies, audits]
const base = '/rePayManage/delayed'

const Row = z.object({
  delayNo: field.key(),
  delayStatus: field.state(delayedArrival),
  flowNo: field.key(),
  serialNo: field.key(64),
  paymentChannel: field.dict(channels),
  orderNo: field.key(),
  customerName: field.customerName(),
  merchantName: field.text(),
  amount: field.money(),
  entryTime: field.time(),
  dueDate: field.date(),
  claimedDate: field.date(),
  /** Penalties of the order after that day, while nobody has decided. */
  contestedPenalty: field.money(),
  makerName: field.user(),
  createdTime: field.time(),
  auditorName: field.user().nullable(),
  auditTime: field.time().nullable(),
  auditReason: field.text().nullable(),
  repaymentNo: field.key().nullable(),
  version: z.int(),
  blockedBy: blockedBy(),
})
export type DelayRow = z.output<typeof Row>

const claim = { flowNo: field.key(), orderNo: field.key(), claimedDate: field.date() }
const one = { delayNo: field.key(), version: z.int() }

/** Money that arrived late through no fault of the customer: it counts from the day on which it was paid, once a second person agrees. */
export const delayed = noun('after-loan/delayed-arrival', {
  page: list(`${base}/page`, {
    anyPerm: pages,
    row: Row,
    filters: {
      delayNo: field.key().optional(),
      serialNo: field.key(64).optional(),
      orderNo: field.key().optional(),
      delayStatus: z.array(field.state(delayedArrival)).optional(),
      amount: field.moneyRange().optional(),
      createdTime: field.dateRange().optional(),
      /** Sent by the reader, or by somebody else. */
      mine: field.flag().optional(),
    },
    sort: ['createdTime', 'amount'],
    defaultSort: '-createdTime',
  }),
  /** What would be written off as of the earlier day, and which penalties would be given back. */
  check: endpoint({
    method: 'POST',
    path: `${base}/check`,
    anyPerm: pages,
    input: z.strictObject(claim),
    output: Trial,
  }),
  apply: command({
    path: `${base}/apply`,
    perm: applies,
    audit: 'delayed.apply',
    money: 'moves',
    on: { machine: delayedArrival, event: 'delayed.apply', key: 'delayNo' },
    input: z.strictObject({ ...claim, attachNos: z.array(field.file('attachment')).min(1).max(5) }),
    output: z.object({ delayNo: field.key() }),
  }),
  audit: command({
    path: `${base}/audit`,
    perm: audits,
    audit: 'delayed.audit',
    money: 'moves',
    on: { machine: delayedArrival, event: 'delayed.audit', key: 'delayNo' },
    input: z
      .strictObject({ ...one, decision: field.dict(delayDecisions), reason: field.text(30).optional() })
      .refine(({ decision, reason }) => decision === 'pass' || Boolean(reason), {
        message: 'validation.infoComplete',
        path: ['reason'],
      }),
    output: z.object({
      delayStatus: field.state(delayedArrival),
      repaymentNo: field.key().nullable(),
      orderStatus: field.state(order),
    }),
  }),
  withdraw: command({
    path: `${base}/withdraw`,
    perm: applies,
    audit: 'delayed.withdraw',
    on: { machine: delayedArrival, event: 'delayed.withdraw', key: 'delayNo' },
    input: z.strictObject(one),
    output: done,
  }),
})
