import { act } from '../act.ts'
import { acted } from '../screen-stories.ts'

export default { title: 'Orders and review/Order audit/At work', tags: ['!autodocs'] }
const tag = 'mkopo-order-order-audit'

/** The work area beside the evidence. */
export const Reviewing = acted(tag, act())
/** No order is named: it asks for one. */
export const NoneChosen = acted(tag, act(), { orderNo: undefined })
