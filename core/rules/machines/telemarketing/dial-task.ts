import { machine } from '../machine.ts'

/** One lead given to one person; moves with the lead. */
export const dialTask = machine({
  id: 'M91',
  name: 'dial_task',
  title: 'Lead in the hands of a telemarketer',
  table: 'dial_task',
  key: 'dial_task_no',
  status: 'dial_task_status',
  dict: 'DIAL_TASK_STATUS',
  states: {
    waiting: { tone: 'wait' },
    in_progress: { tone: 'progress' },
    recycled: { tone: 'ended', terminal: true },
    finished: { tone: 'good', terminal: true },
  },
  rows: [
    { from: ['∅'], event: 'task.create', to: 'waiting', perm: 'system' },
    { from: ['waiting'], event: 'task.follow', to: 'in_progress', perm: 'tele:list:follow or notLogged:dial' },
    { from: ['in_progress'], event: 'task.follow', to: '=', perm: 'tele:list:follow or notLogged:dial' },
    { from: ['waiting', 'in_progress'], event: 'task.skip', to: '=', perm: 'tele:list:follow or notLogged:dial' },
    { from: ['waiting', 'in_progress'], event: 'task.recycle', to: 'recycled', perm: 'system' },
    { from: ['waiting', 'in_progress'], event: 'task.finish', to: 'finished', perm: 'system' },
  ],
})
