import { z } from 'zod'
import { jobRun } from '../../rules/machines/platform/job-run.ts'
import { command, list, noun } from '../endpoint.ts'
import { dictionary, field } from '../fields.ts'

/** Jobs that finance waits for: the end of the day, and what moves or proves money by itself. */
export const financeJobs = dictionary('FINANCE_JOB', [
  'day.roll',
  'day.snapshot',
  'repay.autoSettle',
  'statement.fetch',
  'recon.run',
  'payout.autoCancel',
  'bank.batch',
  'bank.answers',
  'balance.poll',
  'consumption.post',
  'refund.autoClose',
  'retention',
])

const perm = 'ops:job:run'

const JobRow = z.object({
  /** The job and its slot. */
  jobRunNo: field.key(120),
  financeJob: field.dict(financeJobs),
  jobSlot: field.key(40),
  jobStatus: field.state(jobRun),
  runCount: field.int(),
  error: z.string().nullable(),
  plannedTime: field.time(),
  startedTime: field.time().nullable(),
  finishedTime: field.time().nullable(),
  version: z.int(),
})

/** Calls of scheduled jobs: what ran for which day, and running again what failed. */
export const job = noun('after-loan/job', {
  page: list('/payManage/job/page', {
    perm,
    row: JobRow,
    filters: {
      financeJob: z.array(field.dict(financeJobs)).optional(),
      jobStatus: z.array(field.state(jobRun)).optional(),
      plannedTime: field.dateRange().optional(),
    },
    sort: ['plannedTime'],
    defaultSort: '-plannedTime',
  }),
  /** Queues a failed run again, from its beginning: what it has done already it does not do twice. */
  retry: command({
    path: '/payManage/job/retry',
    perm,
    audit: 'job.retry',
    input: z.strictObject({ jobRunNo: field.key(120), version: z.int() }),
    output: z.object({ jobStatus: field.state(jobRun) }),
  }),
})
