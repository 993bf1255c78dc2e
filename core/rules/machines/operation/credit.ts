import { machine } from '../machine.ts'

/** What a customer may borrow, and for how long that holds. */
export const credit = machine({
  id: 'M54',
  name: 'credit',
  title: 'Credit line of a customer',
  table: 'credit',
  key: 'credit_no',
  status: 'credit_status',
  dict: 'CREDIT_STATUS',
  states: {
    granting: { tone: 'progress' },
    granted: { tone: 'good' },
    expired: { tone: 'ended' },
  },
  rows: [
    { from: ['∅'], event: 'credit.start', to: 'granting', perm: 'system' },
    { from: ['granting'], event: 'credit.ok', to: 'granted', perm: 'system' },
    { from: ['granting'], event: 'credit.refuse', to: 'expired', perm: 'system' },
    { from: ['granted'], event: 'credit.adjust', to: '=', perm: 'loan:limit:update' },
    { from: ['granted'], event: 'credit.consume', to: '=', perm: 'system' },
    { from: ['granted'], event: 'clock.expire', to: 'expired', perm: 'system' },
    { from: ['expired'], event: 'credit.regrant', to: 'granting', perm: 'system' },
  ],
})
