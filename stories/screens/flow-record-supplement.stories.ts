import { act, openRow, press } from '../act.ts'
import { acted } from '../screen-stories.ts'

export default { title: 'Loan servicing/Receipt supplement/At work', tags: ['!autodocs'] }
const tag = 'mkopo-after-loan-flow-record-supplement'

/** The proof beside the line of the statement and the channel's answer. */
export const RowOpen = acted(tag, act(openRow))
export const Approving = acted(tag, act(press('actions.approveSupplement')))
export const NewOne = acted(tag, act(press('supplement.new')))
