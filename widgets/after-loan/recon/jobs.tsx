import { job } from '../../../core/contract/after-loan/job.ts'
import { listScreen } from '../../../core/engine/list/list-screen.ts'
import { can } from '../../../core/rules/machines/machine.ts'
import { jobRun } from '../../../core/rules/machines/platform/job-run.ts'

/** What ran for which day, and running again what failed. */
export default listScreen({
  list: job.page,
  rowKey: 'jobRunNo',
  start: { plannedTime: 'last7' },
  presets: [{ label: 'recon.jobsFailed', filters: { jobStatus: ['failed'] }, counted: true }],
  filters: ['financeJob', 'jobStatus', 'plannedTime'],
  columns: ['financeJob', 'jobSlot', 'jobStatus', 'runCount', 'plannedTime', 'startedTime', 'finishedTime', 'error'],
  row: act => [
    act(job.retry, {
      label: 'actions.retryJob',
      when: row => can(jobRun, row.jobStatus, 'job.retry'),
      input: ([row]) => ({ jobRunNo: row?.jobRunNo, version: row?.version }),
      confirm: 'recon.confirmRetry',
    }),
  ],
})
