import { act, press } from '../act.ts'
import { acted } from '../screen-stories.ts'

export default { title: 'Orders and review/Order audit/At work', tags: ['!autodocs'] }
const tag = 'mkopo-order-order-audit'

/** Where there is little room the work area is called for. */
export const Reviewing = acted(tag, act(press('audit.showPanel')))
/** No order is named: it asks for one. */
export const NoneChosen = acted(tag, act(), { orderNo: undefined })
