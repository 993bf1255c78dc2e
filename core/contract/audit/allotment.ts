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
  /** The auditor who has it is off duty, or may not work any more. */
  auditorAbsent: field.flag(),
  /** It was refused before and brought back. */
  retrieved: field.flag(),
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
  fitting: z.int(),
  reason: z.string().nullable(),
})
export type Candidate = z.output<typeof Candidate>

/** Orders that wait for an auditor, and who takes them. */
export const auditAllot = noun('audit/allotment', {
  allotList: list('/loans/audit/allot/list', {
    perm: 'audit:allot:page',
    row: AllotRow,
    filters: {
      ...orderFilters,
      waitingMinutes: field.intRange().optional(),
      auditStep: field.int().optional(),
      auditorAbsent: field.flag().optional(),
    },
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
      /** When orders were last handed out by the clock. */
      lastAutoTime: field.time().nullable(),
    }),
  }),
  allotAuditors: endpoint({
    method: 'POST',
    path: '/loans/audit/allot/auditors',
    perm: 'audit:allot:page',
    /** Without orders it answers who is there and how much each has. */
    input: z.strictObject({ orderNos: z.array(field.key()).max(500) }),
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
    /** The given orders, or all that an auditor holds and is not working on. */
    input: z
      .strictObject({
        orderNos: z.array(field.key()).min(1).max(500).optional(),
        auditorNo: field.user('auditor').optional(),
      })
      .refine(({ orderNos, auditorNo }) => (orderNos === undefined) !== (auditorNo === undefined), {
        path: ['orderNos'],
        message: 'validation.infoComplete',
      }),
    output: results,
  }),
  /** Who would get how many of the oldest waiting orders, by the rule of automatic allocation. */
  autoPreview: read('/loans/audit/allot/auto/preview', {
    perm: 'audit:order:allot',
    input: {},
    output: z.object({
      waiting: z.int(),
      /** Waiting orders that nobody may take now. */
      left: z.int(),
      list: z.array(
        z.object({
          userNo: field.user(),
          realName: field.text(),
          openCount: field.int(),
          queueCap: field.int(),
          /** Orders that the auditor would get. */
          gets: field.int(),
        }),
      ),
    }),
  }),
  /** Turns automatic allocation by the clock on or off. */
  autoSwitch: command({
    path: '/loans/audit/allot/auto/switch',
    perm: 'audit:people:config',
    audit: 'order.autoSwitch',
    input: z.strictObject({ enabled: field.flag() }),
    output: z.object({ enabled: z.boolean() }),
  }),
  autoAllot: command({
    path: '/loans/audit/allot/auto',
    perm: 'audit:order:allot',
    audit: 'order.autoAllot',
    input: z.strictObject({}),
    output: results,
  }),
})
