import { refund } from '../../core/contract/charge/refund.ts'
import type { RefundRow } from '../../core/contract/charge/refund-rows.ts'
import { attach } from '../../core/contract/common/attachment.ts'
import { upload } from '../../core/contract/common/upload.ts'
import { listScreen } from '../../core/engine/list/list-screen.ts'
import type { Act } from '../../core/engine/screen.ts'
import { RefundDetail, refundHead } from './refund-detail.tsx'
import { NewRefundDialog, PayeeChangeDialog, ResubmitDialog } from './refund-dialogs.tsx'
import { verifyPayee } from './refund-words.ts'

const payOut = (act: Act<RefundRow>) =>
  act(refund.payout, {
    label: 'actions.payRefund',
    ask: ['fundAccountNo'],
    confirm: 'charge.confirmPayout',
    done: 'charge.payoutSent',
  })

/** Repayment officers ask for refunds and follow them; the cashier pays approved ones. */
export default listScreen({
  list: refund.page,
  rowKey: 'refundNo',
  start: { applyTime: 'last30' },
  filters: [
    'refundNo',
    'orderNo',
    'refundStatus',
    'applyTime',
    'customerName',
    'phone',
    'serialNo',
    'merchantNo',
    'channel',
    'refundSource',
    'auditStatus',
    'verifyStatus',
    'ignoreVerification',
    'samePayer',
    'runningMinutes',
    'refundAmount',
    'successTime',
    'makerName',
    'mine',
  ],
  presets: [
    {
      label: 'charge.toPay',
      filters: { refundStatus: ['created'], auditStatus: ['approved'] },
      sort: 'applyTime',
      counted: true,
    },
    {
      label: 'charge.inProgressLong',
      filters: { refundStatus: ['in_progress'], runningMinutes: [30, null] },
      sort: 'applyTime',
    },
    { label: 'charge.failedRefunds', filters: { refundStatus: ['failure'] } },
    {
      label: 'charge.rejectedMine',
      filters: { refundStatus: ['created'], auditStatus: ['rejected'], mine: true },
    },
    { label: 'charge.waitingReview', filters: { refundStatus: ['created'], auditStatus: ['pending'] } },
  ],
  columns: [
    'refundNo',
    'customerName',
    'payeeName',
    'payeeAccount',
    'refundAmount',
    'refundStatus',
    'auditStatus',
    'verifyStatus',
    'samePayer',
    'applyTime',
  ],
  more: [
    'orderNo',
    'phone',
    'merchantName',
    'refundSource',
    'channel',
    'payeeBank',
    'ignoreVerification',
    'matchScore',
    'runningMinutes',
    'attemptNo',
    'failType',
    'failReason',
    'serialNo',
    'refundReason',
    'makerName',
    'auditorName',
    'auditTime',
    'auditReason',
    'payerUserName',
    'successTime',
    'confirmStatus',
    'remark',
  ],
  toolbar: act => [
    { label: 'actions.newRefund', needs: { perm: refund.submit.perm as string }, dialog: NewRefundDialog },
    act(refund.fromFlow, {
      label: 'actions.refundFromFlow',
      ask: ['flowNo', 'reason'],
      confirm: 'charge.confirmFromFlow',
    }),
  ],
  row: act => [
    payOut(act),
    act(refund.sent, {
      label: 'actions.markRefundSent',
      ask: ['fundAccountNo', 'serialNo', 'evidence'],
      confirm: 'charge.confirmMarkSent',
    }),
    act(refund.again, {
      label: 'actions.payRefundAgain',
      ask: ['fundAccountNo', 'serialNo', 'evidence'],
      confirm: 'charge.confirmAgain',
      done: 'charge.payoutSent',
    }),
    { label: 'actions.resubmitRefund', needs: refund.resubmit, dialog: ResubmitDialog },
    { label: 'actions.changePayee', needs: refund.editPayee, dialog: PayeeChangeDialog },
    verifyPayee(act),
    act(refund.query, {
      label: 'actions.askRefund',
      confirm: 'charge.confirmAsk',
      done: answer => ({ key: 'charge.channelSays', params: { answer: (answer as { answer: string }).answer } }),
    }),
    act(refund.confirm, {
      label: 'actions.confirmRefund',
      ask: ['result', 'serialNo', 'statementDate', 'evidence'],
      confirm: 'charge.confirmOutcome',
    }),
    act(refund.close, {
      label: 'actions.closeRefund',
      tone: 'danger',
      ask: ['reason'],
      confirm: 'charge.confirmClose',
    }),
  ],
  bulk: act => [payOut(act)],
  head: refundHead,
  detail: row => <RefundDetail refundNo={row.refundNo} />,
  also: [
    refund.detail,
    refund.check,
    refund.submit,
    attach.list,
    upload.token,
    upload.chunk,
    upload.complete,
    upload.file,
  ],
  refresh: 15_000,
})
