import { machine } from '../machine.ts'

/** What became of one line of the file. */
export const writeOffRow = machine({
  id: 'M35',
  name: 'writeoff_row',
  title: 'Row of a write-off batch',
  table: 'writeoff_row',
  key: 'row_no',
  status: 'row_status',
  dict: 'WRITEOFF_ROW_STATUS',
  states: {
    waiting: { tone: 'wait' },
    matched: { tone: 'good', terminal: true },
    flow_only: { tone: 'attention', terminal: true },
    duplicate: { tone: 'ended', terminal: true },
    invalid: { tone: 'bad', terminal: true },
  },
  rows: [
    { from: ['∅'], event: 'row.parse', to: 'waiting', perm: 'system' },
    { from: ['waiting'], event: 'row.process', to: 'matched', as: 'matched', perm: 'system' },
    { from: ['waiting'], event: 'row.process', to: 'flow_only', as: 'flow_only', perm: 'system' },
    { from: ['waiting'], event: 'row.process', to: 'duplicate', as: 'duplicate', perm: 'system' },
    { from: ['waiting'], event: 'row.process', to: 'invalid', as: 'invalid', perm: 'system' },
  ],
})
