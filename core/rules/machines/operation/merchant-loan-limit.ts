import { machine } from '../machine.ts'

/** Whether a merchant lends just now; how much, its amounts say. */
export const merchantLoanLimit = machine({
  id: 'M103',
  name: 'merchant_loan_limit',
  title: 'Suspension of what a merchant may lend',
  table: 'merchant_loan_limit',
  key: 'limit_no',
  status: 'suspend_status',
  dict: 'LOAN_LIMIT_STATUS',
  states: {
    open: { tone: 'good' },
    suspended: { tone: 'bad' },
  },
  rows: [
    { from: ['∅'], event: 'limit.create', to: 'open', perm: 'system' },
    { from: ['open', 'suspended'], event: 'limit.set', to: '=', as: 'lower', perm: 'org:loanLimit:update' },
    { from: ['open', 'suspended'], event: 'limit.set', to: '=', as: 'higher', perm: 'org:loanLimit:update' },
    { from: ['open'], event: 'limit.suspend', to: 'suspended', perm: 'org:loanLimit:suspend' },
    { from: ['suspended'], event: 'limit.resume', to: 'open', perm: 'org:loanLimit:suspend' },
  ],
})
