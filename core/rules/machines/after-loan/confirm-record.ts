import { machine } from '../machine.ts'

/** Manual confirmation of an unclear payout. */
export const confirmRecord = machine({
  id: 'M23',
  name: 'confirm_record',
  title: 'Manual confirmation of an unclear payout',
  table: 'loan_code_confirm',
  key: 'confirm_no',
  status: 'confirm_status',
  dict: 'CONFIRM_STATUS',
  states: {
    unconfirmed: { tone: 'wait' },
    first_confirmed: { tone: 'attention' },
    confirmed: { tone: 'good', terminal: true },
    withdrawn: { tone: 'ended', terminal: true },
  },
  rows: [
    { from: ['∅'], event: 'confirm.open', to: 'unconfirmed', perm: 'fund:payout:confirm' },
    { from: ['unconfirmed'], event: 'confirm.first', to: 'first_confirmed', perm: 'fund:payout:confirm' },
    { from: ['first_confirmed'], event: 'confirm.second', to: 'confirmed', perm: 'fund:payout:confirm' },
    { from: ['first_confirmed'], event: 'confirm.disagree', to: 'unconfirmed', perm: 'fund:payout:confirm' },
    {
      from: ['unconfirmed', 'first_confirmed'],
      event: 'confirm.withdraw',
      to: 'withdrawn',
      perm: 'fund:payout:confirm',
    },
  ],
})
