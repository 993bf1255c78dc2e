import { retrieval } from '../../core/contract/audit/retrieval.ts'
import { common } from '../../core/contract/common/common.ts'
import type { RowOf } from '../../core/contract/endpoint.ts'
import { orderBrief } from '../../core/contract/order/order-brief.ts'
import { listScreen } from '../../core/engine/list/list-screen.ts'
import { tabbed } from '../../core/engine/list/tabbed.tsx'
import type { Words } from '../../core/engine/screen.ts'
import { AddRetrieval } from './retrieval/add-retrieval.tsx'
import { BatchDetail } from './retrieval/batch-detail.tsx'
import { ItemDetail } from './retrieval/item-detail.tsx'

type Item = RowOf<typeof retrieval.items>

/** What follows from putting an order back, by where it stands now. */
const asks = {
  pending_review: 'retrieval.asksRevertReviewing',
  pending_disbursement: 'retrieval.asksRevertUnsent',
  funds_disbursed: 'retrieval.asksRevertPaid',
} as const

const asksRevert = (rows: readonly Item[]): Words => {
  const [row] = rows
  if (rows.length > 1 || !row) return 'retrieval.asksRevertMany'
  return asks[row.orderStatus as keyof typeof asks] ?? 'retrieval.asksRevert'
}

const items = listScreen({
  list: retrieval.items,
  rowKey: 'retrievalNo',
  start: { createdTime: 'last30' },
  filters: [
    'orderNo',
    'retrievalStatus',
    'orderStatus',
    'createdTime',
    'statusBefore',
    'merchantNo',
    'retrievalBatchNo',
    'createdBy',
  ],
  columns: [
    'enteredNo',
    'customerName',
    'merchantName',
    'loanAmount',
    'statusBefore',
    'orderStatus',
    'retrievalStatus',
    'failReason',
    'retrievalBatchNo',
    'createdByName',
    'createdTime',
    'auditorName',
    'auditResult',
  ],
  more: ['retrievalNo', 'orderNo', 'modelLevel', 'refuseCode', 'refuseReason', 'actualLoanAmount', 'pendingApproval'],
  toolbar: () => [{ label: 'actions.addRetrieval', needs: retrieval.preview, dialog: AddRetrieval }],
  rowAndBulk: act => [act(retrieval.revert, { label: 'actions.revertRetrieval', tone: 'danger', confirm: asksRevert })],
  detail: (row, reload) => <ItemDetail row={row} reload={reload} />,
  also: [
    retrieval.confirm,
    retrieval.discard,
    retrieval.batches,
    orderBrief.summary,
    orderBrief.steps,
    common.approvals,
    common.approve,
    common.reject,
    common.withdraw,
  ],
})

const batches = listScreen({
  list: retrieval.batches,
  rowKey: 'retrievalBatchNo',
  start: { createdTime: 'last30' },
  filters: ['retrievalBatchNo', 'batchStatus', 'createdBy', 'createdTime'],
  columns: [
    'retrievalBatchNo',
    'source',
    'fileName',
    'total',
    'retrievedCount',
    'notRetrievedCount',
    'batchStatus',
    'createdByName',
    'createdTime',
    'finishedTime',
  ],
  row: act => [act(retrieval.discard, { label: 'retrieval.discard', confirm: 'retrieval.discardHint' })],
  detail: row => <BatchDetail batchNo={row.retrievalBatchNo} />,
  also: [retrieval.items],
  refresh: 10_000,
})

/** Risk and audit leads let chosen refused orders be seen by a person, and put each back exactly where it was. */
export default tabbed([
  { name: 'items', label: 'retrieval.items', screen: items },
  { name: 'batches', label: 'retrieval.batches', screen: batches },
])
