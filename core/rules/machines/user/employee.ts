import { machine } from '../machine.ts'

/** Whether a person still works here. */
export const employee = machine({
  id: 'M06',
  name: 'employee',
  title: 'Employment of a person of the staff',
  table: 'app_user',
  key: 'user_no',
  status: 'employee_status',
  dict: 'EMPLOYEE_STATUS',
  states: {
    on_job: { tone: 'good' },
    left: { tone: 'ended' },
  },
  rows: [
    { from: ['∅'], event: 'employee.add', to: 'on_job', perm: 'user:add' },
    { from: ['on_job'], event: 'employee.leave', to: 'left', perm: 'user:update' },
    { from: ['left'], event: 'employee.rejoin', to: 'on_job', perm: 'user:update' },
  ],
})
