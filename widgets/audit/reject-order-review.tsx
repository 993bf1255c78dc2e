import { reReview } from '../../core/contract/audit/re-review.ts'
import { orderBrief } from '../../core/contract/order/order-brief.ts'
import { listScreen } from '../../core/engine/list/list-screen.ts'
import { tabbed } from '../../core/engine/list/tabbed.tsx'
import { OrderBrief } from '../shared/order-brief.tsx'
import { OriginalPhone } from './re-review/original-phone.tsx'
import { RefusedBy } from './re-review/refused-by.tsx'
import { TodaysCount } from './re-review/todays-count.tsx'

const also = [reReview.quota, orderBrief.summary, orderBrief.steps]

const rejected = listScreen({
  list: reReview.rejected,
  rowKey: 'orderNo',
  start: { eligible: true, refusedTime: 'last30' },
  presets: [
    { label: 'reReview.eligible', filters: { eligible: true, refusedTime: 'last30' } },
    { label: 'reReview.all', filters: { refusedTime: 'last30' } },
  ],
  filters: ['orderNo', 'merchantNo', 'orderStatus', 'refusedTime', 'phone', 'refuseCode', 'eligible', 'loanKind'],
  columns: [
    'orderNo',
    'customerName',
    'merchantName',
    'phone',
    'orderStatus',
    'refuseReason',
    { id: 'refusedByName', cell: row => <RefusedBy row={row} /> },
    'refusedTime',
    'loanAmount',
    'modelLevel',
    'memberLevel',
    'pastLoans',
    'maxOverdueDays',
    'ineligibleReason',
  ],
  more: ['refuseCode', 'eligible', 'loanKind'],
  above: () => <TodaysCount />,
  rowAndBulk: act => [
    act(reReview.apply, {
      label: 'actions.applyReReview',
      ask: ['reason'],
      confirm: 'reReview.confirm',
    }),
  ],
  row: () => [{ label: 'actions.originalPhone', needs: { perm: reReview.originalPhone.perm }, dialog: OriginalPhone }],
  detail: row => <OrderBrief orderNo={row.orderNo} />,
  also: [...also, reReview.originalPhone],
})

const records = listScreen({
  list: reReview.records,
  rowKey: 'reReviewNo',
  start: { createdTime: 'last30' },
  presets: [
    { label: 'reReview.records', filters: { createdTime: 'last30' } },
    { label: 'reReview.mine', filters: { mine: true, createdTime: 'last30' } },
  ],
  filters: ['orderNo', 'reReviewStatus', 'applicantNo', 'createdTime', 'mine'],
  columns: [
    'reReviewNo',
    'orderNo',
    'customerName',
    'merchantName',
    'loanAmount',
    'applicantName',
    'reason',
    'createdTime',
    'reReviewStatus',
    'auditorName',
    'orderStatus',
  ],
  more: ['finishedTime'],
  above: () => <TodaysCount />,
  detail: row => <OrderBrief orderNo={row.orderNo} />,
  also,
})

/** Senior auditors and customer service ask for a second look at a rejected order, within their count of the day. */
export default tabbed([
  { name: 'orders', label: 'reReview.orders', screen: rejected },
  { name: 'records', label: 'reReview.records', screen: records },
])
