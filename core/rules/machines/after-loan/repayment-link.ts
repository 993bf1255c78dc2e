import { machine } from '../machine.ts'

/** A link by which a customer pays an amount. */
export const repaymentLink = machine({
  id: 'M39',
  name: 'repayment_link',
  title: 'Payment link of a customer',
  table: 'pay_link',
  key: 'link_no',
  status: 'link_status',
  dict: 'LINK_STATUS',
  states: {
    active: { tone: 'progress' },
    paid: { tone: 'good', terminal: true },
    expired: { tone: 'ended', terminal: true },
    revoked: { tone: 'ended', terminal: true },
  },
  rows: [
    { from: ['∅'], event: 'link.create', to: 'active', perm: '{ns}:repay:link' },
    { from: ['active'], event: 'link.paid', to: 'paid', perm: 'system' },
    { from: ['active'], event: 'link.revoke', to: 'revoked', perm: '{ns}:repay:link' },
    { from: ['active'], event: 'clock.ttl', to: 'expired', perm: 'system' },
  ],
})
