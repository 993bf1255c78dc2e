import { machine } from '../machine.ts'

/** What a bank or a network says happened; once matched it stays matched. */
export const statementLine = machine({
  id: 'M101',
  name: 'statement_line',
  title: 'Line of a statement',
  table: 'statement_line',
  key: 'line_no',
  status: 'line_status',
  dict: 'STATEMENT_LINE_STATUS',
  states: {
    new: { tone: 'wait' },
    suggested: { tone: 'attention' },
    matched: { tone: 'good', terminal: true },
    ignored: { tone: 'ended', terminal: true },
  },
  rows: [
    { from: ['∅'], event: 'line.import', to: 'new', perm: 'system' },
    { from: ['new'], event: 'line.suggest', to: 'suggested', perm: 'system' },
    { from: ['suggested'], event: 'line.unsuggest', to: 'new', perm: 'system' },
    { from: ['new', 'suggested'], event: 'line.match', to: 'matched', as: 'system', perm: 'system' },
    {
      from: ['new', 'suggested'],
      event: 'line.match',
      to: 'matched',
      as: 'person',
      perm: 'fund:recon:handle or repay:flow:commit',
    },
    { from: ['new'], event: 'line.ignore', to: 'ignored', perm: 'system' },
  ],
})
