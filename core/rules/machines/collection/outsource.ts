import { machine } from '../machine.ts'

/** A case that an agency works on. */
export const outsource = machine({
  id: 'M48',
  name: 'outsource',
  title: 'Case with an agency',
  table: 'out_collection',
  key: 'out_no',
  status: 'out_status',
  dict: 'OUT_STATUS',
  states: {
    assigned: { tone: 'progress' },
    returned: { tone: 'ended', terminal: true },
    finished: { tone: 'good', terminal: true },
  },
  rows: [
    { from: ['∅'], event: 'out.assign', to: 'assigned', perm: '{ns}:case:outsource' },
    { from: ['assigned'], event: 'out.return', to: 'returned', as: 'person', perm: '{ns}:case:outsource' },
    { from: ['assigned'], event: 'out.return', to: 'returned', as: 'system', perm: 'system' },
    { from: ['assigned'], event: 'case.close', to: 'finished', perm: 'system' },
  ],
})
