import { machine } from '../machine.ts'

/** Leave application. */
export const leave = machine({
  id: 'M72',
  name: 'leave',
  title: 'Leave application (start and end time)',
  table: 'leave_apply',
  key: 'leave_no',
  status: 'leave_status',
  dict: 'LEAVE_STATUS',
  states: {
    pending: { tone: 'wait' },
    approved: { tone: 'good' },
    rejected: { tone: 'bad', terminal: true },
    cancelled: { tone: 'ended', terminal: true },
  },
  rows: [
    { from: ['∅'], event: 'leave.apply', to: 'pending', as: 'own' },
    { from: ['∅'], event: 'leave.apply', to: 'pending', as: 'phoned', perm: 'schedule:leave:audit' },
    { from: ['pending'], event: 'leave.audit', to: 'approved', as: 'approve', perm: 'schedule:leave:audit' },
    { from: ['pending'], event: 'leave.audit', to: 'rejected', as: 'reject', perm: 'schedule:leave:audit' },
    { from: ['pending', 'approved'], event: 'leave.cancel', to: 'cancelled' },
  ],
})
