import { machine } from '../machine.ts'

/** A condition that costs money or stops work if nobody looks. */
export const warning = machine({
  id: 'M90',
  name: 'warning',
  title: 'Warning to duty leads',
  table: 'warning',
  key: 'warning_no',
  status: 'warning_status',
  dict: 'WARNING_STATUS',
  states: {
    open: { tone: 'bad' },
    acknowledged: { tone: 'attention' },
    resolved: { tone: 'good', terminal: true },
  },
  rows: [
    { from: ['∅'], event: 'warning.open', to: 'open', perm: 'system' },
    { from: ['open', 'acknowledged'], event: 'warning.repeat', to: '=', perm: 'system' },
    { from: ['open'], event: 'warning.ack', to: 'acknowledged', perm: '(handling permission of the type)' },
    { from: ['open', 'acknowledged'], event: 'warning.resolve', to: 'resolved', as: 'system', perm: 'system' },
    {
      from: ['open', 'acknowledged'],
      event: 'warning.resolve',
      to: 'resolved',
      as: 'person',
      perm: '(handling permission of the type)',
    },
  ],
})
