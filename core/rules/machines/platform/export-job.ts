import { machine } from '../machine.ts'

/** Export of a list to a file. */
export const exportJob = machine({
  id: 'M67',
  name: 'export_job',
  title: 'Export (orders, users, refunds, customers, schedules, payouts)',
  table: 'export_job',
  key: 'export_no',
  status: 'export_status',
  dict: 'EXPORT_STATUS',
  states: {
    queued: { tone: 'wait' },
    running: { tone: 'progress' },
    ready: { tone: 'good' },
    failed: { tone: 'bad' },
    expired: { tone: 'ended', terminal: true },
  },
  rows: [
    { from: ['∅'], event: 'export.request', to: 'queued', perm: '{area}:export' },
    { from: ['queued'], event: 'export.run', to: 'running', perm: 'system' },
    { from: ['running'], event: 'export.done', to: 'ready', perm: 'system' },
    { from: ['running'], event: 'export.fail', to: 'failed', perm: 'system' },
    { from: ['failed'], event: 'export.retry', to: 'queued', perm: '{area}:export' },
    { from: ['ready'], event: 'export.download', to: '=', perm: '{area}:export' },
    { from: ['ready'], event: 'clock.ttl', to: 'expired', perm: 'system' },
  ],
})
