import { machine } from '../machine.ts'

/** What an agent writes about a call. */
export const inCall = machine({
  id: 'M95',
  name: 'in_call',
  title: 'Record of an answered hotline call',
  table: 'in_call',
  key: 'in_call_no',
  status: 'in_call_status',
  dict: 'IN_CALL_STATUS',
  states: {
    to_write: { tone: 'wait' },
    draft: { tone: 'progress' },
    submitted: { tone: 'good', terminal: true },
  },
  rows: [
    { from: ['∅'], event: 'inCall.open', to: 'to_write', perm: 'system' },
    { from: ['to_write', 'draft'], event: 'inCall.save', to: 'draft', perm: 'cs:inCall:save' },
    { from: ['to_write', 'draft'], event: 'inCall.submit', to: 'submitted', perm: 'cs:inCall:save' },
    { from: ['submitted'], event: 'inCall.correct', to: '=', as: 'author', perm: 'cs:inCall:save' },
    { from: ['submitted'], event: 'inCall.correct', to: '=', as: 'supervisor', perm: 'cs:inCall:all' },
  ],
})
