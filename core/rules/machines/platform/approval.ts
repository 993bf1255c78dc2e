import { machine } from '../machine.ts'

/** Generic maker–checker request. */
export const approval = machine({
  id: 'M74',
  name: 'approval',
  title: 'Generic maker–checker request',
  table: 'approval',
  key: 'approval_no',
  status: 'approval_status',
  dict: 'APPROVAL_STATUS',
  states: {
    pending: { tone: 'wait' },
    approved: { tone: 'good' },
    executed: { tone: 'good', terminal: true },
    failed: { tone: 'bad', terminal: true },
    rejected: { tone: 'bad', terminal: true },
    withdrawn: { tone: 'ended', terminal: true },
    expired: { tone: 'ended', terminal: true },
  },
  rows: [
    { from: ['∅'], event: 'approval.submit', to: 'pending', perm: '(perm of the action)' },
    { from: ['pending'], event: 'approval.approve', to: 'approved', perm: '(perm of the action):check' },
    { from: ['approved'], event: 'approval.execute', to: 'executed', perm: 'system' },
    { from: ['approved'], event: 'approval.conflict', to: 'failed', perm: 'system' },
    { from: ['pending'], event: 'approval.reject', to: 'rejected', perm: '(perm of the action):check' },
    { from: ['pending'], event: 'approval.withdraw', to: 'withdrawn', perm: '(perm of the action)' },
    { from: ['pending'], event: 'clock.expire', to: 'expired', perm: 'system' },
  ],
})
