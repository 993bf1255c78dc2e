import { auditAllot } from '../../core/contract/audit/allotment.ts'
import { logCalls } from '../../core/contract/common/common.ts'
import { orderBrief } from '../../core/contract/order/order-brief.ts'
import { listScreen } from '../../core/engine/list/list-screen.ts'
import { OrderBrief, orderHead } from '../shared/order-brief.tsx'
import { AllotDialog } from './allot-dialog.tsx'
import { AuditorsDialog } from './auditors-dialog.tsx'
import { AutoAllotDialog } from './auto-allot-dialog.tsx'
import { FloorFigures, Waiting } from './floor-figures.tsx'

/** The audit supervisor keeps the queue empty: gives orders to those who may take them, and takes work back. */
export default listScreen({
  list: auditAllot.allotList,
  rowKey: 'orderNo',
  start: { orderStatus: ['to_be_allocated'] },
  presets: [
    { label: 'audit.toAllot', filters: { orderStatus: ['to_be_allocated'] }, sort: '-waitingMinutes' },
    { label: 'audit.withAuditors', filters: { orderStatus: ['pending_review'] }, sort: '-waitingMinutes' },
    { label: 'audit.waitingLong', filters: { waitingMinutes: [30, null] }, sort: '-waitingMinutes' },
    { label: 'fields.auditorAbsent', filters: { auditorAbsent: true }, sort: '-waitingMinutes' },
  ],
  filters: [
    'orderNo',
    'merchantNo',
    'auditorNo',
    'waitingMinutes',
    'thirdOrderNo',
    'customerName',
    'phone',
    'idNumber',
    'productNo',
    'loanKind',
    'modelLevel',
    'memberLevel',
    'auditStep',
    'auditorAbsent',
    'applyTime',
  ],
  columns: [
    'orderNo',
    'customerName',
    'merchantName',
    'loanKind',
    'loanAmount',
    'modelLevel',
    { id: 'waitingMinutes', cell: row => <Waiting minutes={row.waitingMinutes} /> },
    'orderStatus',
    'auditorName',
    'auditTaskStatus',
  ],
  more: [
    'auditStep',
    'retrieved',
    'auditorAbsent',
    'productName',
    'phone',
    'lastSendBackReason',
    'thirdOrderNo',
    'term',
    'applyTime',
    'machineTime',
  ],
  rowAndBulk: act => [
    { label: 'actions.allot', needs: auditAllot.allot, dialog: AllotDialog },
    act(auditAllot.unallot, { label: 'actions.takeBack', confirm: 'audit.confirmTakeBack' }),
  ],
  toolbar: act => [
    { label: 'actions.autoAllot', needs: auditAllot.autoAllot, dialog: AutoAllotDialog },
    { label: 'audit.auditors', needs: { perm: auditAllot.allotAuditors.perm }, dialog: AuditorsDialog },
    act(auditAllot.autoSwitch, { label: 'actions.autoSwitch', ask: ['enabled'], confirm: 'audit.autoSwitchHint' }),
  ],
  above: () => <FloorFigures />,
  head: orderHead,
  detail: row => <OrderBrief orderNo={row.orderNo} />,
  also: [
    auditAllot.allotStat,
    auditAllot.allotAuditors,
    auditAllot.autoPreview,
    orderBrief.summary,
    orderBrief.steps,
    ...logCalls,
  ],
  refresh: 30_000,
})
