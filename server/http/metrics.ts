import { sql } from 'kysely'
import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client'
import type { Database } from '../db/database.ts'
import { within } from '../lists/within.ts'

const refreshMs = 1_500

/** Jobs of a queue that are due, jobs that were given up, and the age of the oldest due one in seconds. */
export type JobState = { ready: number; dead: number; oldestSeconds: number }
type Depth = { queue: string; ready: number; dead: number; oldestSeconds: number }

const depths = (db: Database): Promise<Depth[]> =>
  db.read(tx =>
    tx.rows(sql<Depth>`
      select queue, count(*) filter (where state = 'ready')::int as ready, count(*) filter (where state = 'dead')::int as dead,
        coalesce(greatest(floor(extract(epoch from ${tx.now}::timestamptz - min(run_at) filter (where state = 'ready'))), 0), 0)::int as oldest_seconds
      from job where state <> 'done' group by queue order by queue`),
  )

/** Work that waits, work that was given up, and the age of the oldest. */
export const jobState = async (db: Database): Promise<JobState> => {
  const all = await depths(db)
  const sum = (part: 'ready' | 'dead') => all.reduce((total, depth) => total + depth[part], 0)
  return {
    ready: sum('ready'),
    dead: sum('dead'),
    oldestSeconds: Math.max(0, ...all.map(depth => depth.oldestSeconds)),
  }
}

const outboxAge = (db: Database): Promise<number> =>
  db.read(async tx => {
    const { seconds } = await tx.one(sql<{ seconds: number }>`
      select coalesce(greatest(floor(extract(epoch from ${tx.now}::timestamptz - min(due_time))), 0), 0)::int as seconds from outbox where outbox_status in ('waiting', 'leased')`)
    return seconds
  })

/** What `/metrics` tells: calls by path and code, how long they took, and the depth of the queues. */
export const createMetrics = (db: Database) => {
  const registry = new Registry()
  const registers = [registry]
  collectDefaultMetrics({ register: registry })
  const calls = new Counter({
    name: 'mkopo_calls_total',
    help: 'Answered calls by path and answer code',
    labelNames: ['path', 'code'],
    registers,
  })
  const seconds = new Histogram({
    name: 'mkopo_call_seconds',
    help: 'Time to answer by path',
    labelNames: ['path'],
    buckets: [0.005, 0.02, 0.1, 0.5, 2, 10],
    registers,
  })
  const ready = new Gauge({
    name: 'mkopo_jobs_ready',
    help: 'Jobs that wait or run, by queue',
    labelNames: ['queue'],
    registers,
  })
  const dead = new Gauge({
    name: 'mkopo_jobs_dead',
    help: 'Jobs that were set aside, by queue',
    labelNames: ['queue'],
    registers,
  })
  const oldest = new Gauge({
    name: 'mkopo_jobs_oldest_seconds',
    help: 'How late the oldest due job is, by queue',
    labelNames: ['queue'],
    registers,
  })
  const outbox = new Gauge({ name: 'mkopo_outbox_age_seconds', help: 'How late the oldest due message is', registers })

  const refresh = async () => {
    const [all, age] = [await depths(db), await outboxAge(db)]
    for (const gauge of [ready, dead, oldest]) gauge.reset()
    for (const depth of all) {
      ready.set({ queue: depth.queue }, depth.ready)
      dead.set({ queue: depth.queue }, depth.dead)
      oldest.set({ queue: depth.queue }, depth.oldestSeconds)
    }
    outbox.set(age)
  }

  return {
    observe(path: string, code: number, took: number) {
      calls.inc({ path, code: String(code) })
      seconds.observe({ path }, took)
    },
    async text(): Promise<string> {
      await within(refresh(), refreshMs).catch(() => undefined)
      return registry.metrics()
    },
    contentType: registry.contentType,
  }
}
/** The Prometheus registry of a server, with the ways to count into it. */
export type Metrics = ReturnType<typeof createMetrics>
