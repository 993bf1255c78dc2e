import { machine } from '../machine.ts'

/** Repayment plan. */
export const plan = machine({
  id: 'M30',
  name: 'plan',
  title: 'Repayment plan',
  table: 'repay_plan',
  key: 'bill_no',
  status: 'bill_status',
  dict: 'BILL_STATUS',
  states: {
    pending: { tone: 'wait' },
    partial: { tone: 'progress' },
    paid: { tone: 'good' },
    extended: { tone: 'ended' },
    cancelled: { tone: 'ended', terminal: true },
  },
  rows: [
    { from: ['∅'], event: 'plan.create', to: 'pending', perm: 'system' },
    { from: ['pending', 'partial'], event: 'plan.apply', to: 'partial', as: 'part', perm: '{ns}:repay:commit' },
    { from: ['pending', 'partial'], event: 'plan.apply', to: 'paid', as: 'all', perm: '{ns}:repay:commit' },
    { from: ['paid', 'partial'], event: 'plan.restore', to: 'pending', as: 'all', perm: '{ns}:rollback:full' },
    { from: ['paid', 'partial'], event: 'plan.restore', to: 'partial', as: 'part', perm: '{ns}:rollback:full' },
    { from: ['pending', 'partial'], event: 'penalty.tick', to: '=', perm: 'system' },
    { from: ['pending', 'partial'], event: 'plan.exempt', to: '=', as: 'part', perm: '{ns}:exemption:audit' },
    { from: ['pending', 'partial'], event: 'plan.exempt', to: 'paid', as: 'all', perm: '{ns}:exemption:audit' },
    { from: ['pending', 'partial'], event: 'plan.extend', to: 'extended', perm: '{ns}:repay:commit' },
    { from: ['extended'], event: 'plan.unextend', to: 'pending', as: 'all', perm: '{ns}:rollback:full' },
    { from: ['extended'], event: 'plan.unextend', to: 'partial', as: 'part', perm: '{ns}:rollback:full' },
    { from: ['pending'], event: 'plan.cancel', to: 'cancelled', perm: 'system' },
  ],
})
