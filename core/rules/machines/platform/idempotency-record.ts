import { machine } from '../machine.ts'

/** A key that a caller sent with a command, and what that command was answered. */
export const idempotencyRecord = machine({
  id: 'M75',
  name: 'idempotency_record',
  title: 'Key of a command and its answer',
  table: 'idempotency',
  key: 'record_no',
  status: 'idempotency_status',
  dict: 'IDEMPOTENCY_STATUS',
  leased: true,
  states: {
    in_progress: { tone: 'progress' },
    finished: { tone: 'good', terminal: true },
  },
  rows: [
    { from: ['∅'], event: 'key.claim', to: 'in_progress' },
    { from: ['in_progress'], event: 'key.same', to: '=' },
    { from: ['in_progress'], event: 'key.finish', to: 'finished', perm: 'system' },
    { from: ['in_progress'], event: 'tx.rollback', to: '=', perm: 'system' },
    { from: ['finished'], event: 'key.replay', to: '=' },
    { from: ['finished'], event: 'key.mismatch', to: '=' },
  ],
})
