import { type TransferReviewRow, transfer } from '../../core/contract/charge/transfer.ts'
import { attach } from '../../core/contract/common/attachment.ts'
import { upload } from '../../core/contract/common/upload.ts'
import { listScreen } from '../../core/engine/list/list-screen.ts'
import { ApprovalShare, TransferDetail, transferHead } from './transfer-detail.tsx'

/** Finance leads approve transfers one by one, and somebody other than the applicant pays them. */
export default listScreen({
  list: transfer.auditPage,
  rowKey: 'transferNo',
  start: { transferStatus: ['pending', 'approved'] },
  filters: [
    'transferNo',
    'fromAccountNo',
    'transferStatus',
    'applyTime',
    'toAccountNo',
    'lenderName',
    'transferPurpose',
    'transferAmount',
    'serialNo',
    'makerName',
    'mine',
    'notArrived',
  ],
  presets: [
    { label: 'transfer.toApproveByMe', filters: { transferStatus: ['pending'], mine: false }, counted: true },
    { label: 'transfer.toPay', filters: { transferStatus: ['approved'] } },
    { label: 'transfer.failed', filters: { transferStatus: ['pay_failed'] } },
    { label: 'transfer.notArrived', filters: { notArrived: true } },
  ],
  columns: [
    'transferNo',
    'fromAccountName',
    'toAccountName',
    'transferAmount',
    'transferStatus',
    { id: 'approvalCount', cell: (row: TransferReviewRow) => <ApprovalShare row={row} /> },
    'waitingMinutes',
    'fromBalance',
    'fromNeeded',
    'toBalance',
    'toNeeded',
    'makerName',
  ],
  more: [
    'transferPurpose',
    'lenderName',
    'applyTime',
    'runningMinutes',
    'payTime',
    'arriveTime',
    'notArrivedDays',
    'serialNo',
    'failReason',
    'auditReason',
    'confirmStatus',
    'remark',
  ],
  row: act => [
    act(transfer.approve, {
      label: 'actions.approveTransfer',
      shortcut: 'acknowledge',
      ask: ['remark'],
      confirm: 'transfer.confirmApprove',
    }),
    act(transfer.payout, { label: 'actions.payTransfer', confirm: 'transfer.confirmPay' }),
    act(transfer.sent, {
      label: 'actions.markTransferSent',
      ask: ['serialNo', 'evidence'],
      confirm: 'transfer.confirmMarkSent',
    }),
    act(transfer.reject, {
      label: 'actions.rejectTransfer',
      tone: 'danger',
      ask: ['reason'],
      confirm: 'transfer.confirmReject',
    }),
    act(transfer.query, {
      label: 'actions.askTransfer',
      confirm: 'transfer.confirmAsk',
      done: answer => ({ key: 'transfer.channelSays', params: { answer: (answer as { answer: string }).answer } }),
    }),
    act(transfer.confirm, {
      label: 'actions.confirmTransfer',
      ask: ['result', 'serialNo', 'statementDate', 'evidence'],
      confirm: 'transfer.confirmOutcome',
    }),
    act(transfer.auditGiveUp, {
      label: 'actions.giveUpTransfer',
      tone: 'danger',
      ask: ['reason'],
      confirm: 'transfer.confirmGiveUp',
    }),
  ],
  head: transferHead,
  detail: row => <TransferDetail transferNo={row.transferNo} review />,
  also: [transfer.detail, attach.list, upload.token, upload.file],
  refresh: 15_000,
})
