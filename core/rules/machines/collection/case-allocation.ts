import { machine } from '../machine.ts'

/** The collector who holds a case, after those who held it before. */
export const caseAllocation = machine({
  id: 'M45',
  name: 'case_allocation',
  title: 'Holder of a collection case',
  table: 'case_allocation',
  key: 'allocation_no',
  status: 'allocation_status',
  dict: 'ALLOCATION_STATUS',
  states: {
    active: { tone: 'good' },
    superseded: { tone: 'ended' },
    cancelled: { tone: 'ended', terminal: true },
    ended: { tone: 'ended', terminal: true },
  },
  rows: [
    {
      from: ['∅'],
      event: 'alloc.create',
      to: 'active',
      as: 'person',
      perm: '{ns}:case:distribute or {ns}:case:redistribute',
    },
    { from: ['∅'], event: 'alloc.create', to: 'active', as: 'system', perm: 'system' },
    { from: ['active'], event: 'alloc.supersede', to: 'superseded', perm: '{ns}:case:redistribute' },
    { from: ['active'], event: 'allocation.cancel', to: 'cancelled', perm: '{ns}:case:distribute' },
    { from: ['superseded'], event: 'alloc.restore', to: 'active', perm: '{ns}:case:distribute' },
    { from: ['active', 'superseded'], event: 'alloc.end', to: 'ended', perm: 'system' },
  ],
})
