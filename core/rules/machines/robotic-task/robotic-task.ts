import { machine } from '../machine.ts'

/** A list of numbers that a robot calls, for collection, telemarketing or marketing. */
export const roboticTask = machine({
  id: 'M57',
  name: 'robotic_task',
  title: 'Task of the calling robot',
  table: 'robot_task',
  key: 'task_no',
  status: 'task_status',
  dict: 'RUDDER_TASK_STATUS',
  states: {
    created: { tone: 'wait' },
    running: { tone: 'progress' },
    paused: { tone: 'attention' },
    finished: { tone: 'good', terminal: true },
    failed: { tone: 'bad' },
    cancelled: { tone: 'ended', terminal: true },
  },
  rows: [
    { from: ['∅'], event: 'robot.create', to: 'created', as: 'person', perm: '{ns}:robot:save' },
    { from: ['∅'], event: 'robot.create', to: 'created', as: 'system', perm: 'system' },
    { from: ['created'], event: 'robot.start', to: 'running', as: 'person', perm: '{ns}:robot:run' },
    { from: ['created'], event: 'robot.start', to: 'running', as: 'system', perm: 'system' },
    { from: ['running'], event: 'robot.pause', to: 'paused', perm: '{ns}:robot:run' },
    { from: ['paused'], event: 'robot.resume', to: 'running', perm: '{ns}:robot:run' },
    { from: ['running'], event: 'provider.done', to: 'finished', perm: 'system' },
    { from: ['finished'], event: 'result.fetch', to: '=', perm: '{ns}:robot:run' },
    { from: ['running'], event: 'provider.fail', to: 'failed', perm: 'system' },
    { from: ['failed'], event: 'robot.retry', to: 'running', perm: '{ns}:robot:run' },
    { from: ['created', 'paused', 'failed'], event: 'robot.cancel', to: 'cancelled', perm: '{ns}:robot:save' },
  ],
})
