import crypto from 'node:crypto'
import { EventEmitter } from 'node:events'
import { sql } from 'kysely'
import type { Database, Tx } from '../db/database.ts'
import { json } from '../db/json.ts'
import { faultPoint } from '../fault-point.ts'
import { faultOf, type Log } from '../log.ts'

/** A leased job as its handler sees it. */
export type Job<P = unknown> = {
  id: number
  queue: string
  key: string
  payload: P
  /** This try, from 1. */
  attempts: number
  maxAttempts: number
}

/** What a handler does with a job of its queue. */
export type Handler<P = unknown, R = unknown> = {
  /** Work outside any transaction, such as a call to a provider; it happens at least once, so it carries a stable key. */
  before?(job: Job<P>): Promise<R>
  /** The effect, in the transaction that completes the job: exactly once. `again` asks for another round at that time. */
  effect(tx: Tx, job: Job<P>, result: R): Promise<void> | Promise<{ again: Date } | undefined>
  /** It waits for a stranger who may be slow: one such job runs at a time, so that the others are not held up. */
  waits?: true
}

/** The job cannot succeed: it is given up at once. */
export class JobRefused extends Error {
  override name = 'JobRefused'
}

/** Another worker has taken the job over; what this one did is rolled back. */
class LeaseLost extends Error {
  override name = 'LeaseLost'
}

const arrivals = new EventEmitter()
arrivals.setMaxListeners(0)

const maxDelayMs = 15 * 60_000

/** The wait after a failed try: 1 s, 2 s, 4 s … at most 15 min, each ± a quarter. */
export const backoffMs = (attempts: number, random = Math.random()): number =>
  Math.min(maxDelayMs, Math.round(1_000 * 2 ** (attempts - 1) * (0.75 + random / 2)))

const later = (instant: Date, milliseconds: number): Date => new Date(instant.getTime() + milliseconds)

/**
 * Adds a job to a queue in the transaction of its cause: it exists only if that commits. `key` makes it unique within the queue.
 * Runs at `runAt` (default: now), up to `maxAttempts` times (default: 10) with growing waits.
 * @returns false when the queue has had a job of that key before
 */
export const enqueue = async (
  tx: Tx,
  queue: string,
  key: string,
  payload: unknown,
  options: { runAt?: Date; maxAttempts?: number } = {},
): Promise<boolean> => {
  const added = await tx.exec(sql`
    insert into job (queue, job_key, payload, run_at, max_attempts, created_time)
    values (${queue}, ${key}, ${json(payload)}, ${options.runAt ?? tx.now}, ${options.maxAttempts ?? 10}, ${tx.now})
    on conflict (queue, job_key) do nothing`)
  if (added === 1) tx.afterCommit(() => void arrivals.emit(queue))
  return added === 1
}

/** Gives a dead job another full round of tries; for an operator who has removed the cause. */
export const requeue = async (tx: Tx, id: number): Promise<boolean> => {
  const [job] = await tx.rows(sql<{ queue: string }>`
    update job set state = 'ready', run_at = ${tx.now}, max_attempts = attempts + 10, finished_time = null
    where id = ${id} and state = 'dead' returning queue`)
  if (job) tx.afterCommit(() => void arrivals.emit(job.queue))
  return job !== undefined
}

const claim = (tx: Tx, queues: string[], worker: string, limit: number, leaseMs: number): Promise<Job[]> =>
  tx.rows(sql<Job>`
    with due as (
      select id, run_at as due_time, attempts < max_attempts as alive from job
      where queue = any(${queues}) and state = 'ready' and run_at <= ${tx.now}
      order by run_at, id limit ${limit} for update skip locked
    ), spent as (
      update job set state = 'dead', finished_time = ${tx.now}, last_error = coalesce(last_error, 'the last try did not end')
      from due where job.id = due.id and not due.alive
    ), claimed as (
      update job set attempts = attempts + 1, worker = ${worker}, run_at = ${later(tx.now, leaseMs)}
      from due where job.id = due.id and due.alive
      returning job.id, job.queue, job.job_key as key, job.payload, job.attempts, job.max_attempts, due.due_time
    )
    select id, queue, key, payload, attempts, max_attempts from claimed order by due_time, id`)

const complete = async (tx: Tx, job: Job, again: Date | undefined): Promise<void> => {
  const fence = sql`id = ${job.id} and attempts = ${job.attempts} and state = 'ready'`
  const done = again
    ? await tx.exec(
        sql`update job set run_at = ${again}, max_attempts = max_attempts + 1, worker = null where ${fence}`,
      )
    : await tx.exec(sql`update job set state = 'done', finished_time = ${tx.now}, last_error = null where ${fence}`)
  if (done !== 1) throw new LeaseLost(`job ${job.id} belongs to another worker`)
}

const fail = async (tx: Tx, job: Job, error: unknown): Promise<'dead' | 'ready'> => {
  const state = error instanceof JobRefused || job.attempts >= job.maxAttempts ? 'dead' : 'ready'
  await tx.exec(sql`
    update job set state = ${state}, last_error = ${faultOf(error).message}, worker = null,
      run_at = ${later(tx.now, backoffMs(job.attempts))}, finished_time = ${state === 'dead' ? tx.now : null}
    where id = ${job.id} and attempts = ${job.attempts} and state = 'ready'`)
  return state
}

/** How a worker takes jobs; times in milliseconds. */
export type WorkerOptions = {
  db: Database
  log: Log
  handlers: Readonly<Record<string, Handler>>
  /** How many jobs run at the same time. */
  concurrency?: number
  /** Longer than any `before` may take: after it another worker may take the job. */
  leaseMs?: number
  pollMs?: number
}

/** A handler with the types of its own queue, as a worker keeps it. */
export const handler = <P, R = void>(declared: Handler<P, R>): Handler => declared as unknown as Handler

/** Takes jobs from queues and runs them, until it is stopped; several workers and processes share the work. */
export class Worker {
  readonly #options: Required<WorkerOptions>
  readonly #queues: string[]
  readonly #name = `${process.pid}-${crypto.randomUUID().slice(0, 8)}`
  readonly #running = new Set<Promise<void>>()
  /** Queues whose jobs wait for strangers, and whether one of them runs. */
  readonly #slow: string[]
  #isWaiting = false
  #stopped = true
  #round: Promise<void> | undefined
  #askedAgain = false
  #timer: NodeJS.Timeout | undefined

  constructor(options: WorkerOptions) {
    this.#options = { concurrency: 4, leaseMs: 60_000, pollMs: 1_000, ...options }
    this.#queues = Object.keys(options.handlers)
    this.#slow = this.#queues.filter(queue => options.handlers[queue]?.waits)
  }

  start(): void {
    if (!this.#stopped) return
    this.#stopped = false
    for (const queue of this.#queues) arrivals.on(queue, this.wake)
    this.#timer = setInterval(this.wake, this.#options.pollMs)
    this.wake()
  }

  /** Looks for due jobs now rather than at the next poll. */
  readonly wake = (): void => {
    if (this.#stopped) return
    if (this.#round) {
      this.#askedAgain = true
      return
    }
    this.#round = this.#fill()
      .catch(error => this.#options.log.error({ event: 'job.claim', err: error }, 'jobs could not be claimed'))
      .finally(() => {
        this.#round = undefined
        if (!this.#askedAgain) return
        this.#askedAgain = false
        this.wake()
      })
  }

  /** Takes no more jobs and waits for those that run. */
  async stop(): Promise<void> {
    this.#stopped = true
    clearInterval(this.#timer)
    for (const queue of this.#queues) arrivals.off(queue, this.wake)
    await this.#round
    await Promise.all(this.#running)
  }

  /** Runs what is due, and what that makes due, until nothing is; for tests and for the seed on its own clock. */
  async drain(): Promise<number> {
    for (let total = 0; ; ) {
      const jobs = await this.#claim(this.#queues, this.#options.concurrency)
      if (jobs.length === 0) return total
      for (const job of jobs) await this.#run(job)
      total += jobs.length
    }
  }

  #claim(queues: string[], limit: number): Promise<Job[]> {
    return this.#options.db.withTx(tx => claim(tx, queues, this.#name, limit, this.#options.leaseMs))
  }

  /** Due jobs for the free places: of those that wait for strangers one, and only while none runs. */
  async #due(free: number): Promise<Job[]> {
    const quick = this.#queues.filter(queue => !this.#slow.includes(queue))
    const jobs = await this.#claim(quick, free)
    if (this.#slow.length === 0 || this.#isWaiting || jobs.length >= free) return jobs
    return [...jobs, ...(await this.#claim(this.#slow, 1))]
  }

  async #fill(): Promise<void> {
    const free = this.#options.concurrency - this.#running.size
    if (free <= 0) return
    for (const job of await this.#due(free)) {
      const isSlow = this.#slow.includes(job.queue)
      if (isSlow) this.#isWaiting = true
      const run = this.#run(job).finally(() => {
        if (isSlow) this.#isWaiting = false
        this.#running.delete(run)
        this.wake()
      })
      this.#running.add(run)
    }
  }

  async #run(job: Job): Promise<void> {
    const { db, log, handlers } = this.#options
    const about = { queue: job.queue, jobId: job.id, jobKey: job.key, attempts: job.attempts }
    try {
      await faultPoint('job', job.queue)
      const { before, effect } = handlers[job.queue] as Handler
      const result = await before?.(job)
      await db.withTx(async tx => complete(tx, job, (await effect(tx, job, result))?.again))
    } catch (error) {
      if (error instanceof LeaseLost) {
        log.warn({ event: 'job.lost', ...about }, 'job was taken over by another worker')
        return
      }
      const state = await db.withTx(tx => fail(tx, job, error)).catch(() => 'ready' as const)
      const level = state === 'dead' ? 'error' : 'warn'
      log[level]({ event: `job.${state === 'dead' ? 'dead' : 'retry'}`, ...about, err: error }, 'job failed')
    }
  }
}
