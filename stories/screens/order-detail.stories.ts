import { act, press } from '../act.ts'
import { acted } from '../screen-stories.ts'

export default { title: 'Orders and review/Order detail/At work', tags: ['!autodocs'] }
const tag = 'mkopo-order-order-detail'

export const Payout = acted(tag, act(press('order.tab.payout')))
export const Repayment = acted(tag, act(press('order.tab.repayment')))
export const History = acted(tag, act(press('order.tab.history')))
export const Review = acted(tag, act(press('order.tab.review')))
export const Steps = acted(tag, act(press('order.tab.steps')))
export const Contacts = acted(tag, act(press('order.tab.relations')))
export const CloseContacts = acted(tag, act(press('order.tab.affinity')))
export const OnPaper = acted(tag, act(press('actions.print')))
/** No order is named: it asks for one. */
export const NoneChosen = acted(tag, act(), { orderNo: undefined })
