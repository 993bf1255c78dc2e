import crypto from 'node:crypto'
import { sql } from 'kysely'
import { eatDate } from '../../core/rules/time.ts'
import type { Database, Tx } from '../db/database.ts'
import { isPassing } from '../db/faults.ts'
import { json } from '../db/json.ts'
import { faultPoint } from '../fault-point.ts'
import { faultOf, type Log } from '../log.ts'
import type { Slots } from './slots.ts'

/** One run of a scheduled job for one slot. */
export type Run = {
  job: string
  slot: string
  /** The business date that the run stands for, which is not the date of the transaction when it catches up. */
  businessDate: string
  /** Where the last chunk ended; null at the beginning. */
  cursor: string | null
}

/** What one chunk did. It is committed together with its cursor. */
export type Step = {
  /** Where the next chunk begins; null when nothing is left. */
  cursor: string | null
  counts?: Readonly<Record<string, number>>
  /** Items that failed and were passed over: the run ends as failed and an operator may run it again. */
  parked?: readonly string[]
}

/** Work that the clock starts, done chunk by chunk. */
export type ScheduledJob = {
  name: string
  slots: Slots
  /** Does one chunk. It may be done again after a crash or by an operator, so an item done before must be left alone. */
  step(tx: Tx, run: Run): Promise<Step>
}

type Counters = { parked?: string[] } & Record<string, number | string[] | undefined>
type RunRow = {
  job: string
  slot: string
  jobStatus: 'queued' | 'running'
  cursor: string | null
  leaseUntil: string | null
  attempts: number
  counters: Counters | null
  version: number
}

const leaseMs = 60_000
const maxTries = 3
const maxParked = 1_000

/** Does items one by one, each in a savepoint; answers the keys of those that failed. */
export const eachItem = async <T>(
  tx: Tx,
  items: readonly T[],
  keyOf: (item: T) => string,
  act: (tx: Tx, item: T) => Promise<unknown>,
): Promise<string[]> => {
  const failed: string[] = []
  for (const item of items) {
    try {
      await tx.attempt(inner => act(inner, item))
    } catch (error) {
      if (isPassing(error)) throw error
      failed.push(keyOf(item))
    }
  }
  return failed
}

const added = (counters: Counters | null, step: Step): Counters => {
  const sum: Counters = { ...counters }
  for (const [name, count] of Object.entries(step.counts ?? {})) sum[name] = Number(sum[name] ?? 0) + count
  if (step.parked?.length) sum.parked = [...(sum.parked ?? []), ...step.parked].slice(0, maxParked)
  return sum
}

/** How a scheduler looks for due slots; `tickMs` is the time between two looks. */
export type SchedulerOptions = { db: Database; log: Log; jobs: readonly ScheduledJob[]; tickMs?: number }

/**
 * Plans and runs the jobs that are due by the business clock. Each slot of a job is run once, by one process; the jobs of
 * the day run one after the other in the order in which they were due, the jobs of an interval beside them.
 */
export class Scheduler {
  readonly #db: Database
  readonly #log: Log
  readonly #jobs: ReadonlyMap<string, ScheduledJob>
  readonly #lanes: readonly (readonly string[])[]
  readonly #tickMs: number
  readonly #worker = `${process.pid}-${crypto.randomUUID().slice(0, 8)}`
  readonly #last = new Map<string, string>()
  readonly #active = new Map<readonly string[], Promise<unknown>>()
  #planning: Promise<void> | undefined
  #known = false
  #timer: NodeJS.Timeout | undefined
  #stopped = true

  constructor({ db, log, jobs, tickMs = 1_000 }: SchedulerOptions) {
    this.#db = db
    this.#log = log
    this.#tickMs = tickMs
    this.#jobs = new Map(jobs.map(job => [job.name, job]))
    const ofTheDay = jobs.filter(job => job.slots.keepDays === undefined).map(job => job.name)
    const ofAnInterval = jobs.filter(job => job.slots.keepDays !== undefined).map(job => [job.name])
    this.#lanes = [ofTheDay, ...ofAnInterval].filter(lane => lane.length > 0)
  }

  start(): void {
    if (!this.#stopped) return
    this.#stopped = false
    this.#timer = setInterval(() => this.#tick(), this.#tickMs)
    this.#tick()
  }

  /** Starts nothing more; a running job stops after its chunk and continues at the next start. */
  async stop(): Promise<void> {
    this.#stopped = true
    clearInterval(this.#timer)
    await this.#planning
    await Promise.allSettled(this.#active.values())
  }

  /** Plans and runs everything that is due now, and answers how many runs ended; for tests, the seed and a moved clock. */
  async runDue(): Promise<number> {
    await this.#plan()
    let ended = 0
    for (const lane of this.#lanes) ended += await this.#runLane(lane, () => true)
    return ended
  }

  /** Queues a failed run again from its beginning; false when it has not failed. */
  async retry(job: string, slot: string): Promise<boolean> {
    const changed = await this.#db.withTx(tx =>
      tx.exec(sql`
        update job_run set job_status = 'queued', cursor = null, attempts = 0, error = null, counters = null, worker = null,
          lease_until = null, finished_time = null, version = version + 1
        where job = ${job} and slot = ${slot} and job_status = 'failed'`),
    )
    return changed === 1
  }

  #tick(): void {
    this.#planning ??= this.#planAndRun().finally(() => {
      this.#planning = undefined
    })
  }

  async #planAndRun(): Promise<void> {
    try {
      await this.#plan()
    } catch (error) {
      this.#log.error({ event: 'schedule.plan', err: error }, 'jobs could not be planned')
    }
    for (const lane of this.#lanes) {
      if (this.#stopped || this.#active.has(lane)) continue
      const run = this.#runLane(lane, () => !this.#stopped)
        .catch(error => this.#log.error({ event: 'schedule.run', err: error }, 'jobs could not be run'))
        .finally(() => this.#active.delete(lane))
      this.#active.set(lane, run)
    }
  }

  async #plan(): Promise<void> {
    if (!this.#known) await this.#readLast()
    const now = this.#db.clock.now()
    const due = [...this.#jobs.values()].flatMap(job => {
      const slots = job.slots.due(now, this.#last.get(job.name))
      return slots.length > 0 ? [{ job, slots }] : []
    })
    if (due.length === 0) return
    await this.#db.withTx(
      async tx => {
        for (const { job, slots } of due) {
          await tx.exec(sql`
            insert into job_run (job, slot, planned_time) select ${job.name}, slot, ${tx.now} from unnest(${slots}::text[]) as slot
            on conflict (job, slot) do nothing`)
          if (job.slots.keepDays !== undefined) await this.#forget(tx, job.name, job.slots.keepDays)
        }
      },
      { now },
    )
    for (const { job, slots } of due) this.#last.set(job.name, slots.at(-1) ?? '')
  }

  async #readLast(): Promise<void> {
    const names = [...this.#jobs.keys()]
    const rows = await this.#db.read(tx =>
      tx.rows(sql<{ job: string; slot: string }>`
        select job, max(slot collate "C") as slot from job_run where job = any(${names}) group by job`),
    )
    for (const { job, slot } of rows) this.#last.set(job, slot)
    this.#known = true
  }

  async #forget(tx: Tx, job: string, days: number): Promise<void> {
    const before = new Date(tx.now.getTime() - days * 86_400_000).toISOString()
    await tx.exec(sql`delete from job_run where job = ${job} and job_status = 'done' and slot < ${before}`)
  }

  async #runLane(lane: readonly string[], goOn: () => boolean): Promise<number> {
    let ended = 0
    while (goOn()) {
      const next = await this.#next(lane)
      if (!next) return ended
      const row = await this.#lease(next)
      if (row && (await this.#run(row, goOn))) ended++
    }
    return ended
  }

  /** The next due run, unless another process holds it. */
  async #next(lane: readonly string[]): Promise<RunRow | undefined> {
    const rows = await this.#db.read(tx =>
      tx.rows(sql<RunRow>`
        select distinct on (job) job, slot, job_status, cursor, lease_until, attempts, counters, version
        from job_run where job = any(${[...lane]}) and job_status in ('queued', 'running') order by job, slot collate "C"`),
    )
    const now = this.#db.clock.now()
    const dueAt = (row: RunRow): number => this.#jobs.get(row.job)?.slots.at(row.slot).getTime() ?? 0
    const due = rows.filter(row => dueAt(row) <= now.getTime())
    const [first] = due.sort((a, b) => dueAt(a) - dueAt(b) || lane.indexOf(a.job) - lane.indexOf(b.job))
    const taken = first?.jobStatus === 'running' && Date.parse(first.leaseUntil ?? '') > now.getTime()
    return taken ? undefined : first
  }

  async #lease(row: RunRow): Promise<RunRow | undefined> {
    if (row.attempts >= maxTries) {
      await this.#fail(row, 'it stopped three times at the same place')
      return undefined
    }
    return this.#db.withTx(tx =>
      tx.maybe(sql<RunRow>`
        update job_run set job_status = 'running', worker = ${this.#worker}, lease_until = ${lease(tx)}, attempts = attempts + 1,
          started_time = coalesce(started_time, ${tx.now}), version = version + 1
        where job = ${row.job} and slot = ${row.slot} and version = ${row.version}
        returning job, slot, job_status, cursor, lease_until, attempts, counters, version`),
    )
  }

  /** Runs chunk after chunk; true when the run ended, well or not. */
  async #run(leased: RunRow, goOn: () => boolean): Promise<boolean> {
    let row = leased
    try {
      await faultPoint('job', row.job)
      for (;;) {
        const before = row
        row = await this.#db.withTx(tx => this.#chunk(tx, before))
        if (row.cursor === null) return this.#report(row)
        await faultPoint('mid-batch')
        if (!goOn()) {
          await this.#giveBack(row, null)
          return false
        }
      }
    } catch (error) {
      return this.#failed(row, error)
    }
  }

  /** One chunk with its cursor, and with the end of the run when it was the last. */
  async #chunk(tx: Tx, row: RunRow): Promise<RunRow> {
    const { job, slot, cursor } = row
    const businessDate = slot.length === 10 ? slot : eatDate(slot)
    const step = await (this.#jobs.get(job) as ScheduledJob).step(tx, { job, slot, businessDate, cursor })
    const counters = added(row.counters, step)
    const parked = counters.parked?.length ?? 0
    const ended = step.cursor === null
    const status = ended ? (parked > 0 ? 'failed' : 'done') : 'running'
    const changed = await tx.exec(sql`
      update job_run set job_status = ${status}, cursor = ${step.cursor}, counters = ${json(counters)}, attempts = 0,
        lease_until = ${ended ? null : lease(tx)}, finished_time = ${ended ? tx.now : null},
        error = ${ended && parked > 0 ? `${parked} items were set aside` : null}, version = version + 1
      where job = ${job} and slot = ${slot} and version = ${row.version}`)
    if (changed !== 1) throw new Error('the run belongs to another process')
    return { ...row, cursor: step.cursor, counters, attempts: 0, version: row.version + 1 }
  }

  #report(row: RunRow): true {
    const about = { job: row.job, slot: row.slot }
    const parked = row.counters?.parked?.length ?? 0
    if (parked > 0)
      this.#log.error({ event: 'schedule.parked', ...about, count: parked }, 'items of a job were set aside')
    else this.#log.debug({ event: 'schedule.done', ...about }, 'a job is done')
    return true
  }

  async #failed(row: RunRow, error: unknown): Promise<boolean> {
    const about = { job: row.job, slot: row.slot, attempts: row.attempts, err: error }
    if (row.attempts < maxTries) {
      this.#log.warn({ event: 'schedule.crash', ...about }, 'a job stopped and will go on')
      await this.#giveBack(row, error)
      return false
    }
    this.#log.error({ event: 'schedule.failed', ...about }, 'a job failed')
    return this.#fail(row, faultOf(error).message)
  }

  async #giveBack(row: RunRow, error: unknown): Promise<void> {
    await this.#db.withTx(tx =>
      tx.exec(sql`
        update job_run set job_status = 'queued', worker = null, lease_until = null, version = version + 1,
          error = ${error === null ? null : faultOf(error).message}
        where job = ${row.job} and slot = ${row.slot} and version = ${row.version}`),
    )
  }

  async #fail(row: RunRow, error: string): Promise<boolean> {
    const changed = await this.#db.withTx(tx =>
      tx.exec(sql`
        update job_run set job_status = 'failed', error = ${error}, finished_time = ${tx.now}, worker = null, lease_until = null,
          version = version + 1
        where job = ${row.job} and slot = ${row.slot} and version = ${row.version}`),
    )
    return changed === 1
  }
}

const lease = (tx: Tx): Date => new Date(tx.now.getTime() + leaseMs)
