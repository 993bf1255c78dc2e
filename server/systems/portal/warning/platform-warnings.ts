import { sql } from 'kysely'
import type { WarningRule } from '../../../warnings/rule.ts'

type Failed = { job: string; n: number }

/** Runs of a job that gave up, until somebody runs them again. */
const jobFailed: WarningRule = {
  type: 'job_failed',
  level: 'warning',
  find: async tx => {
    const rows = await tx.rows(sql<Failed>`
      select job, count(*)::int as n from job_run where job_status = 'failed' group by job order by job`)
    return rows.map(({ job, n }) => ({
      key: job,
      merchantNo: null,
      objectType: 'job',
      affected: [{ objectNo: job, route: null }],
      facts: { job, n },
    }))
  },
}

/** Work of a queue that was tried as often as it may be. */
const outboxDead: WarningRule = {
  type: 'outbox_dead',
  level: 'warning',
  find: async tx => {
    const rows = await tx.rows(sql<{ queue: string; n: number; keys: string[] }>`
      select queue, count(*)::int as n, (array_agg(job_key order by finished_time desc))[1:10] as keys
      from job where state = 'dead' group by queue order by queue`)
    return rows.map(({ queue, n, keys }) => ({
      key: queue,
      merchantNo: null,
      objectType: 'queue',
      affected: keys.map(objectNo => ({ objectNo: objectNo.slice(0, 40), route: null })),
      facts: { queue, n },
    }))
  },
}

export const platformWarnings = [jobFailed, outboxDead]
