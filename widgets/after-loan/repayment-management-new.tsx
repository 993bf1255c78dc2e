import { payLink, payLinkCalls } from '../../core/contract/after-loan/pay-link.ts'
import { receipt } from '../../core/contract/after-loan/receipt.ts'
import { repay } from '../../core/contract/after-loan/repayment.ts'
import type { BillOrderRow } from '../../core/contract/after-loan/repayment-rows.ts'
import { approvalCalls } from '../../core/contract/common/approval.ts'
import { logCalls } from '../../core/contract/common/common.ts'
import { useText } from '../../core/element/i18n.ts'
import { listScreen } from '../../core/engine/list/list-screen.ts'
import type { DialogProps } from '../../core/engine/screen.ts'
import { Dict } from '../../core/engine/table/value.tsx'
import { formatMoney } from '../../core/rules/amount.ts'
import { PayCodeDialog } from './pay-code/pay-code-dialog.tsx'
import { PayLinkDialog } from './pay-link/pay-link-dialog.tsx'
import { QuoteDialog } from './repayment/extension-dialog.tsx'
import { RepaymentDetail } from './repayment/repayment-detail.tsx'
import { TrialDialog } from './repayment/trial-dialog.tsx'
import { WriteOffDialog } from './repayment/write-off-dialog.tsx'
import { ZeroSettleDialog } from './repayment/zero-settle-dialog.tsx'

const WriteOffBill = ({ rows, close }: DialogProps<BillOrderRow>) => (
  <WriteOffDialog rows={rows} bill={rows[0]} close={close} />
)

const TrialOfBill = ({ rows, close }: DialogProps<BillOrderRow>) => (
  <TrialDialog rows={rows} bill={rows[0]} close={close} />
)

const QuoteOfBill = ({ rows, close }: DialogProps<BillOrderRow>) => (
  <QuoteDialog rows={rows} bill={rows[0]} close={close} />
)

/** Orders are settled, not bills: says how many orders the chosen bills belong to. */
const SettleOrders = ({ rows, left, close }: DialogProps<BillOrderRow>) => {
  const t = useText()
  const orders = [...new Map(rows.map(row => [row.orderNo, row])).values()]
  return (
    <ZeroSettleDialog
      rows={orders}
      left={left}
      close={close}
      note={t('afterLoan.billsChosen', { bills: rows.length, orders: orders.length })}
    />
  )
}

const head = (row: BillOrderRow) => (
  <>
    <Dict dict="BILL_STATUS" value={row.billStatus} />
    <span>UGX {formatMoney(row.left)}</span>
  </>
)

/** Bills of instalment products, the oldest due first; commands are those of their orders. */
export default listScreen({
  list: repay.bills,
  rowKey: 'billNo',
  start: { billStatus: ['pending', 'partial'], dueDate: 'around' },
  presets: [
    { label: 'afterLoan.dueToday', filters: { billStatus: ['pending', 'partial'], dueDate: 'today' } },
    { label: 'afterLoan.overdue1to7', filters: { overdueDays: [1, 7] }, sort: '-overdueDays' },
    { label: 'afterLoan.moneyWaiting', filters: { hasFlow: true, billStatus: ['pending', 'partial'] } },
    { label: 'afterLoan.settled', filters: { billStatus: ['paid'] }, sort: '-settledTime' },
  ],
  filters: [
    'orderNo',
    'phone',
    'billStatus',
    'dueDate',
    'billNo',
    'installmentNo',
    'overdue',
    'overdueDays',
    'thirdOrderNo',
    'idNumber',
    'customerNo',
    'merchantNo',
    'productNo',
    'loanKind',
    'payoutTime',
    'settledTime',
    'extended',
    'hasOverflow',
    'hasFlow',
  ],
  columns: [
    'billNo',
    'orderNo',
    'installmentNo',
    'customerName',
    'dueDate',
    'billAmount',
    'left',
    'overdueDays',
    'billStatus',
  ],
  more: [
    'installmentCount',
    'phone',
    'merchantName',
    'productName',
    'principal',
    'interest',
    'serviceFee',
    'managementFee',
    'lateFee',
    'liquidatedDamages',
    'paidAmount',
    'reductionAmount',
    'extended',
    'extensionCount',
    'settledTime',
    'thirdOrderNo',
    'orderStatus',
  ],
  row: () => [
    { label: 'actions.writeOff', needs: repay.commit, dialog: WriteOffBill },
    { label: 'actions.quoteExtension', needs: repay.extensionQuote, dialog: QuoteOfBill },
    { label: 'actions.payCode', needs: repay.payCode, dialog: PayCodeDialog },
    { label: 'actions.payLink', needs: payLink.create, dialog: PayLinkDialog },
    { label: 'actions.trial', needs: repay.trial, dialog: TrialOfBill },
  ],
  bulk: () => [{ label: 'actions.zeroSettle', needs: repay.zeroSettle, dialog: SettleOrders }],
  head,
  detail: (row, reload) => <RepaymentDetail orderNo={row.orderNo} billNo={row.billNo} reload={reload} />,
  also: [
    ...logCalls,
    repay.detail,
    repay.trial,
    repay.extensionCancel,
    repay.commit,
    repay.flowSave,
    repay.zeroPreview,
    repay.zeroSettle,
    repay.rollback,
    repay.reuseOverflow,
    repay.payCode,
    ...Object.values(payLinkCalls),
    ...Object.values(receipt),
    ...approvalCalls,
  ],
})
