import { machine } from '../machine.ts'

/** One phone that a robot calls, several times if need be. */
export const robotTarget = machine({
  id: 'M85',
  name: 'robot_target',
  title: 'Number in a task of the calling robot',
  table: 'robot_target',
  key: 'target_no',
  status: 'target_status',
  dict: 'ROBOT_TARGET_STATUS',
  states: {
    queued: { tone: 'wait' },
    calling: { tone: 'progress' },
    retry_wait: { tone: 'attention' },
    done: { tone: 'good', terminal: true },
    excluded: { tone: 'ended', terminal: true },
    cancelled: { tone: 'ended', terminal: true },
  },
  rows: [
    { from: ['∅'], event: 'target.add', to: 'queued', as: 'queued', perm: 'system' },
    { from: ['∅'], event: 'target.add', to: 'excluded', as: 'refused', perm: 'system' },
    { from: ['queued', 'retry_wait'], event: 'target.dial', to: 'calling', perm: 'system' },
    { from: ['queued', 'retry_wait'], event: 'target.drop', to: 'excluded', perm: 'system' },
    { from: ['calling'], event: 'call.result', to: 'done', as: 'done', perm: 'system' },
    { from: ['calling'], event: 'call.result', to: 'retry_wait', as: 'again', perm: 'system' },
    { from: ['calling'], event: 'call.lost', to: '=', as: 'known', perm: 'system' },
    { from: ['calling'], event: 'call.lost', to: 'retry_wait', as: 'unknown', perm: 'system' },
    { from: ['queued', 'calling', 'retry_wait'], event: 'target.cancel', to: 'cancelled', perm: 'system' },
  ],
})
