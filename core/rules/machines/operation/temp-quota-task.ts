import { machine } from '../machine.ts'

/** Customers who are to have a higher limit for a while. */
export const tempQuotaTask = machine({
  id: 'M52',
  name: 'temp_quota_task',
  title: 'Request to raise limits for a time',
  table: 'temp_quota_task',
  key: 'quota_task_no',
  status: 'quota_task_status',
  dict: 'TEMP_QUOTA_TASK_STATUS',
  states: {
    pending: { tone: 'wait' },
    approved: { tone: 'good', terminal: true },
    rejected: { tone: 'bad', terminal: true },
    removed: { tone: 'ended', terminal: true },
  },
  rows: [
    { from: ['∅'], event: 'quota.create', to: 'pending', perm: 'tempQuota:create' },
    { from: ['pending'], event: 'quota.audit', to: 'approved', as: 'approve', perm: 'tempQuota:audit' },
    { from: ['pending'], event: 'quota.audit', to: 'rejected', as: 'reject', perm: 'tempQuota:audit' },
    { from: ['pending'], event: 'quota.remove', to: 'removed', perm: 'tempQuota:remove' },
  ],
})
