import { type WithdrawalRow, wallet } from '../../../core/contract/after-loan/wallet.ts'
import { attach } from '../../../core/contract/common/attachment.ts'
import { upload } from '../../../core/contract/common/upload.ts'
import { listScreen } from '../../../core/engine/list/list-screen.ts'
import type { Act } from '../../../core/engine/screen.ts'
import { WithdrawalDetail, withdrawalHead } from './wallet-detail.tsx'

const sendAgain = (act: Act<WithdrawalRow>) =>
  act(wallet.retry, { label: 'actions.retryWithdrawal', confirm: 'wallet.confirmRetry', done: 'wallet.retried' })

/** Withdrawals of rewards: what hangs is asked about, what failed is sent again or goes back to the wallet. */
export default listScreen({
  list: wallet.withdrawals,
  rowKey: 'withdrawNo',
  start: { createdTime: 'last30' },
  presets: [
    { label: 'wallet.failedTab', filters: { withdrawStatus: ['pay_failed'] }, counted: true },
    {
      label: 'wallet.payingLong',
      filters: { withdrawStatus: ['paying'], runningMinutes: [30, null] },
      sort: 'createdTime',
      counted: true,
    },
  ],
  filters: [
    'withdrawNo',
    'phone',
    'withdrawStatus',
    'createdTime',
    'customerNo',
    'merchantNo',
    'serialNo',
    'channel',
    'withdrawAmount',
    'runningMinutes',
  ],
  columns: [
    'withdrawNo',
    'customerName',
    'withdrawAmount',
    'walletAccount',
    'channel',
    'withdrawStatus',
    'runningMinutes',
    'attemptNo',
    'failType',
    'createdTime',
  ],
  more: [
    'customerNo',
    'phone',
    'merchantName',
    'failReason',
    'confirmStatus',
    'serialNo',
    'finishTime',
    'cancelReason',
  ],
  row: act => [
    sendAgain(act),
    act(wallet.query, {
      label: 'actions.askWithdrawal',
      confirm: 'wallet.confirmAsk',
      done: answer => ({ key: 'wallet.channelSays', params: { answer: (answer as { answer: string }).answer } }),
    }),
    act(wallet.confirm, {
      label: 'actions.confirmWithdrawal',
      ask: ['result', 'serialNo', 'statementDate', 'evidence'],
      confirm: 'wallet.confirmOutcome',
    }),
    act(wallet.cancel, {
      label: 'actions.cancelWithdrawal',
      tone: 'danger',
      ask: ['reason'],
      confirm: 'wallet.confirmCancel',
    }),
  ],
  bulk: act => [sendAgain(act)],
  head: withdrawalHead,
  detail: row => <WithdrawalDetail withdrawNo={row.withdrawNo} />,
  also: [wallet.statement, wallet.withdrawal, attach.list, upload.token, upload.chunk, upload.complete, upload.file],
  refresh: 15_000,
})
