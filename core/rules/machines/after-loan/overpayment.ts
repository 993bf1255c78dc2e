import { machine } from '../machine.ts'

/** Overflow amount held for a customer. */
export const overpayment = machine({
  id: 'M38',
  name: 'overpayment',
  title: 'Overflow amount held for a customer',
  table: 'overpayment',
  key: 'overpayment_no',
  status: 'overpayment_status',
  dict: 'OVERPAYMENT_STATUS',
  states: {
    open: { tone: 'attention' },
    locked: { tone: 'progress' },
    cleared: { tone: 'good' },
  },
  rows: [
    { from: ['∅'], event: 'overflow.credit', to: 'open', perm: 'system' },
    { from: ['open'], event: 'overflow.credit', to: '=', perm: 'system' },
    { from: ['locked'], event: 'overflow.credit', to: '=', perm: 'system' },
    { from: ['open'], event: 'overflow.reapply', to: 'cleared', as: 'all', perm: '{ns}:repay:commit' },
    { from: ['open'], event: 'overflow.reapply', to: '=', as: 'part', perm: '{ns}:repay:commit' },
    { from: ['open'], event: 'refund.reserve', to: 'locked', perm: 'refund:submit' },
    { from: ['locked'], event: 'refund.release', to: 'open', perm: 'system' },
    { from: ['locked'], event: 'refund.paid', to: 'cleared', as: 'all', perm: 'system' },
    { from: ['locked'], event: 'refund.paid', to: 'open', as: 'part', perm: 'system' },
    { from: ['cleared'], event: 'overflow.credit', to: 'open', perm: 'system' },
  ],
})
