import { machine } from '../machine.ts'

/** One refused order that is taken back to the queue, and may be returned to where it was. */
export const retrievalItem = machine({
  id: 'M12',
  name: 'retrieval_item',
  title: 'One order in a machine-review retrieval',
  table: 'order_retrieval',
  key: 'retrieval_no',
  status: 'retrieval_status',
  dict: 'RETRIEVAL_STATUS',
  states: {
    failed: { tone: 'bad', terminal: true },
    retrieved: { tone: 'progress' },
    reverted: { tone: 'ended', terminal: true },
    closed: { tone: 'ended', terminal: true },
  },
  rows: [
    { from: ['∅'], event: 'retrieval.add', to: 'retrieved', as: 'taken', perm: 'order:salvage:submit' },
    { from: ['∅'], event: 'retrieval.add', to: 'failed', as: 'refused', perm: 'order:salvage:submit' },
    { from: ['retrieved'], event: 'retrieval.revert', to: 'reverted', perm: 'order:salvage:submit' },
    { from: ['retrieved'], event: 'order.finished', to: 'closed', perm: 'system' },
  ],
})
