import { machine } from '../machine.ts'

/** A month whose records may still change, or no longer. */
export const disciplineMonth = machine({
  id: 'M105',
  name: 'discipline_month',
  title: 'Appraisal month of an employee',
  table: 'discipline_month',
  key: 'discipline_month_no',
  status: 'month_status',
  dict: 'MONTH_STATUS',
  states: {
    open: { tone: 'progress' },
    locked: { tone: 'good' },
  },
  rows: [
    { from: ['∅'], event: 'month.open', to: 'open', perm: 'system' },
    { from: ['open'], event: 'month.lock', to: 'locked', perm: 'appraisal:month:lock' },
    { from: ['locked'], event: 'month.unlock', to: 'open', perm: 'appraisal:month:lock' },
  ],
})
