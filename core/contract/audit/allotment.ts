import { z } from 'zod'
import { auditTask } from '../../rules/machines/audit/audit-task.ts'
import { order as orderMachine } from '../../rules/machines/order/order.ts'
import { blockedBy } from '../blocked.ts'
import { command, endpoint, list, noun, read, results } from '../endpoint.ts'
import { field } from '../fields.ts'
import { loanKinds, modelLevels } from '../order/levels.ts'
import { orderFilters } from '../order/order-filters.ts'
import { sendBackReasons } from './decisions.ts'

const money = field.money

const AllotRow = z.object({
  orderNo: field.key(),
  thirdOrderNo: field.key(64),
  merchantName: field.text(),
  productName: field.text(),
  customerName: field.customerName(),
  phone: field.masked('phone', 'order'),
  loanKind: field.dict(loanKinds),
  loanAmount: money(),
  term: field.int(),
  modelLevel: field.dict(modelLevels).nullable(),
  auditStep: field.int(),
  orderStatus: field.state(orderMachine),
  auditorName: field.user().nullable(),
  auditTaskStatus: field.state(auditTask).nullable(),
  leaseLive: field.flag(),
  applyTime: field.time(),
  machineTime: field.time().nullable(),
  waitingMinutes: field.minutes(),
  lastSendBackReason: field.dict(sendBackReasons).nullable(),
  pendingApproval: z.string().nullable(),
  blockedBy: blockedBy(),
  version: z.int(),
})

const Candidate = z.object({
  userNo: field.user(),
  realName: z.string(),
  groupNo: z.string(),
  onShift: z.boolean(),
  openCount: z.int(),
  queueCap: z.int(),
  approvalCap: money(),
  acceptFirst: z.boolean(),
  acceptRepeat: z.boolean(),
  aiEmployee: z.boolean(),
  merchantNames: z.array(z.string()),
  eligible: z.int(),
  reason: z.string().nullable(),
})
export type Candidate = z.output<typeof Candidate>

/** Orders that wait for an auditor, and who takes them. */
export const auditAllot = noun('audit/allotment', {
  allotList: list('/loans/audit/allot/list', {
    perm: 'audit:allot:page',
    row: AllotRow,
    filters: { ...orderFilters, waitingMinutes: field.intRange().optional(), auditStep: field.int().optional() },
    sort: ['waitingMinutes', 'loanAmount', 'applyTime'],
    defaultSort: '-waitingMinutes',
    exported: { as: 'waitingOrders', perm: 'audit:order:export' },
  }),
  allotStat: read('/loans/audit/allot/stat', {
    perm: 'audit:allot:page',
    input: {},
    output: z.object({
      waiting: z.int(),
      oldestMinutes: z.int().nullable(),
      withAuditors: z.int(),
      pass: z.int(),
      refuse: z.int(),
      sentBack: z.int(),
      onDuty: z.int(),
      autoAllot: z.boolean(),
    }),
  }),
  allotAuditors: endpoint({
    method: 'POST',
    path: '/loans/audit/allot/auditors',
    perm: 'audit:allot:page',
    input: z.strictObject({ orderNos: z.array(field.key()).min(1).max(500) }),
    output: z.object({ list: z.array(Candidate) }),
  }),
  allot: command({
    path: '/loans/audit/allot/commit',
    perm: 'audit:order:allot',
    audit: 'order.allot',
    on: { machine: orderMachine, event: 'allot', key: 'orderNos' },
    input: z.strictObject({
      orderNos: z.array(field.key()).min(1).max(500),
      auditorNos: z.array(field.user('auditor')).min(1, 'validation.infoComplete').max(100),
      force: z.boolean().optional(),
    }),
    output: results,
  }),
  unallot: command({
    path: '/loans/audit/allot/cancel',
    perm: 'audit:order:allot',
    audit: 'order.unallot',
    on: { machine: orderMachine, event: 'unallot', key: 'orderNos' },
    input: z.strictObject({ orderNos: z.array(field.key()).min(1).max(500) }),
    output: results,
  }),
  autoAllot: command({
    path: '/loans/audit/allot/auto',
    perm: 'audit:order:allot',
    audit: 'order.autoAllot',
    input: z.strictObject({}),
    output: results,
  }),
})
