import { audit } from '../../core/contract/audit.ts'
import type { RowOf } from '../../core/contract/endpoint.ts'
import { order } from '../../core/contract/order.ts'
import { hidden, names } from '../../core/engine/names.ts'
import { type Act, type Action, listScreen } from '../../core/engine/screen.ts'
import { OrderBrief, orderHead } from '../shared/order-brief.tsx'
import { AllotDialog } from './allot-dialog.tsx'
import { FloorFigures, Waiting } from './floor-figures.tsx'

type Row = RowOf<typeof audit.allotList>

const hand = (act: Act<Row>): Action<Row>[] => [
  { label: 'actions.allot', needs: audit.allot, dialog: (rows, close) => <AllotDialog rows={rows} close={close} /> },
  act(audit.unallot, {
    label: 'actions.takeBack',
    confirm: rows => ({ key: 'audit.confirmTakeBack', params: { n: rows.length } }),
    when: row => !row.leaseLive,
  }),
]

/** The audit supervisor keeps the queue empty: gives orders to those who may take them, and takes work back. */
export default listScreen({
  list: audit.allotList,
  rowKey: 'orderNo',
  start: { orderStatus: ['to_be_allocated'] },
  presets: [
    { label: 'audit.toAllot', filters: { orderStatus: ['to_be_allocated'] }, sort: '-waitingMinutes' },
    { label: 'audit.withAuditors', filters: { orderStatus: ['pending_review'] }, sort: '-waitingMinutes' },
    { label: 'audit.waitingLong', filters: { waitingMinutes: [30, null] }, sort: '-waitingMinutes' },
  ],
  filters:
    names(`orderNo merchantNo auditorNo waitingMinutes thirdOrderNo customerName phone idNumber productNo loanKind
    modelLevel memberLevel auditStep applyTime`),
  columns: [
    ...names('orderNo customerName merchantName loanKind loanAmount modelLevel'),
    { id: 'waitingMinutes', cell: row => <Waiting minutes={row.waitingMinutes} /> },
    ...names('orderStatus auditorName auditTaskStatus'),
    ...hidden('auditStep productName phone lastSendBackReason thirdOrderNo term applyTime machineTime'),
  ],
  row: hand,
  bulk: hand,
  toolbar: act => [act(audit.autoAllot, { label: 'actions.autoAllot', confirm: () => 'audit.confirmAutoAllot' })],
  above: () => <FloorFigures />,
  head: orderHead,
  detail: row => <OrderBrief orderNo={row.orderNo} />,
  also: [audit.allotStat, audit.allotAuditors, order.summary, order.steps],
  refresh: 30_000,
})
