import { machine } from '../machine.ts'

/** What a merchant used of one kind on one day, at one price. */
export const consumptionRecord = machine({
  id: 'M104',
  name: 'consumption_record',
  title: 'Consumption of a merchant on a day',
  table: 'consumption_record',
  key: 'consumption_no',
  status: 'consumption_status',
  dict: 'CONSUMPTION_STATUS',
  states: {
    accruing: { tone: 'progress' },
    posted: { tone: 'good' },
    reversed: { tone: 'ended', terminal: true },
  },
  rows: [
    { from: ['∅'], event: 'consumption.accrue', to: 'accruing', perm: 'system' },
    { from: ['accruing'], event: 'consumption.accrue', to: '=', perm: 'system' },
    { from: ['accruing'], event: 'consumption.post', to: 'posted', perm: 'system' },
    { from: ['posted'], event: 'consumption.reverse', to: '=', as: 'part', perm: 'merchant:consumption:reverse' },
    { from: ['posted'], event: 'consumption.reverse', to: 'reversed', as: 'all', perm: 'merchant:consumption:reverse' },
  ],
})
