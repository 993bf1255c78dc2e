import { machine } from '../machine.ts'

/** Message to the outside. */
export const outboxMessage = machine({
  id: 'M76',
  name: 'outbox_message',
  title: 'Message to the outside',
  table: 'outbox',
  key: 'outbox_no',
  status: 'outbox_status',
  dict: 'OUTBOX_STATUS',
  leased: true,
  states: {
    waiting: { tone: 'wait' },
    leased: { tone: 'progress' },
    done: { tone: 'good', terminal: true },
    dead: { tone: 'bad' },
  },
  rows: [
    { from: ['∅'], event: 'outbox.put', to: 'waiting', perm: 'system' },
    { from: ['waiting'], event: 'outbox.lease', to: 'leased', perm: 'system' },
    { from: ['leased'], event: 'outbox.ok', to: 'done', perm: 'system' },
    { from: ['leased'], event: 'outbox.retry', to: 'waiting', perm: 'system' },
    { from: ['leased'], event: 'lease.lost', to: 'waiting', perm: 'system' },
    { from: ['leased'], event: 'outbox.dead', to: 'dead', perm: 'system' },
    { from: ['dead'], event: 'outbox.requeue', to: 'waiting', perm: 'ops:outbox:requeue' },
  ],
})
