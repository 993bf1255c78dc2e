import { machine } from '../machine.ts'

/** Which days overdue belong to which level, from a day on. */
export const levelPolicy = machine({
  id: 'M100',
  name: 'level_policy',
  title: 'Version of the table of collection levels',
  table: 'level_policy',
  key: 'policy_no',
  status: 'policy_status',
  dict: 'LEVEL_POLICY_STATUS',
  states: {
    draft: { tone: 'wait' },
    scheduled: { tone: 'progress' },
    effective: { tone: 'good' },
    superseded: { tone: 'ended', terminal: true },
  },
  rows: [
    { from: ['∅', 'draft'], event: 'policy.save', to: 'draft', perm: 'coll:levelPolicy:save' },
    { from: ['draft'], event: 'policy.publish', to: 'scheduled', perm: 'coll:levelPolicy:publish' },
    { from: ['scheduled'], event: 'policy.withdraw', to: 'draft', perm: 'coll:levelPolicy:publish' },
    { from: ['scheduled'], event: 'clock.start', to: 'effective', perm: 'system' },
    { from: ['effective'], event: 'policy.supersede', to: 'superseded', perm: 'system' },
  ],
})
