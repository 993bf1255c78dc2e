import { act, openRow, press } from '../act.ts'
import { acted } from '../screen-stories.ts'

export default { title: 'Credit review/Order management/At work', tags: ['!autodocs'] }
const tag = 'mkopo-audit-order-management'

export const RowOpen = acted(tag, act(openRow))
/** How many rows, which columns, in which format. */
export const Exporting = acted(tag, act(press('actions.export')))
/** Files that are being written, can be fetched, failed, or are gone. */
export const MyExports = acted(tag, act(press('common.myExports')))
/** A form built from what the command takes. */
export const Cancelling = acted(tag, act(press('common.moreActions'), press('actions.cancelOrder')))
