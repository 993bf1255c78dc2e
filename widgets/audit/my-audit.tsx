import { auditQueue } from '../../core/contract/audit-queue.ts'
import { orderBrief } from '../../core/contract/order-brief.ts'
import { listScreen } from '../../core/engine/list-screen.ts'
import { names } from '../../core/engine/names.ts'
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
    { label: 'audit.boxTodo', filters: { box: 'todo' }, sort: 'allotTime' },
    { label: 'audit.boxOpened', filters: { box: 'opened' }, sort: 'allotTime' },
    { label: 'audit.boxDone', filters: { box: 'done' }, sort: '-submitTime' },
  ],
  filters: names('orderNo merchantNo loanKind modelLevel auditStep applyTime auditResult submitTime'),
  columns:
    names(`orderNo customerName merchantName loanKind loanAmount modelLevel auditTaskStatus waitingMinutes hasDraft
    auditResult approvalAmount`),
  more: names('allotTime submitTime handleSeconds auditStep productName phone lastSendBackReason refuseCode'),
  row: () => [
    {
      label: 'actions.handle',
      needs: auditQueue.open,
      when: row => row.auditTaskStatus === 'assigned' || row.auditTaskStatus === 'opened',
      go: row => handle(row.orderNo),
    },
  ],
  above: () => <MyDay auditPath={auditPath} />,
  detail: row => <OrderBrief orderNo={row.orderNo} />,
  also: [auditQueue.selfStat, auditQueue.next, orderBrief.summary, orderBrief.steps],
  refresh: 30_000,
})
