import { act, openRow, press } from '../act.ts'
import { acted } from '../screen-stories.ts'

export default { title: 'Loan servicing/Reconciliation/At work', tags: ['!autodocs'] }
const tag = 'mkopo-after-loan-reconciliation-management'

/** Our side beside theirs. */
export const RowOpen = acted(tag, act(openRow))
export const Matching = acted(tag, act(press('actions.matchItem')))
export const Runs = acted(tag, act(press('recon.runs'), openRow))
export const TrialBalance = acted(tag, act(press('recon.trialBalance')))
export const Jobs = acted(tag, act(press('recon.jobs')))
