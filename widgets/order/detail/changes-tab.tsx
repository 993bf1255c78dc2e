import { RecordLogs } from '../../shared/record-log.tsx'

/** What was changed of an order and its records, and who saw what of them. */
export const ChangesTab = ({ orderNo }: { orderNo: string }) => (
  <div className="mk-stack">
    <RecordLogs of={{ orderNo }} />
  </div>
)
