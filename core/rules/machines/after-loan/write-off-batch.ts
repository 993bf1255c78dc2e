import { machine } from '../machine.ts'

/** A file of receipts, written off row by row. */
export const writeOffBatch = machine({
  id: 'M34',
  name: 'writeoff_batch',
  title: 'Write-off of a bank file',
  table: 'writeoff_batch',
  key: 'batch_no',
  status: 'batch_finish_status',
  dict: 'WRITEOFF_BATCH_STATUS',
  states: {
    unfinished: { tone: 'wait' },
    processing: { tone: 'progress' },
    completed: { tone: 'good', terminal: true },
    error: { tone: 'bad' },
  },
  rows: [
    { from: ['∅'], event: 'batch.import', to: 'unfinished', perm: 'repay:flow:commit' },
    { from: ['unfinished'], event: 'batch.delete', to: 'completed', perm: 'repay:flow:commit' },
    { from: ['unfinished'], event: 'batch.start', to: 'processing', perm: 'repay:flow:commit' },
    { from: ['processing'], event: 'batch.done', to: 'completed', perm: 'system' },
    { from: ['processing'], event: 'batch.fail', to: 'error', perm: 'system' },
    { from: ['error'], event: 'batch.resume', to: 'processing', perm: 'repay:flow:commit' },
  ],
})
