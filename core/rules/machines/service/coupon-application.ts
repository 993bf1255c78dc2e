import { machine } from '../machine.ts'

/** A coupon that an agent wants to give to a customer. */
export const couponApplication = machine({
  id: 'M51',
  name: 'coupon_application',
  title: 'Request of customer service for a coupon',
  table: 'cs_coupon_apply',
  key: 'apply_no',
  status: 'coupon_apply_status',
  dict: 'COUPON_APPLY_STATUS',
  states: {
    pending: { tone: 'wait' },
    approved: { tone: 'good', terminal: true },
    rejected: { tone: 'bad', terminal: true },
  },
  rows: [
    { from: ['∅'], event: 'coupon.apply', to: 'pending', perm: 'cs:coupon:apply' },
    { from: ['pending'], event: 'coupon.withdraw', to: 'rejected', perm: 'cs:coupon:apply' },
    { from: ['pending'], event: 'coupon.audit', to: 'approved', as: 'approve', perm: 'cs:coupon:audit' },
    { from: ['pending'], event: 'coupon.audit', to: 'rejected', as: 'reject', perm: 'cs:coupon:audit' },
  ],
})
