import { repay } from '../../core/contract/repay.ts'
import { listScreen } from '../../core/engine/list-screen.ts'
import { names } from '../../core/engine/names.ts'
import { RepaymentDetail, repaymentHead } from './repayment-detail.tsx'
import { WriteOffDialog } from './write-off-dialog.tsx'
import { ZeroSettleDialog } from './zero-settle-dialog.tsx'

/** Orders on loan and after: what must be paid today, money applied to them, leftovers settled. */
export default listScreen({
  list: repay.page,
  rowKey: 'orderNo',
  start: { orderStatus: ['funds_disbursed'] },
  presets: [
    { label: 'afterLoan.onLoan', filters: { orderStatus: ['funds_disbursed'] } },
    { label: 'afterLoan.overdue1to7', filters: { overdueDays: [1, 7] }, sort: '-overdueDays' },
    { label: 'afterLoan.moneyWaiting', filters: { hasFlow: true } },
    { label: 'afterLoan.settled', filters: { orderStatus: ['settled'] }, sort: '-settledTime' },
  ],
  filters: names(`orderNo phone dueDate overdueDays thirdOrderNo idNumber customerNo merchantNo productNo loanKind
    orderStatus overdue payoutTime settledTime hasOverflow hasFlow`),
  columns: names('orderNo customerName loanAmount dueDate overdueDays settleAmount orderStatus'),
  more: names(`phone paidAmount payoutTime outstandingPrincipal outstandingInterest outstandingFee outstandingPenalty
    thirdOrderNo merchantName productName loanKind actualLoanAmount installmentsPaid reductionAmount overflowAmount
    repaymentTime settledTime`),
  row: () => [
    {
      label: 'actions.writeOff',
      needs: repay.commit,
      when: row => row.orderStatus === 'funds_disbursed',
      dialog: WriteOffDialog,
    },
  ],
  bulk: () => [{ label: 'actions.zeroSettle', needs: repay.zeroSettle, dialog: ZeroSettleDialog }],
  head: repaymentHead,
  detail: (row, reload) => <RepaymentDetail orderNo={row.orderNo} reload={reload} />,
  also: [repay.detail, repay.trial, repay.zeroPreview, repay.rollback, repay.reuseOverflow, repay.payCode],
})
