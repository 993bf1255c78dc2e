import { machine } from '../machine.ts'

/** Whether the account of a refund is the customer's. */
export const refundVerification = machine({
  id: 'M43',
  name: 'refund_verification',
  title: 'Refund to a customer: check of the account',
  table: 'client_refund',
  key: 'refund_no',
  status: 'verify_status',
  dict: 'REFUND_VERIFY_STATUS',
  states: {
    not_verified: { tone: 'wait' },
    passed: { tone: 'good' },
    failed: { tone: 'bad' },
  },
  rows: [
    { from: ['∅'], event: 'verify.start', to: 'not_verified', perm: 'refund:submit' },
    { from: ['not_verified', 'failed'], event: 'verify.run', to: 'passed', as: 'pass', perm: 'refund:check' },
    { from: ['not_verified', 'failed'], event: 'verify.run', to: 'failed', as: 'fail', perm: 'refund:check' },
    { from: ['failed', 'not_verified'], event: 'verify.ignore', to: '=', perm: 'refund:check' },
    { from: ['passed'], event: 'account.change', to: 'not_verified', perm: 'refund:submit' },
  ],
})
