import { machine } from '../machine.ts'

/** Numbers that somebody entered or imported, looked at before anything moves. */
export const retrievalBatch = machine({
  id: 'M13',
  name: 'retrieval_batch',
  title: 'Retrieval of several orders at once',
  table: 'retrieval_batch',
  key: 'retrieval_batch_no',
  status: 'batch_status',
  dict: 'RETRIEVAL_BATCH_STATUS',
  states: {
    preview: { tone: 'attention' },
    running: { tone: 'progress' },
    done: { tone: 'good', terminal: true },
    discarded: { tone: 'ended', terminal: true },
  },
  rows: [
    { from: ['∅'], event: 'batch.enter', to: 'preview', perm: 'order:salvage:import' },
    { from: ['preview'], event: 'batch.confirm', to: 'running', perm: 'order:salvage:submit' },
    { from: ['running'], event: 'rows.finished', to: 'done', perm: 'system' },
    { from: ['preview'], event: 'batch.discard', to: 'discarded', perm: 'order:salvage:import' },
  ],
})
