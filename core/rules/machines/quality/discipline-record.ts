import { machine } from '../machine.ts'

/** A breach of the rules by somebody of the staff, confirmed by another. */
export const disciplineRecord = machine({
  id: 'M89',
  name: 'discipline_record',
  title: 'Discipline record of an employee',
  table: 'discipline_record',
  key: 'discipline_no',
  status: 'discipline_status',
  dict: 'DISCIPLINE_STATUS',
  states: {
    pending: { tone: 'wait' },
    confirmed: { tone: 'bad' },
    cancelled: { tone: 'ended', terminal: true },
  },
  rows: [
    {
      from: ['∅'],
      event: 'discipline.add',
      to: 'pending',
      as: 'person',
      perm: 'appraisal:discipline:save or appraisal:discipline:import',
    },
    { from: ['∅'], event: 'discipline.add', to: 'pending', as: 'system', perm: 'system' },
    { from: ['pending'], event: 'discipline.explain', to: '=' },
    { from: ['pending'], event: 'discipline.lower', to: '=', perm: 'system' },
    {
      from: ['pending'],
      event: 'discipline.confirm',
      to: 'confirmed',
      as: 'person',
      perm: 'appraisal:discipline:confirm',
    },
    { from: ['pending'], event: 'discipline.confirm', to: 'confirmed', as: 'system', perm: 'system' },
    {
      from: ['pending'],
      event: 'discipline.cancel',
      to: 'cancelled',
      as: 'person',
      perm: 'appraisal:discipline:confirm',
    },
    { from: ['pending', 'confirmed'], event: 'discipline.cancel', to: 'cancelled', as: 'system', perm: 'system' },
  ],
})
