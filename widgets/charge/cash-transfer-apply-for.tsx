import { type TransferRow, transfer } from '../../core/contract/charge/transfer.ts'
import { attach } from '../../core/contract/common/attachment.ts'
import { upload } from '../../core/contract/common/upload.ts'
import { listScreen } from '../../core/engine/list/list-screen.ts'
import { ApprovalShare, TransferDetail, transferHead } from './transfer-detail.tsx'
import { CopyTransferDialog, NewTransferDialog, ResubmitTransferDialog } from './transfer-form.tsx'

const writer = { perm: transfer.submit.perm as string }

/** The cashier keeps payout accounts funded and sweeps collections to the bank, with the paper that proves it. */
export default listScreen({
  list: transfer.page,
  rowKey: 'transferNo',
  start: { applyTime: 'last30' },
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
    { label: 'transfer.mine', filters: { mine: true } },
    { label: 'transfer.toCorrect', filters: { transferStatus: ['rejected'], mine: true }, counted: true },
    { label: 'transfer.notArrived', filters: { notArrived: true } },
    { label: 'transfer.failed', filters: { transferStatus: ['pay_failed'] } },
  ],
  columns: [
    'transferNo',
    'fromAccountName',
    'toAccountName',
    'transferAmount',
    'transferPurpose',
    'transferStatus',
    { id: 'approvalCount', cell: (row: TransferRow) => <ApprovalShare row={row} /> },
    'makerName',
    'applyTime',
    'payTime',
    'arriveTime',
  ],
  more: [
    'lenderName',
    'runningMinutes',
    'notArrivedDays',
    'serialNo',
    'failReason',
    'auditReason',
    'remark',
    'attemptNo',
  ],
  toolbar: () => [{ label: 'actions.newTransfer', needs: writer, dialog: NewTransferDialog }],
  row: act => [
    { label: 'actions.resubmitTransfer', needs: transfer.resubmit, dialog: ResubmitTransferDialog },
    { label: 'actions.copyTransfer', needs: writer, dialog: CopyTransferDialog },
    act(transfer.giveUp, {
      label: 'actions.giveUpTransfer',
      tone: 'danger',
      ask: ['reason'],
      confirm: 'transfer.confirmGiveUp',
    }),
  ],
  head: transferHead,
  detail: row => <TransferDetail transferNo={row.transferNo} />,
  also: [
    transfer.accounts,
    transfer.detail,
    transfer.submit,
    attach.list,
    upload.token,
    upload.chunk,
    upload.complete,
    upload.file,
  ],
  refresh: 15_000,
})
