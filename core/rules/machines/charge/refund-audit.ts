import { machine } from '../machine.ts'

/** Whether a second person agreed to a refund. */
export const refundAudit = machine({
  id: 'M42',
  name: 'refund_audit',
  title: 'Refund to a customer: review',
  table: 'client_refund',
  key: 'refund_no',
  status: 'audit_status',
  dict: 'REFUND_AUDIT_STATUS',
  states: {
    pending: { tone: 'wait' },
    approved: { tone: 'good' },
    rejected: { tone: 'bad' },
  },
  rows: [
    { from: ['∅'], event: 'audit.start', to: 'pending', perm: 'refund:submit' },
    { from: ['pending'], event: 'audit.approve', to: 'approved', perm: 'refund:check' },
    { from: ['pending'], event: 'audit.reject', to: 'rejected', perm: 'refund:check' },
    { from: ['rejected'], event: 'refund.resubmit', to: 'pending', perm: 'refund:submit' },
    { from: ['approved'], event: 'audit.revoke', to: 'pending', perm: 'refund:check' },
  ],
})
