import { machine } from '../machine.ts'

/** A complaint, a question or an idea of a customer. */
export const feedback = machine({
  id: 'M55',
  name: 'feedback',
  title: 'Feedback of a customer',
  table: 'feedback',
  key: 'feedback_no',
  status: 'feedback_status',
  dict: 'FEEDBACK_STATUS',
  states: {
    unprocessed: { tone: 'wait' },
    processing: { tone: 'progress' },
    processed: { tone: 'good' },
  },
  rows: [
    { from: ['∅'], event: 'feedback.create', to: 'unprocessed', as: 'customer', perm: 'system' },
    {
      from: ['∅'],
      event: 'feedback.create',
      to: 'unprocessed',
      as: 'staff',
      perm: 'cs:ticket:save or {ns}:case:follow',
    },
    { from: ['unprocessed'], event: 'feedback.take', to: 'processing', perm: 'cs:feedback:handle' },
    { from: ['processing'], event: 'feedback.return', to: 'unprocessed', perm: 'cs:feedback:handle' },
    { from: ['processing'], event: 'feedback.pass', to: 'unprocessed', perm: 'cs:feedback:handle' },
    { from: ['processing'], event: 'feedback.handOver', to: '=', perm: 'cs:user:update' },
    { from: ['processing'], event: 'feedback.finish', to: 'processed', perm: 'cs:feedback:handle' },
    { from: ['unprocessed'], event: 'feedback.finish', to: 'processed', perm: 'cs:feedback:handle' },
    { from: ['processed'], event: 'feedback.reopen', to: 'processing', perm: 'cs:feedback:handle' },
  ],
})
