import { z } from 'zod'
import { command, endpoint, list, read } from './endpoint.ts'
import { field, sensitiveKinds } from './fields.ts'

const option = z.object({ value: z.string(), label: z.string() })

/** A tree as a flat list: branches that hold something, and leaves that may be chosen. */
const tree = z.object({
  list: z.array(z.object({ value: z.string(), label: z.string(), parent: z.string().nullable(), leaf: z.boolean() })),
})

const AuditRow = z.object({
  auditNo: z.int(),
  action: z.string(),
  objectType: z.string(),
  objectNo: z.string(),
  actorName: z.string(),
  at: field.time(),
  before: z.record(z.string(), z.unknown()).nullable(),
  after: z.record(z.string(), z.unknown()).nullable(),
})

const Approval = z.object({
  approvalNo: field.key(),
  approvalAction: z.string(),
  approvalStatus: field.dict('APPROVAL_STATUS'),
  objectType: z.string(),
  objectNo: field.key(),
  orderNo: z.string().nullable(),
  makerNo: z.string(),
  makerName: field.user(),
  checkerName: field.user().nullable(),
  reason: z.string().nullable(),
  summary: z.array(z.object({ label: z.string(), before: z.string().nullable(), after: z.string().nullable() })),
  submitTime: field.time(),
  finishTime: field.time().nullable(),
  expireTime: field.time(),
  version: z.int(),
  mine: z.boolean(),
  checkable: z.boolean(),
})
export type Approval = z.output<typeof Approval>

export const common = {
  /** One full sensitive value; every call, also for an empty one, leaves an access-log row. */
  reveal: endpoint({
    method: 'GET',
    path: '/common/reveal/{kind}',
    writes: true,
    input: z.strictObject({
      kind: z.enum(sensitiveKinds),
      objectType: z.enum(['order', 'customer', 'loanCode', 'flow', 'contact']),
      objectNo: field.key(),
      field: field.key(),
    }),
    output: z.string().nullable(),
  }),
  merchants: read('/common/option/merchants', { input: {}, output: z.object({ list: z.array(option) }) }),
  products: read('/common/option/products', { input: {}, output: z.object({ list: z.array(option) }) }),
  auditors: read('/common/option/auditors', { input: {}, output: z.object({ list: z.array(option) }) }),
  /** Those whom orders are allotted to, in their departments. */
  people: read('/common/tree/people', { input: {}, output: tree }),
  /** Merchants in their companies. */
  companies: read('/common/tree/companies', { input: {}, output: tree }),
  /** Companies in the companies that they belong to; each can be chosen. */
  organizations: read('/common/tree/organizations', { input: {}, output: tree }),
  fundAccounts: read('/common/option/fundAccounts', {
    perm: 'fund:payout:page',
    input: {},
    output: z.object({ list: z.array(option.extend({ channel: field.dict('CHANNEL'), balance: field.money() })) }),
  }),
  /**
   * Records by what names them exactly: an order by its number, the merchant's, a loan code, a serial number of its payout, the phone
   * or the national ID of its customer; a receipt by its number or its serial number. At most eight.
   */
  lookup: endpoint({
    method: 'POST',
    path: '/common/lookup',
    anyPerm: ['order:detail:view', 'repay:flow:list'],
    input: z.strictObject({ text: field.key().min(6) }),
    output: z.object({
      list: z
        .array(
          z.object({
            objectType: z.enum(['order', 'flow']),
            objectNo: field.key(),
            /** Address of the record with its query. */
            route: z.string(),
            customerName: field.customerName().nullable(),
            orderStatus: field.dict('ORDER_STATUS').nullable(),
            flowStatus: field.dict('FLOW_STATUS').nullable(),
          }),
        )
        .max(8),
    }),
  }),
  auditLog: list('/common/auditLog/page', {
    perm: 'log:audit:page',
    row: AuditRow,
    filters: { objectType: field.key().optional(), objectNo: field.key().optional(), orderNo: field.key().optional() },
    sort: ['at'],
    defaultSort: '-at',
  }),
  approvals: list('/common/approval/page', {
    row: Approval,
    filters: {
      objectType: field.key().optional(),
      objectNo: field.key().optional(),
      orderNo: field.key().optional(),
      box: z.enum(['toCheck', 'mine', 'all']).default('all'),
      approvalStatus: z.array(field.dict('APPROVAL_STATUS')).optional(),
    },
    sort: ['submitTime'],
    defaultSort: '-submitTime',
  }),
  approve: command({
    path: '/common/approval/approve',
    audit: 'approval.approve',
    stepUp: 'ofRecord',
    on: { machine: 'approval', event: 'approval.approve', key: 'approvalNo' },
    input: z.strictObject({ approvalNo: field.key(), version: z.int() }),
    output: Approval,
  }),
  reject: command({
    path: '/common/approval/reject',
    audit: 'approval.reject',
    on: { machine: 'approval', event: 'approval.reject', key: 'approvalNo' },
    input: z.strictObject({ approvalNo: field.key(), version: z.int(), reason: field.text(30) }),
    output: Approval,
  }),
  withdraw: command({
    path: '/common/approval/withdraw',
    audit: 'approval.withdraw',
    on: { machine: 'approval', event: 'approval.withdraw', key: 'approvalNo' },
    input: z.strictObject({ approvalNo: field.key(), version: z.int() }),
    output: Approval,
  }),
}

/** What an action held for a second person answers. */
export const sentForApproval = z.object({ approvalNo: z.string() })
