import { z } from 'zod'
import { auditTask } from '../../rules/machines/audit/audit-task.ts'
import { order } from '../../rules/machines/order/order.ts'
import { blockedBy } from '../blocked.ts'
import { noun, read } from '../endpoint.ts'
import { field } from '../fields.ts'
import { loanKinds, memberLevels } from './levels.ts'

const perm = 'order:detail:view'
const input = { orderNo: field.key() }
const money = field.money

/** The always visible head of an order. */
const Summary = z.object({
  orderNo: field.key(),
  thirdOrderNo: field.key(64),
  orderStatus: field.state(order),
  merchantName: field.text(),
  productName: field.text(),
  customerNo: field.key(),
  customerName: field.customerName(),
  loanKind: field.dict(loanKinds),
  memberLevel: field.dict(memberLevels),
  requestedAmount: money(),
  loanAmount: money(),
  actualLoanAmount: money(),
  term: field.int(),
  installmentCount: field.int(),
  outstanding: money().nullable(),
  nextDueDate: field.date().nullable(),
  dueAmount: money().nullable(),
  overdueDays: field.int(),
  whitelisted: field.flag(),
  /** The customer, their account or their device is on a black list that refuses. */
  blacklisted: field.flag(),
  /** It was refused before and brought back. */
  retrieved: field.flag(),
  auditorNo: z.string().nullable(),
  auditorName: field.user().nullable(),
  auditTaskStatus: field.state(auditTask).nullable(),
  openTime: field.time().nullable(),
  mine: z.boolean(),
  pendingApproval: z.string().nullable(),
  blockedBy: blockedBy(),
  version: z.int(),
})

const Step = z.object({
  at: field.time(),
  kind: z.enum([
    'application',
    'machine',
    'allot',
    'open',
    'submit',
    'release',
    'retrieval',
    'payout',
    'cancel',
    'settle',
  ]),
  event: field.event(order, auditTask),
  actorName: z.string(),
  auditStep: z.int().nullable(),
  result: z.string().nullable(),
  amount: money().nullable(),
  refuseCode: z.string().nullable(),
  /** The code in the reader's language. */
  refuseReason: z.string().nullable(),
  remark: z.string().nullable(),
  seconds: z.int().nullable(),
  modelLevel: z.string().nullable(),
  modelScore: z.int().nullable(),
  /** The machine could decide nothing. */
  machineIncomplete: z.boolean(),
})

/** An order in short, as drawers show it: its head and its steps. */
export const orderBrief = noun('order/order-brief', {
  summary: read('/loans/audit/detail/summary', { perm, input, output: Summary }),
  steps: read('/loans/audit/step/list', { perm, input, output: z.object({ list: z.array(Step) }) }),
})
export type OrderSummary = z.output<typeof Summary>
