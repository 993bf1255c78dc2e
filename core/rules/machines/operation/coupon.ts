import { machine } from '../machine.ts'

/** A discount that a customer holds. */
export const coupon = machine({
  id: 'M50',
  name: 'coupon',
  title: 'Coupon of a customer',
  table: 'coupon',
  key: 'coupon_no',
  status: 'coupon_status',
  dict: 'COUPON_STATUS',
  states: {
    pending: { tone: 'wait' },
    waiting_used: { tone: 'good' },
    frozen: { tone: 'progress' },
    used: { tone: 'good' },
    expired: { tone: 'ended', terminal: true },
  },
  rows: [
    { from: ['∅'], event: 'coupon.issue', to: 'pending', as: 'person', perm: 'cs:coupon:audit' },
    { from: ['∅'], event: 'coupon.issue', to: 'pending', as: 'system', perm: 'system' },
    { from: ['pending'], event: 'clock.start', to: 'waiting_used', perm: 'system' },
    { from: ['waiting_used'], event: 'coupon.freeze', to: 'frozen', perm: 'system' },
    { from: ['frozen'], event: 'coupon.unfreeze', to: 'waiting_used', as: 'valid', perm: 'system' },
    { from: ['frozen'], event: 'coupon.unfreeze', to: 'expired', as: 'late', perm: 'system' },
    { from: ['frozen'], event: 'coupon.use', to: 'used', perm: 'system' },
    { from: ['used'], event: 'coupon.restore', to: 'waiting_used', as: 'valid', perm: '{ns}:rollback:full' },
    { from: ['used'], event: 'coupon.restore', to: 'expired', as: 'late', perm: '{ns}:rollback:full' },
    { from: ['pending', 'waiting_used'], event: 'clock.expire', to: 'expired', perm: 'system' },
    {
      from: ['pending', 'waiting_used'],
      event: 'coupon.revoke',
      to: 'expired',
      as: 'person',
      perm: 'cs:coupon:audit or operation:coupon:revoke',
    },
    { from: ['pending', 'waiting_used'], event: 'coupon.revoke', to: 'expired', as: 'system', perm: 'system' },
  ],
})
