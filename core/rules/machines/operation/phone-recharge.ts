import { machine } from '../machine.ts'

/** Airtime for somebody of the staff. */
export const phoneRecharge = machine({
  id: 'M63',
  name: 'phone_recharge',
  title: "Recharge of an employee's phone",
  table: 'phone_recharge',
  key: 'phone_bill_no',
  status: 'phone_bill_status',
  dict: 'PHONE_RECHARGE_STATUS',
  states: {
    pending: { tone: 'wait' },
    paying: { tone: 'progress' },
    success: { tone: 'good', terminal: true },
    failed: { tone: 'bad' },
    rejected: { tone: 'bad', terminal: true },
  },
  rows: [
    { from: ['∅'], event: 'phone.submit', to: 'pending', perm: 'ops:phoneBill:submit' },
    { from: ['pending'], event: 'phone.audit', to: 'paying', as: 'approve', perm: 'ops:phoneBill:audit' },
    { from: ['pending'], event: 'phone.audit', to: 'rejected', as: 'reject', perm: 'ops:phoneBill:audit' },
    { from: ['paying'], event: 'gateway.success', to: 'success', as: 'newest', perm: 'system' },
    { from: ['paying'], event: 'gateway.success', to: '=', as: 'earlier', perm: 'system' },
    { from: ['failed'], event: 'gateway.success', to: 'success', as: 'late', perm: 'system' },
    { from: ['failed'], event: 'gateway.success', to: '=', as: 'overtaken', perm: 'system' },
    { from: ['success'], event: 'gateway.success', to: '=', as: 'again', perm: 'system' },
    { from: ['success'], event: 'gateway.success', to: '=', as: 'other', perm: 'system' },
    { from: ['paying'], event: 'gateway.failure', to: 'failed', perm: 'system' },
    { from: ['paying'], event: 'manual.confirm', to: 'success', as: 'success', perm: 'fund:payout:confirm' },
    { from: ['paying'], event: 'manual.confirm', to: 'failed', as: 'failure', perm: 'fund:payout:confirm' },
    { from: ['failed'], event: 'phone.retry', to: 'paying', perm: 'ops:phoneBill:audit' },
  ],
})
