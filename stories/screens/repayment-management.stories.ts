import { act, openRow, press } from '../act.ts'
import { acted } from '../screen-stories.ts'

export default { title: 'Loan servicing/Repayment management/At work', tags: ['!autodocs'] }
const tag = 'mkopo-after-loan-repayment-management'

/** Bills, records, receipts and journals of one order. */
export const RowOpen = acted(tag, act(openRow))
export const WritingOff = acted(tag, act(press('actions.writeOff')))
export const QuotingExtension = acted(tag, act(press('common.moreActions'), press('actions.quoteExtension')))
export const SettlingSmall = acted(tag, act(press('common.choosePage'), press('actions.zeroSettle')))
export const Flows = acted(tag, act(press('afterLoan.flows')))
export const FlowOpen = acted(tag, act(press('afterLoan.flows'), openRow))
