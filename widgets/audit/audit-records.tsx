import type { DialogProps } from '../../core/engine/screen.ts'
import { Drawer } from '../../core/ui/overlay/drawer.tsx'
import { ReviewTab } from '../shared/review-record.tsx'

/** What each reviewer of an order decided and answered, and whom they called. */
export const AuditRecords = ({
  rows: [{ orderNo, customerName }],
  close,
}: DialogProps<{ orderNo: string; customerName: string }>) => (
  <Drawer open onClose={() => close()} title={<span className="mk-key">{orderNo}</span>} summary={customerName}>
    <ReviewTab orderNo={orderNo} />
  </Drawer>
)
