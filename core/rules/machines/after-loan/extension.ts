import { machine } from '../machine.ts'

/** A later due date, in force once its price is paid. */
export const extension = machine({
  id: 'M36',
  name: 'extension',
  title: 'Extension of a due date',
  table: 'extension',
  key: 'bill_extension_no',
  status: 'extension_status',
  dict: 'EXTENSION_STATUS',
  states: {
    quoted: { tone: 'wait' },
    effective: { tone: 'good' },
    rolled_back: { tone: 'ended', terminal: true },
    expired: { tone: 'ended', terminal: true },
    cancelled: { tone: 'ended', terminal: true },
  },
  rows: [
    { from: ['∅'], event: 'extension.apply', to: 'quoted', perm: '{ns}:repay:commit' },
    { from: ['quoted'], event: 'extension.pay', to: 'effective', perm: '{ns}:repay:commit' },
    { from: ['effective'], event: 'extension.rollback', to: 'rolled_back', perm: '{ns}:rollback:full' },
    { from: ['quoted'], event: 'extension.cancel', to: 'cancelled', perm: '{ns}:repay:commit' },
    { from: ['quoted'], event: 'clock.eod', to: 'expired', perm: 'system' },
  ],
})
