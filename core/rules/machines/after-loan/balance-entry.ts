import { machine } from '../machine.ts'

/** A balance that somebody read; a wrong one is corrected by another line. */
export const balanceEntry = machine({
  id: 'M79',
  name: 'balance_entry',
  title: 'Balance of an account at a time',
  table: 'balance_entry',
  key: 'balance_entry_no',
  status: 'balance_entry_status',
  dict: 'BALANCE_ENTRY_STATUS',
  states: {
    entered: { tone: 'good' },
    corrected: { tone: 'ended', terminal: true },
  },
  rows: [
    { from: ['∅'], event: 'balance.enter', to: 'entered', perm: 'fund:balance:save' },
    { from: ['entered'], event: 'balance.correct', to: 'corrected', perm: 'fund:balance:save' },
  ],
})
