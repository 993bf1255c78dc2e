import { z } from 'zod'
import { reReviewApplication } from '../../rules/machines/audit/re-review-application.ts'
import { order as orderMachine } from '../../rules/machines/order/order.ts'
import { blockedBy } from '../blocked.ts'
import { command, endpoint, list, noun, read, results } from '../endpoint.ts'
import { field } from '../fields.ts'
import { loanKinds, memberLevels, modelLevels } from '../order/levels.ts'
import { orderFilters } from '../order/order-filters.ts'
import { ineligibleReasons } from './re-review-config.ts'

const perm = 'order:review:page'

/** Most orders of one application. */
export const maxApplied = 100

const Rejected = z.object({
  orderNo: field.key(),
  merchantName: field.text(),
  customerName: field.customerName(),
  phone: field.masked('phone', 'order'),
  orderStatus: field.state(orderMachine),
  refuseCode: field.text().nullable(),
  refuseReason: field.text().nullable(),
  /** Null where the machine refused it. */
  refusedByName: field.user().nullable(),
  refusedTime: field.time(),
  loanKind: field.dict(loanKinds),
  loanAmount: field.money(),
  modelLevel: field.dict(modelLevels).nullable(),
  memberLevel: field.dict(memberLevels),
  /** Earlier loans of the customer that were paid out. */
  pastLoans: field.int(),
  maxOverdueDays: field.int(),
  eligible: field.flag(),
  ineligibleReason: field.dict(ineligibleReasons).nullable(),
  version: z.int(),
  blockedBy: blockedBy(),
})

const Application = z.object({
  reReviewNo: field.key(),
  orderNo: field.key(),
  merchantName: field.text(),
  customerName: field.customerName(),
  loanAmount: field.money(),
  applicantName: field.user(),
  reason: field.text(),
  createdTime: field.time(),
  reReviewStatus: field.state(reReviewApplication),
  auditorName: field.user().nullable(),
  /** What the order is by now. */
  orderStatus: field.state(orderMachine),
  finishedTime: field.time().nullable(),
})

const { orderNo, phone, merchantNo, orderStatus, loanKind } = orderFilters

/** Rejected orders that deserve a second look, and what became of those that were asked for. */
export const reReview = noun('audit/re-review', {
  rejected: list('/loans/audit/review/page', {
    perm,
    row: Rejected,
    filters: {
      orderNo,
      phone,
      merchantNo,
      orderStatus,
      refuseCode: field.refuseCode().optional(),
      refusedTime: field.dateRange().optional(),
      eligible: field.flag().optional(),
      loanKind,
    },
    sort: ['refusedTime'],
    defaultSort: '-refusedTime',
  }),
  /** The caller's own count of today. */
  quota: read('/loans/audit/review/quota', {
    perm,
    input: {},
    output: z.object({ submittedToday: z.int(), remainingToday: z.int(), dailyCount: z.int() }),
  }),
  records: list('/loans/audit/review/record/page', {
    perm,
    row: Application,
    filters: {
      orderNo,
      reReviewStatus: z.array(field.state(reReviewApplication)).optional(),
      applicantNo: z.array(field.user()).optional(),
      mine: field.flag().optional(),
      createdTime: field.dateRange().optional(),
    },
    sort: ['createdTime'],
    defaultSort: '-createdTime',
  }),
  apply: command({
    path: '/loans/audit/review/apply',
    perm: 'order:review:apply',
    audit: 'reReview.apply',
    on: { machine: orderMachine, event: 'reReview.apply', key: 'orderNos' },
    input: z.strictObject({
      orderNos: z.array(field.key()).min(1).max(maxApplied),
      reason: field.remark(30).min(1, 'validation.contentEmpty'),
    }),
    output: results,
  }),
  /** The phone that the customer applied with, in full; the access log has it. */
  originalPhone: endpoint({
    method: 'GET',
    path: '/loans/audit/review/originalPhone',
    perm: 'order:review:originalPhone',
    writes: true,
    input: z.strictObject({ orderNo: field.key() }),
    output: z.string(),
  }),
})
