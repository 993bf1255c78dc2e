import { machine } from '../machine.ts'

/** Whether a note on a lead needs a second person, and what that person said. */
export const listFollow = machine({
  id: 'M92',
  name: 'list_follow',
  title: 'Approval of a follow-up of a lead',
  table: 'list_follow',
  key: 'follow_no',
  status: 'approval_status',
  dict: 'FOLLOW_APPROVAL_STATUS',
  states: {
    none: { tone: 'ended', terminal: true },
    pending: { tone: 'wait' },
    approved: { tone: 'good', terminal: true },
    rejected: { tone: 'bad', terminal: true },
  },
  rows: [
    { from: ['∅'], event: 'follow.save', to: 'none', as: 'free', perm: 'tele:list:follow or notLogged:dial' },
    { from: ['∅'], event: 'follow.save', to: 'pending', as: 'asks', perm: 'tele:list:follow or notLogged:dial' },
    { from: ['pending'], event: 'follow.approve', to: 'approved', perm: 'tele:follow:approve' },
    { from: ['pending'], event: 'follow.reject', to: 'rejected', perm: 'tele:follow:approve' },
  ],
})
