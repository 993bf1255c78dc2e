import { machine } from '../machine.ts'

/** Money that arrived late through no fault of the customer, to be valued on the day it was paid. */
export const delayedArrival = machine({
  id: 'M33',
  name: 'delayed_arrival',
  title: 'Request to value late money earlier',
  table: 'delayed_arrival',
  key: 'delay_no',
  status: 'delay_status',
  dict: 'DELAY_STATUS',
  states: {
    pending: { tone: 'wait' },
    passed: { tone: 'good', terminal: true },
    rejected: { tone: 'bad', terminal: true },
    withdrawn: { tone: 'ended', terminal: true },
  },
  rows: [
    { from: ['∅'], event: 'delayed.apply', to: 'pending', perm: '{ns}:repay:delayedApply' },
    { from: ['pending'], event: 'delayed.audit', to: 'passed', as: 'pass', perm: '{ns}:repay:delayedAudit' },
    { from: ['pending'], event: 'delayed.audit', to: 'rejected', as: 'reject', perm: '{ns}:repay:delayedAudit' },
    { from: ['pending'], event: 'delayed.withdraw', to: 'withdrawn', perm: '{ns}:repay:delayedApply' },
  ],
})
