import type { BillOrderRow, BillRow } from '../../../core/contract/after-loan/repayment-rows.ts'
import { useText } from '../../../core/element/i18n.ts'
import { Callout } from '../../../core/ui/basics.ts'

/** The bill that a form was opened for. */
export type AskedBill = Pick<BillOrderRow, 'billNo' | 'dueDate' | 'installmentNo'>

const isOpen = ({ billStatus }: BillRow) => billStatus === 'pending' || billStatus === 'partial'

/** Money goes to the oldest open bill: says so where another one was chosen. */
export const OlderFirst = ({ bill, bills }: { bill: AskedBill | undefined; bills: readonly BillRow[] }) => {
  const t = useText()
  const oldest = bills.filter(isOpen).sort((a, b) => a.dueDate.localeCompare(b.dueDate))[0]
  if (!bill || !oldest || oldest.dueDate >= bill.dueDate) return null
  return (
    <Callout.Root color="amber" size="1" role="status">
      <Callout.Text>
        {t('afterLoan.olderFirst', {
          installmentNo: oldest.installmentNo,
          billNo: oldest.billNo,
          date: oldest.dueDate,
        })}
      </Callout.Text>
    </Callout.Root>
  )
}
