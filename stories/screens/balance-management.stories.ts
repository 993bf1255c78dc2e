import { act, openRow, press } from '../act.ts'
import { acted } from '../screen-stories.ts'

export default { title: 'Loan servicing/Balance management/At work', tags: ['!autodocs'] }
const tag = 'mkopo-after-loan-balance-management'

/** The month of an account, and each line that was entered or fetched. */
export const RowOpen = acted(tag, act(openRow))
/** One balance, with the moment at which it was read. */
export const Entering = acted(tag, act(press('actions.enterBalance')))
/** All accounts in one form, Tab from one to the next. */
export const EnteringAll = acted(tag, act(press('actions.enterAllBalances')))
