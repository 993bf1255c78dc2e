import { act, openRow, press, pressOf } from '../act.ts'
import { acted } from '../screen-stories.ts'

export default { title: 'Loan servicing/Loan management/At work', tags: ['!autodocs'] }
const tag = 'mkopo-after-loan-loan-management'

/** Attempts, confirmations, history and journals of one payout. */
export const RowOpen = acted(tag, act(openRow))
export const MoreActions = acted(tag, act(press('common.moreActions')))
export const Replaying = acted(tag, act(press('actions.replay')))
export const Cancelling = acted(tag, act(press('common.moreActions'), press('actions.cancelPayout')))

const importing = (of: string, key: 'actions.continueImport' | 'actions.openImport' = 'actions.continueImport') =>
  acted(tag, act(press('common.myImports'), pressOf(key, of)))
/** The first step of a file: a template, and the file itself. */
export const Importing = acted(tag, act(press('actions.import')))
/** The second: its rows are looked at. */
export const ImportChecking = importing('MTN statement 3.xlsx')
/** The third: what will be taken in, and what will not and why. */
export const ImportPreview = importing('MTN statement 2.xlsx')
/** The fourth: rows are being taken in, with or without somebody who watches. */
export const ImportRunning = importing('MTN statement 1.xlsx')
/** What became of a file, with its result. */
export const ImportResult = importing('MTN statement 4.xlsx', 'actions.openImport')
/** A file that could not be taken in at all. */
export const ImportRefused = importing('MTN statement 5.xlsx', 'actions.openImport')
/** Files that were brought, and what became of them. */
export const MyImports = acted(tag, act(press('common.myImports')))
