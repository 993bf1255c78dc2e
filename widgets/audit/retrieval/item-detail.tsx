import { retrieval } from '../../../core/contract/audit/retrieval.ts'
import type { RowOf } from '../../../core/contract/endpoint.ts'
import { Facts } from '../../../core/engine/drawer/facts.tsx'
import { ApprovalCard } from '../../shared/approval-card.tsx'
import { OrderBrief } from '../../shared/order-brief.tsx'

type Item = RowOf<typeof retrieval.items>
const names = [
  'enteredNo',
  'retrievalStatus',
  'statusBefore',
  'failReason',
  'retrievalBatchNo',
  'createdByName',
  'createdTime',
]

/** A retrieval: the request to return it where one waits, what was entered, and the order with its steps before and after. */
export const ItemDetail = ({ row, reload }: { row: Item; reload: () => void }) => (
  <>
    {row.pendingApproval && <ApprovalCard objectType="retrieval" objectNo={row.retrievalNo} onChange={reload} />}
    <Facts schema={retrieval.items.row} value={row} names={names} />
    {row.orderNo && <OrderBrief orderNo={row.orderNo} />}
  </>
)
