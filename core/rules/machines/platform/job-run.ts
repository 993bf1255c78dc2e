import { machine } from '../machine.ts'

/** Scheduled job, and with an instance of it a run that a person asked for and may cancel. */
export const jobRun = machine({
  id: 'M77',
  name: 'job_run',
  title: 'Scheduled job',
  table: 'job_run',
  key: 'job_run_no',
  status: 'job_status',
  dict: 'JOB_STATUS',
  leased: true,
  states: {
    queued: { tone: 'wait' },
    running: { tone: 'progress' },
    done: { tone: 'good', terminal: true },
    failed: { tone: 'bad' },
    cancelled: { tone: 'ended', terminal: true },
  },
  rows: [
    { from: ['∅'], event: 'job.plan', to: 'queued', perm: 'system' },
    { from: ['queued'], event: 'job.lease', to: 'running', perm: 'system' },
    { from: ['running'], event: 'job.progress', to: '=', perm: 'system' },
    { from: ['running'], event: 'job.done', to: 'done', perm: 'system' },
    { from: ['running'], event: 'job.crash', to: 'queued', perm: 'system' },
    { from: ['running'], event: 'job.fail', to: 'failed', perm: 'system' },
    { from: ['queued', 'running'], event: 'job.cancel', to: 'cancelled', perm: '{area}:test' },
    { from: ['failed'], event: 'job.retry', to: 'queued', perm: 'ops:job:run' },
  ],
})
