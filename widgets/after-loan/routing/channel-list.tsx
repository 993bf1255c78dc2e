import { loanRoute } from '../../../core/contract/after-loan/loan-route.ts'
import { useText } from '../../../core/element/i18n.ts'
import { listScreen } from '../../../core/engine/list/list-screen.ts'

/** Why a channel is paused: in the words of who did, or how many payouts had no outcome. */
const PauseReason = ({ reason }: { reason: string | null }) => {
  const t = useText()
  const [, n] = /^(\d+) unknown$/.exec(reason ?? '') ?? []
  return n ? t('loanRoute.pausedBySilence', { n }) : (reason ?? '–')
}

/** What each channel does just now, and the switch that stops it. */
export default listScreen({
  list: loanRoute.channels,
  rowKey: 'channel',
  filters: ['pauseStatus'],
  columns: [
    'channelName',
    'pauseStatus',
    { id: 'pauseReason', cell: row => <PauseReason reason={row.pauseReason} /> },
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
