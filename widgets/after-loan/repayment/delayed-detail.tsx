import { type DelayRow, delayed } from '../../../core/contract/after-loan/delayed-arrival.ts'
import { Facts } from '../../../core/engine/drawer/facts.tsx'
import { Files } from '../../shared/record/files.tsx'
import { RecordLog } from '../../shared/record-log.tsx'

/** A request with its evidence. */
export const DelayDetail = ({ row }: { row: DelayRow }) => (
  <>
    <Facts
      schema={delayed.page.row}
      value={row}
      names={[
        'delayStatus',
        'orderNo',
        'customerName',
        'merchantName',
        'serialNo',
        'paymentChannel',
        'amount',
        'entryTime',
        'dueDate',
        'claimedDate',
        'contestedPenalty',
        'makerName',
        'createdTime',
        'auditorName',
        'auditTime',
        'auditReason',
        'repaymentNo',
      ]}
    />
    <Files objectType="flow" objectNo={row.flowNo} />
    <RecordLog of={{ objectType: 'delayedArrival', objectNo: row.delayNo }} />
  </>
)
