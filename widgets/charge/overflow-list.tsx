import { refund } from '../../core/contract/charge/refund.ts'
import type { CandidateRow } from '../../core/contract/charge/refund-rows.ts'
import { upload } from '../../core/contract/common/upload.ts'
import { pathOf } from '../../core/contract/pages.ts'
import { listScreen } from '../../core/engine/list/list-screen.ts'
import { CandidateDialog } from './refund-dialogs.tsx'

const repayments = pathOf('AfterLoanSystem', 'RepaymentManagement')
const least = 20

/** What is held for customers because more came in than was owed: used for their next loan, or given back. */
export default listScreen({
  list: refund.candidates,
  rowKey: 'overpaymentNo',
  start: { refundableAmount: ['20.00', null] },
  filters: ['customerNo', 'phone', 'orderNo', 'refundableAmount', 'merchantNo', 'ageDays', 'overpaymentStatus'],
  columns: [
    'customerName',
    'customerNo',
    'phone',
    'orderNo',
    'refundableAmount',
    'overpaymentStatus',
    'hasOpenOrder',
    'ageDays',
    'merchantName',
  ],
  more: ['overpaymentNo', 'credited', 'reapplied', 'refunded', 'reserved'],
  row: () => [
    {
      label: 'actions.newRefund',
      needs: { perm: refund.submit.perm as string },
      when: (row: CandidateRow) =>
        row.overpaymentStatus === 'locked'
          ? 'charge.hasOpenRefund'
          : Number(row.refundableAmount) >= least || 'charge.nothingToRefund',
      dialog: CandidateDialog,
    },
    {
      label: 'actions.goUseOverflow',
      when: (row: CandidateRow) => row.hasOpenOrder || 'charge.noOpenLoan',
      go: (row: CandidateRow) => ({ to: repayments, query: { customerNo: row.customerNo } }),
    },
  ],
  also: [refund.check, refund.submit, upload.token, upload.chunk, upload.complete, upload.file],
})
