import { machine } from '../machine.ts'

/** An account number, or a code, that belongs to one order. */
export const virtualAccount = machine({
  id: 'M40',
  name: 'virtual_account',
  title: 'Virtual account of an order',
  table: 'virtual_account',
  key: 'va_no',
  status: 'va_status',
  dict: 'VA_STATUS',
  states: {
    generating: { tone: 'progress' },
    active: { tone: 'good' },
    failed: { tone: 'bad' },
    closed: { tone: 'ended', terminal: true },
  },
  rows: [
    { from: ['∅'], event: 'va.generate', to: 'generating', perm: '{ns}:repay:va' },
    { from: ['generating'], event: 'va.ok', to: 'active', perm: 'system' },
    { from: ['generating'], event: 'va.fail', to: 'failed', perm: 'system' },
    { from: ['failed'], event: 'va.retry', to: 'generating', perm: '{ns}:repay:va' },
    { from: ['active'], event: 'va.close', to: 'closed', perm: 'system' },
  ],
})
