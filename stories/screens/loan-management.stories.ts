import { act, openRow, press } from '../act.ts'
import { acted } from '../screen-stories.ts'

export default { title: 'After-loan/Loan management/At work', tags: ['!autodocs'] }
const tag = 'mkopo-after-loan-loan-management'

/** Attempts, confirmations, history and journals of one payout. */
export const RowOpen = acted(tag, act(openRow))
export const MoreActions = acted(tag, act(press('common.moreActions')))
export const Replaying = acted(tag, act(press('actions.replay')))
export const Cancelling = acted(tag, act(press('actions.cancelPayout')))
