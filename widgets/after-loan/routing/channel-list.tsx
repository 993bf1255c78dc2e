import { loanRoute } from '../../../core/contract/after-loan/loan-route.ts'
import { listScreen } from '../../../core/engine/list/list-screen.ts'

/** What each channel does just now, and the switch that stops it. */
export default listScreen({
  list: loanRoute.channels,
  rowKey: 'channel',
  filters: ['pauseStatus'],
  columns: [
    'channelName',
    'pauseStatus',
    'pauseReason',
    'pausedName',
    'pausedTime',
    'sentCount',
    'succeededCount',
    'failedCount',
    'unknownCount',
    'oldestUnknown',
    'waitingCodes',
    'waitingAmount',
    'runningCodes',
  ],
  more: ['channel', 'configured', 'pauseAfterUnknown'],
  row: act => [
    act(loanRoute.pause, {
      label: 'loanRoute.pause',
      tone: 'danger',
      ask: ['reason'],
      confirm: 'loanRoute.confirmPause',
    }),
    act(loanRoute.resume, {
      label: 'loanRoute.resume',
      ask: ['remark'],
      confirm: 'loanRoute.confirmResume',
    }),
    act(loanRoute.limit, { label: 'loanRoute.limit', ask: ['pauseAfterUnknown'], from: 'row' }),
  ],
})
