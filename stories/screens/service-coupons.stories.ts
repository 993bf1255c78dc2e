import { act, openRow, press } from '../act.ts'
import { acted } from '../screen-stories.ts'

export default { title: 'Customer service/Service coupons/At work', tags: ['!autodocs'] }
const audit = 'mkopo-service-customer-service-coupon-audit'
const mine = 'mkopo-service-my-customer-service-coupon-apply'

/** The figures that decide, on one line. */
export const ApplicationOpen = acted(audit, act(openRow))
export const Approving = acted(audit, act(press('actions.approveCoupons')))
export const Issued = acted(audit, act(press('serviceCoupon.issued')))
export const Asking = acted(mine, act(press('serviceCoupon.apply')))
