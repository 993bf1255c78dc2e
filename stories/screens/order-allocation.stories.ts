import { act, openRow, press } from '../act.ts'
import { acted } from '../screen-stories.ts'

export default { title: 'Credit review/Order allocation/At work', tags: ['!autodocs'] }
const tag = 'mkopo-audit-order-allocation'

/** A row is open in the drawer. */
export const RowOpen = acted(tag, act(openRow))
/** Everything on the page is chosen; the bar says what can be done with it. */
export const Chosen = acted(tag, act(press('common.choosePage')))
/** The chosen orders are handed out. */
export const Allotting = acted(tag, act(press('common.choosePage'), press('actions.allot')))
/** Asked before the queue is handed out by itself. */
export const AutoAllotting = acted(tag, act(press('actions.autoAllot')))
/** Which columns, in which order. */
export const Columns = acted(tag, act(press('common.columns')))
/** What the keys do. */
export const Keys = acted(tag, act(press('list.keys')))
