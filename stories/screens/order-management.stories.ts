import { act, openRow, press } from '../act.ts'
import { acted } from '../screen-stories.ts'

export default { title: 'Audit/Order management/At work', tags: ['!autodocs'] }
const tag = 'mkopo-audit-order-management'

export const RowOpen = acted(tag, act(openRow))
/** A form built from what the command takes. */
export const Cancelling = acted(tag, act(press('actions.cancelOrder')))
