import { z } from 'zod'
import { order as orderMachine } from '../../rules/machines/order/order.ts'
import { blockedBy } from '../blocked.ts'
import { command, endpoint, list, noun } from '../endpoint.ts'
import { field } from '../fields.ts'
import { cancelReasons } from '../order/cancel-reasons.ts'
import { loanKinds, memberLevels, modelLevels } from '../order/levels.ts'
import { orderFilters } from '../order/order-filters.ts'

const money = field.money

const OrderRow = z.object({
  orderNo: field.key(),
  thirdOrderNo: field.key(64),
  merchantName: field.text(),
  appName: field.text(),
  customerNo: field.key(),
  customerName: field.customerName(),
  idNumber: field.masked('idNumber', 'order'),
  phone: field.masked('phone', 'order'),
  orderStatus: field.state(orderMachine),
  refuseCode: field.text().nullable(),
  refuseReason: field.text().nullable(),
  applyTime: field.time(),
  payoutTime: field.time().nullable(),
  productName: field.text(),
  loanKind: field.dict(loanKinds),
  loanAmount: money(),
  actualLoanAmount: money(),
  term: field.int(),
  installmentCount: field.int(),
  incomingChannel: field.openDict('INCOMING_CHANNEL').nullable(),
  promotionChannel: field.openDict('PROMOTION_CHANNEL').nullable(),
  lendingChannel: field.openDict('CHANNEL').nullable(),
  whitelisted: field.flag(),
  modelLevel: field.dict(modelLevels).nullable(),
  memberLevel: field.dict(memberLevels),
  auditorName: field.user().nullable(),
  auditTime: field.time().nullable(),
  dataSource: field.openDict('DATA_SOURCE'),
  overdue: field.flag(),
  overdueDays: field.int(),
  pendingApproval: z.string().nullable(),
  blockedBy: blockedBy(),
  version: z.int(),
})

/** Every order, and cancelling one. */
export const auditManage = noun('audit/order-list', {
  manageList: list('/loans/audit/manage/list', {
    perm: 'audit:manage:page',
    row: OrderRow,
    filters: {
      ...orderFilters,
      auditTime: field.dateRange().optional(),
      payoutTime: field.dateRange().optional(),
      refuseCode: field.refuseCode().optional(),
      overdue: field.flag().optional(),
      overdueDays: field.intRange().optional(),
      whitelisted: field.flag().optional(),
      lendingChannel: field.text().optional(),
      dataSource: field.text().optional(),
      loanAmount: field.moneyRange().optional(),
      installmentCount: field.int().optional(),
      appName: field.text().optional(),
    },
    totals: ['loanAmount', 'actualLoanAmount', 'overdue'],
    sort: ['applyTime', 'payoutTime', 'auditTime', 'loanAmount', 'overdueDays'],
    defaultSort: '-applyTime',
    exported: { as: 'orders', perm: 'audit:order:export' },
  }),
  manageSum: endpoint({
    method: 'POST',
    path: '/loans/audit/manage/sum',
    perm: 'audit:manage:page',
    input: z.strictObject({ filters: z.record(z.string(), z.unknown()) }),
    output: z.object({
      count: z.int(),
      loanAmount: money(),
      actualLoanAmount: money(),
      overdue: z.int(),
      byStatus: z.record(z.string(), z.int()),
    }),
  }),
  cancel: command({
    path: '/loans/audit/manage/cancel',
    perm: 'audit:order:cancel',
    audit: 'order.cancel',
    on: { machine: orderMachine, event: 'order.cancel', key: 'orderNo' },
    input: z.strictObject({
      orderNo: field.key(),
      version: z.int(),
      reason: field.dict(cancelReasons),
      remark: field.remark().optional(),
    }),
    output: z.object({ orderNo: z.string(), orderStatus: field.state(orderMachine) }),
  }),
})
