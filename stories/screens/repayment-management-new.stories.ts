import { act, openRow, press } from '../act.ts'
import { acted } from '../screen-stories.ts'

export default { title: 'Loan servicing/Repayment management (by instalment)/At work', tags: ['!autodocs'] }
const tag = 'mkopo-after-loan-repayment-management-new'

/** The order of a bill, opened at it. */
export const RowOpen = acted(tag, act(openRow))
export const WritingOff = acted(tag, act(press('actions.writeOff')))
/** Says how many orders the chosen bills belong to. */
export const SettlingSmall = acted(tag, act(press('common.choosePage'), press('actions.zeroSettle')))
