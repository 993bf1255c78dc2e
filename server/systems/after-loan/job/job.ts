import { sql } from 'kysely'
import { financeJobs, job } from '../../../../core/contract/after-loan/job.ts'
import type { StateOf } from '../../../../core/rules/machines/machine.ts'
import type { jobRun } from '../../../../core/rules/machines/platform/job-run.ts'
import { checkVersion, notFound } from '../../../http/fault.ts'
import { serve } from '../../../http/serve.ts'
import { listed, serveListed } from '../../../lists/listed.ts'
import type { Module } from '../../../module.ts'
import { limitFor } from '../../../rights/scope.ts'
import type { Session } from '../../../session/session.ts'
import { requireEvent } from '../../../states/transition.ts'

const key = sql`x.job || ':' || x.slot`
/** Jobs are the company's. */
const seen = (session: Session) =>
  limitFor(session, job.page.perm) === 'all' && !session.onlyMerchants
    ? sql`x.job = any(${[...financeJobs.values]})`
    : sql`false`

const runs = listed({
  list: job.page,
  source: ({ session }) => ({
    from: sql`job_run x`,
    alias: 'x',
    key,
    where: seen(session),
    columns: { jobRunNo: key, financeJob: sql`x.job`, jobSlot: sql`x.slot`, runCount: sql`x.attempts` },
  }),
})

type Run = { jobRunNo: string; jobStatus: StateOf<typeof jobRun>; version: number }

/** Queues a failed run again; the scheduler takes it with the next of its lane. */
const retry = serve(job.retry, async ({ tx, session, input, audit }) => {
  const run = await tx.maybe(sql<Run>`
    select ${key} as job_run_no, x.job_status, x.version from job_run x where ${key} = ${input.jobRunNo} and ${seen(session)} for update`)
  if (!run) throw notFound()
  requireEvent('jobRun', run.jobStatus, 'job.retry')
  checkVersion(run, input.version)
  await tx.exec(sql`
    update job_run x set job_status = 'queued', cursor = null, attempts = 0, error = null, counters = null, worker = null, lease_until = null, finished_time = null, version = version + 1
    where ${key} = ${input.jobRunNo}`)
  audit({
    objectType: 'jobRun',
    objectNo: input.jobRunNo,
    before: { jobStatus: run.jobStatus },
    after: { jobStatus: 'queued' },
  })
  return { jobStatus: 'queued' as const }
})

/** Scheduled jobs: what ran when, and running again what failed. */
export const jobModule = (): Module => ({ served: [serveListed(runs), retry], lists: [runs] })
