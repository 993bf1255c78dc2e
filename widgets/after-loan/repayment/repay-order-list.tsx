import { payLink, payLinkCalls } from '../../../core/contract/after-loan/pay-link.ts'
import { receipt } from '../../../core/contract/after-loan/receipt.ts'
import { repay } from '../../../core/contract/after-loan/repayment.ts'
import { approvalCalls } from '../../../core/contract/common/approval.ts'
import { logCalls } from '../../../core/contract/common/common.ts'
import { listScreen } from '../../../core/engine/list/list-screen.ts'
import { PayCodeDialog } from '../pay-code/pay-code-dialog.tsx'
import { PayLinkDialog } from '../pay-link/pay-link-dialog.tsx'
import { QuoteDialog } from './extension-dialog.tsx'
import { RepaymentDetail, repaymentHead } from './repayment-detail.tsx'
import { TrialDialog } from './trial-dialog.tsx'
import { WriteOffDialog } from './write-off-dialog.tsx'
import { ZeroSettleDialog } from './zero-settle-dialog.tsx'

/** Orders on loan and after: what must be paid today, money applied to them, leftovers settled. */
export default listScreen({
  list: repay.page,
  rowKey: 'orderNo',
  start: { orderStatus: ['funds_disbursed'], payoutTime: 'last30' },
  presets: [
    { label: 'afterLoan.onLoan', filters: { orderStatus: ['funds_disbursed'] } },
    { label: 'afterLoan.overdue1to7', filters: { overdueDays: [1, 7] }, sort: '-overdueDays' },
    { label: 'afterLoan.moneyWaiting', filters: { hasFlow: true } },
    { label: 'afterLoan.settled', filters: { orderStatus: ['settled'] }, sort: '-settledTime' },
  ],
  filters: [
    'orderNo',
    'phone',
    'orderStatus',
    'payoutTime',
    'dueDate',
    'overdueDays',
    'thirdOrderNo',
    'idNumber',
    'customerNo',
    'merchantNo',
    'productNo',
    'loanKind',
    'overdue',
    'settledTime',
    'hasOverflow',
    'hasFlow',
    'extensionCount',
  ],
  columns: ['orderNo', 'customerName', 'loanAmount', 'dueDate', 'overdueDays', 'settleAmount', 'orderStatus'],
  more: [
    'phone',
    'paidAmount',
    'payoutTime',
    'outstandingPrincipal',
    'outstandingInterest',
    'outstandingFee',
    'outstandingPenalty',
    'thirdOrderNo',
    'merchantName',
    'productName',
    'loanKind',
    'actualLoanAmount',
    'installmentsPaid',
    'reductionAmount',
    'overflowAmount',
    'extensionCount',
    'repaymentTime',
    'settledTime',
  ],
  row: () => [
    {
      label: 'actions.writeOff',
      needs: repay.commit,
      dialog: WriteOffDialog,
    },
    { label: 'actions.quoteExtension', needs: repay.extensionQuote, dialog: QuoteDialog },
    { label: 'actions.payCode', needs: repay.payCode, dialog: PayCodeDialog },
    { label: 'actions.payLink', needs: payLink.create, dialog: PayLinkDialog },
    { label: 'actions.trial', needs: repay.trial, dialog: TrialDialog },
  ],
  toolbar: () => [
    { label: 'actions.findZeroSettle', needs: { perm: repay.zeroSettle.perm }, dialog: ZeroSettleDialog },
  ],
  bulk: () => [{ label: 'actions.zeroSettle', needs: repay.zeroSettle, dialog: ZeroSettleDialog }],
  head: repaymentHead,
  detail: (row, reload) => <RepaymentDetail orderNo={row.orderNo} reload={reload} />,
  also: [
    ...logCalls,
    repay.detail,
    repay.trial,
    repay.extensionCancel,
    repay.zeroPreview,
    repay.rollback,
    repay.reuseOverflow,
    repay.payCode,
    ...Object.values(payLinkCalls),
    ...Object.values(receipt),
    ...approvalCalls,
  ],
})
