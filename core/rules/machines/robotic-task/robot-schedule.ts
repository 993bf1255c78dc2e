import { machine } from '../machine.ts'

/** Times at which a new task is made. */
export const robotSchedule = machine({
  id: 'M58',
  name: 'robot_schedule',
  title: 'Task of the calling robot that comes again',
  table: 'robot_schedule',
  key: 'schedule_no',
  status: 'schedule_status',
  dict: 'ROBOT_SCHEDULE_STATUS',
  states: {
    enabled: { tone: 'good' },
    disabled: { tone: 'ended' },
  },
  rows: [
    { from: ['∅'], event: 'sched.save', to: 'disabled', perm: '{ns}:robot:save' },
    { from: ['disabled'], event: 'sched.save', to: '=', perm: '{ns}:robot:save' },
    { from: ['disabled'], event: 'sched.enable', to: 'enabled', perm: '{ns}:robot:save' },
    { from: ['enabled'], event: 'sched.disable', to: 'disabled', as: 'person', perm: '{ns}:robot:save' },
    { from: ['enabled'], event: 'sched.disable', to: 'disabled', as: 'system', perm: 'system' },
    { from: ['enabled'], event: 'clock.run', to: '=', perm: 'system' },
  ],
})
