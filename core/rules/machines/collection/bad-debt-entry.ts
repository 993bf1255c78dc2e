import { machine } from '../machine.ts'

/** From when until when a case was in the pool, and how it left. */
export const badDebtEntry = machine({
  id: 'M46',
  name: 'bad_debt_entry',
  title: 'Stay of a case in the bad-debt pool',
  table: 'bad_debt',
  key: 'bad_debt_no',
  status: 'bad_debt_status',
  dict: 'BAD_DEBT_STATUS',
  states: {
    entered: { tone: 'bad' },
    cancelled: { tone: 'ended', terminal: true },
    recovered: { tone: 'good', terminal: true },
  },
  rows: [
    { from: ['∅'], event: 'badDebt.enter', to: 'entered', as: 'person', perm: '{ns}:badDebt:enter' },
    { from: ['∅'], event: 'badDebt.enter', to: 'entered', as: 'system', perm: 'system' },
    { from: ['entered'], event: 'badDebt.cancel', to: 'cancelled', perm: '{ns}:badDebt:cancel' },
    { from: ['entered'], event: 'case.close', to: 'recovered', as: 'paid', perm: 'system' },
    { from: ['entered'], event: 'case.close', to: 'cancelled', as: 'else', perm: 'system' },
  ],
})
