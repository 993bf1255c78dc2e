import { auditQueue } from '../../core/contract/audit/queue.ts'
import { logCalls } from '../../core/contract/common/common.ts'
import { orderBrief } from '../../core/contract/order/order-brief.ts'
import { listScreen } from '../../core/engine/list/list-screen.ts'
import { OrderBrief } from '../shared/order-brief.tsx'
import { MyDay } from './my-day.tsx'

const auditPath = '/AdminContent/OrderDetailAudit/OrderAudit'
const handle = (orderNo: string) => ({ to: auditPath, query: { orderNo, from: 'MyAudit' } })

/** The auditor's own queue, oldest first, and what was done today. */
export default listScreen({
  list: auditQueue.selfList,
  rowKey: 'orderNo',
  start: { box: 'todo' },
  presets: [
    { label: 'audit.boxTodo', filters: { box: 'todo' }, sort: 'allotTime', counted: true },
    { label: 'audit.boxOpened', filters: { box: 'opened' }, sort: 'allotTime' },
    { label: 'audit.doneToday', filters: { box: 'done', submitTime: 'today' }, sort: '-submitTime' },
  ],
  filters: ['orderNo', 'merchantNo', 'loanKind', 'modelLevel', 'auditStep', 'applyTime', 'auditResult', 'submitTime'],
  columns: [
    'orderNo',
    'customerName',
    'merchantName',
    'loanKind',
    'loanAmount',
    'modelLevel',
    'auditTaskStatus',
    'waitingMinutes',
    'hasDraft',
    'auditResult',
    'approvalAmount',
  ],
  more: [
    'allotTime',
    'submitTime',
    'handleSeconds',
    'auditStep',
    'productName',
    'phone',
    'lastSendBackReason',
    'refuseReason',
  ],
  row: () => [
    {
      label: 'actions.handle',
      needs: auditQueue.open,
      go: row => handle(row.orderNo),
    },
  ],
  above: () => <MyDay auditPath={auditPath} />,
  detail: row => <OrderBrief orderNo={row.orderNo} />,
  also: [auditQueue.selfStat, auditQueue.next, orderBrief.summary, orderBrief.steps, ...logCalls],
  refresh: 30_000,
})
