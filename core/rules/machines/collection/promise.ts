import { machine } from '../machine.ts'

/** What a customer promised, and whether it was kept. */
export const promise = machine({
  id: 'M47',
  name: 'promise',
  title: 'Promise of a customer to pay by a time',
  table: 'coll_promise',
  key: 'promise_no',
  status: 'promise_status',
  dict: 'PROMISE_STATUS',
  states: {
    open: { tone: 'wait' },
    kept: { tone: 'good', terminal: true },
    broken: { tone: 'bad', terminal: true },
    replaced: { tone: 'ended', terminal: true },
  },
  rows: [
    { from: ['∅'], event: 'promise.add', to: 'open', as: 'person', perm: '{ns}:case:follow' },
    { from: ['∅'], event: 'promise.add', to: 'open', as: 'system', perm: 'system' },
    { from: ['open'], event: 'promise.replace', to: 'replaced', as: 'person', perm: '{ns}:case:follow' },
    { from: ['open'], event: 'promise.replace', to: 'replaced', as: 'system', perm: 'system' },
    { from: ['open'], event: 'promise.kept', to: 'kept', perm: 'system' },
    { from: ['open'], event: 'clock.broken', to: 'broken', perm: 'system' },
  ],
})
