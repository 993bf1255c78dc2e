import { delayed } from '../../../core/contract/after-loan/delayed-arrival.ts'
import { logCalls } from '../../../core/contract/common/common.ts'
import { listScreen } from '../../../core/engine/list/list-screen.ts'
import { attachmentCalls } from '../../shared/attachments.tsx'
import { DelayDetail } from './delayed-detail.tsx'
import { DecideDialog } from './delayed-dialogs.tsx'

/** Requests that late money counts from the day on which it was paid; a second person decides. */
export default listScreen({
  list: delayed.page,
  rowKey: 'delayNo',
  start: { delayStatus: ['pending'] },
  presets: [
    { label: 'delayed.toDecide', filters: { delayStatus: ['pending'], mine: false } },
    { label: 'delayed.mine', filters: { mine: true } },
  ],
  filters: ['serialNo', 'orderNo', 'delayStatus', 'createdTime', 'delayNo', 'amount', 'mine'],
  columns: [
    'delayNo',
    'orderNo',
    'customerName',
    'amount',
    'dueDate',
    'claimedDate',
    'entryTime',
    'delayStatus',
    'makerName',
    'createdTime',
  ],
  more: [
    'contestedPenalty',
    'serialNo',
    'paymentChannel',
    'merchantName',
    'flowNo',
    'auditorName',
    'auditTime',
    'auditReason',
    'repaymentNo',
  ],
  row: act => [
    { label: 'actions.decideDelay', needs: delayed.audit, dialog: DecideDialog },
    act(delayed.withdraw, { label: 'actions.withdrawDelay', confirm: 'delayed.confirmWithdraw' }),
  ],
  detail: row => <DelayDetail row={row} />,
  also: [...logCalls, ...attachmentCalls, delayed.check],
})
