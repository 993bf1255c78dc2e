import { auditAllot } from '../../core/contract/audit/allotment.ts'
import { logCalls } from '../../core/contract/common/common.ts'
import { orderBrief } from '../../core/contract/order/order-brief.ts'
import { listScreen } from '../../core/engine/list/list-screen.ts'
import { OrderBrief, orderHead } from '../shared/order-brief.tsx'
import { AllotDialog } from './allot-dialog.tsx'
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
  more: ['auditStep', 'productName', 'phone', 'lastSendBackReason', 'thirdOrderNo', 'term', 'applyTime', 'machineTime'],
  rowAndBulk: act => [
    { label: 'actions.allot', needs: auditAllot.allot, dialog: AllotDialog },
    act(auditAllot.unallot, { label: 'actions.takeBack', confirm: 'audit.confirmTakeBack' }),
  ],
  toolbar: act => [act(auditAllot.autoAllot, { label: 'actions.autoAllot', confirm: 'audit.confirmAutoAllot' })],
  above: () => <FloorFigures />,
  head: orderHead,
  detail: row => <OrderBrief orderNo={row.orderNo} />,
  also: [auditAllot.allotStat, auditAllot.allotAuditors, orderBrief.summary, orderBrief.steps, ...logCalls],
  refresh: 30_000,
})
