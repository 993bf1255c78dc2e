import { lazy } from 'react'
import { auditManage } from '../../core/contract/audit/order-list.ts'
import { logCalls } from '../../core/contract/common/common.ts'
import { blacklist } from '../../core/contract/merchant/blacklist.ts'
import { order } from '../../core/contract/order/order.ts'
import { orderBrief } from '../../core/contract/order/order-brief.ts'
import { listScreen } from '../../core/engine/list/list-screen.ts'
import { OrderBrief, orderHead } from '../shared/order-brief.tsx'
import { StatusChips } from './status-chips.tsx'

const AuditRecords = lazy(async () => ({ default: (await import('./audit-records.tsx')).AuditRecords }))
const CopyNumbers = lazy(async () => ({ default: (await import('./copy-numbers.tsx')).CopyNumbers }))

/** Audit and operations managers find any order, see where it stands, and stop it before payout. */
export default listScreen({
  list: auditManage.manageList,
  rowKey: 'orderNo',
  start: { applyTime: 'last30' },
  filters: [
    'orderNo',
    'phone',
    'orderStatus',
    'applyTime',
    'thirdOrderNo',
    'customerName',
    'idNumber',
    'merchantNo',
    'productNo',
    'orderStatusType',
    'loanKind',
    'modelLevel',
    'memberLevel',
    'auditorNo',
    'auditTime',
    'payoutTime',
    'refuseCode',
    'overdue',
    'overdueDays',
    'whitelisted',
    'loanAmount',
    'installmentCount',
    'incomingChannel',
    'promotionChannel',
    'dataSource',
    'lendingChannel',
    'appName',
  ],
  columns: [
    'orderNo',
    'customerName',
    'merchantName',
    'orderStatus',
    'applyTime',
    'loanAmount',
    'actualLoanAmount',
    'loanKind',
    'modelLevel',
    'auditorName',
  ],
  more: [
    'overdueDays',
    'phone',
    'thirdOrderNo',
    'appName',
    'idNumber',
    'refuseCode',
    'refuseReason',
    'payoutTime',
    'productName',
    'term',
    'installmentCount',
    'incomingChannel',
    'promotionChannel',
    'lendingChannel',
    'whitelisted',
    'memberLevel',
    'auditTime',
    'dataSource',
    'overdue',
  ],
  row: act => [
    act(auditManage.cancel, {
      label: 'actions.cancelOrder',
      tone: 'danger',
      ask: ['reason', 'remark'],
      confirm: 'audit.confirmCancel',
    }),
    { label: 'actions.auditRecords', needs: order.records, dialog: AuditRecords },
    act(blacklist.addPerson, {
      label: 'actions.blacklist',
      tone: 'danger',
      ask: ['dimensions', 'reasonCode', 'remark', 'merchantNo', 'expireTime', 'evidenceFile'],
      input: ([row]) => ({ customerNo: row?.customerNo ?? '' }),
      confirm: 'audit.confirmBlacklist',
    }),
  ],
  bulk: () => [{ label: 'actions.copyNumbers', dialog: CopyNumbers }],
  above: (filters, apply) => <StatusChips filters={filters} apply={apply} />,
  head: orderHead,
  detail: row => <OrderBrief orderNo={row.orderNo} />,
  also: [order.records, order.follows, auditManage.manageSum, orderBrief.summary, orderBrief.steps, ...logCalls],
})
