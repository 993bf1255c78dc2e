import { machine } from '../machine.ts'

/** One auditor's hold on one order. */
export const auditTask = machine({
  id: 'M11',
  name: 'audit_task',
  title: "One auditor's hold on one order",
  table: 'audit_task',
  key: 'audit_task_no',
  status: 'audit_task_status',
  dict: 'AUDIT_TASK_STATUS',
  states: {
    assigned: { tone: 'wait' },
    opened: { tone: 'progress' },
    submitted: { tone: 'good', terminal: true },
    released: { tone: 'ended', terminal: true },
  },
  rows: [
    { from: ['∅'], event: 'task.assign', to: 'assigned', perm: 'audit:order:allot' },
    { from: ['assigned'], event: 'task.open', to: 'opened', perm: 'audit:order:handle' },
    { from: ['opened'], event: 'task.open', to: '=', as: 'own', perm: 'audit:order:handle' },
    { from: ['opened'], event: 'task.open', to: '=', as: 'colleague', perm: 'audit:order:handleAny' },
    { from: ['opened'], event: 'task.heartbeat', to: '=', perm: 'audit:order:handle' },
    { from: ['opened'], event: 'draft.save', to: '=', perm: 'audit:order:handle' },
    { from: ['opened'], event: 'task.submit', to: 'submitted', perm: 'audit:order:handle' },
    { from: ['assigned', 'opened'], event: 'task.release', to: 'released', perm: 'audit:order:allot' },
  ],
})
