import { useMay } from '../../core/client/providers.tsx'
import { orderShort } from '../../core/contract/audit/order-short.ts'
import { logCalls } from '../../core/contract/common/common.ts'
import type { RowOf } from '../../core/contract/endpoint.ts'
import { orderBrief } from '../../core/contract/order/order-brief.ts'
import { Facts } from '../../core/engine/drawer/facts.tsx'
import { listScreen } from '../../core/engine/list/list-screen.ts'
import { OrderBrief, orderHead } from '../shared/order-brief.tsx'
import { NumberSearch } from './number-search.tsx'

const { shortList } = orderShort
const columns = [
  'orderNo',
  'thirdOrderNo',
  'merchantName',
  'customerName',
  'orderStatus',
  'applyTime',
  'payoutTime',
  'loanAmount',
  'actualLoanAmount',
  'term',
  'nextDueDate',
  'overdueDays',
] as const

/** The order in short for those who may open orders; for others what the list shows, and nothing else. */
const Detail = ({ row }: { row: RowOf<typeof shortList> }) =>
  useMay().call(orderBrief.summary) ? (
    <OrderBrief orderNo={row.orderNo} />
  ) : (
    <Facts schema={shortList.row} value={row} names={[...columns, 'refuseText']} />
  )

/** Customer service, merchant staff and management see how far an order is, and nothing private of it. */
export default listScreen({
  list: shortList,
  rowKey: 'orderNo',
  start: { applyTime: 'last30' },
  filters: ['orderNo', 'phone', 'orderStatus', 'applyTime', 'thirdOrderNo', 'merchantNo', 'orderStatusType'],
  columns,
  more: ['refuseText'],
  above: (filters, apply) => <NumberSearch filters={filters} apply={apply} />,
  head: orderHead,
  detail: row => <Detail row={row} />,
  also: [orderBrief.summary, orderBrief.steps, ...logCalls],
})
