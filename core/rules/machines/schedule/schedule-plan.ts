import { machine } from '../machine.ts'

/** Who works when, for one division and month. */
export const schedulePlan = machine({
  id: 'M73',
  name: 'schedule_plan',
  title: 'Shifts of a division for a month',
  table: 'schedule_plan',
  key: 'plan_no',
  status: 'plan_status',
  dict: 'PLAN_STATUS',
  states: {
    draft: { tone: 'wait' },
    published: { tone: 'good' },
    closed: { tone: 'ended', terminal: true },
  },
  rows: [
    { from: ['∅'], event: 'schedule.auto', to: 'draft', perm: 'schedule:auto or schedule:import or schedule:save' },
    { from: ['draft'], event: 'schedule.update', to: '=', perm: 'schedule:update or schedule:drag' },
    { from: ['draft'], event: 'schedule.check', to: '=', perm: 'schedule:save' },
    { from: ['draft'], event: 'schedule.publish', to: 'published', perm: 'schedule:save' },
    { from: ['published'], event: 'schedule.update', to: '=', perm: 'schedule:update or schedule:drag' },
    { from: ['published'], event: 'schedule.unpublish', to: 'draft', perm: 'schedule:save' },
    { from: ['published'], event: 'clock.close', to: 'closed', perm: 'system' },
  ],
})
