import { sql } from 'kysely'
import type { Database } from './db/database.ts'
import { faultPoint } from './fault-point.ts'
import { type Handler, handler, Worker } from './jobs/queue.ts'
import { type ScheduledJob, Scheduler } from './jobs/scheduler.ts'
import { daily, every } from './jobs/slots.ts'
import type { Log } from './log.ts'
import type { AnyHandler, Chunked, Module, NetworkHandler, QueueHandler, Scheduled, StepHandler } from './module.ts'

type Payload = Record<string, unknown>
type Talked = { prepared: unknown; answer: unknown } | null
/** What network work is to the loop that runs it: it only passes on what the work itself prepared. */
type Network = NetworkHandler<unknown, unknown>

/** For how long work in steps goes on before others have their turn; far less than its lease. */
const roundMs = 5_000

const inOneTransaction = ({ handle }: QueueHandler): Handler =>
  handler<Payload>({ effect: (tx, job) => handle(tx, { jobKey: job.key, payload: job.payload }) })

/** Network work in three steps: commit what will be done, talk with no transaction open, commit the result. */
const overTheNetwork = (db: Database, given: NetworkHandler<never, never>): Handler => {
  const { before, send, after, again, waits } = given as unknown as Network
  return handler<Payload, Talked>({
    ...(waits ? { waits } : {}),
    async before(job) {
      const prepared = await db.withTx(tx => before(tx, { jobKey: job.key, payload: job.payload }))
      if (prepared === null) return null
      await faultPoint('before-send')
      const answer = await send(prepared)
      await faultPoint('after-send')
      return { prepared, answer }
    },
    effect: async (tx, _job, talked) => {
      if (!talked) return undefined
      await after(tx, talked.prepared, talked.answer)
      return again?.(talked.prepared, talked.answer) ? { again: tx.now } : undefined
    },
  })
}

/** One part after the other, each committed by itself. */
const stepByStep = (db: Database, { step }: StepHandler): Handler =>
  handler<Payload, boolean>({
    async before({ key, payload }) {
      const until = performance.now() + roundMs
      for (;;) {
        const more = await db.withTx(tx => step(tx, { jobKey: key, payload }))
        await faultPoint('mid-batch')
        if (!more || performance.now() > until) return more
      }
    },
    effect: async (tx, _job, more) => (more ? { again: tx.now } : undefined),
  })

const handlerOf = (db: Database, one: AnyHandler): Handler => {
  if ('send' in one) return overTheNetwork(db, one)
  return 'step' in one ? stepByStep(db, one) : inOneTransaction(one)
}

const scheduled = ({ job, every: when, run }: Scheduled): ScheduledJob => ({
  name: job,
  slots: 'seconds' in when ? every(when.seconds) : daily(when.dailyAt),
  step: async (tx, { businessDate }) => ({ cursor: null, counts: await run(tx, { date: businessDate }) }),
})

const chunked = ({ job, dailyAt, chunk }: Chunked): ScheduledJob => ({
  name: job,
  slots: daily(dailyAt),
  step: (tx, { businessDate, cursor }) => chunk(tx, { date: businessDate, cursor }),
})

const unique = <T>(kind: string, pairs: readonly (readonly [string, T])[]): Record<string, T> => {
  const all = Object.fromEntries(pairs)
  if (Object.keys(all).length !== pairs.length)
    throw new Error(`a ${kind} has two handlers: ${pairs.map(([name]) => name).join(', ')}`)
  return all
}

export type Jobs = { worker: Worker; scheduler: Scheduler }

/** The loops that take the work of all modules: from the queues, and by the clock. */
export const jobsOf = (o: {
  db: Database
  log: Log
  modules: readonly Module[]
  concurrency?: number
  pollMs?: number
}): Jobs => {
  const { db, log, modules, ...options } = o
  const queues = modules.flatMap(module => module.queues ?? [])
  const handlers = unique(
    'queue',
    queues.map(one => [one.queue, handlerOf(db, one)] as const),
  )
  const jobs = unique(
    'scheduled job',
    modules
      .flatMap(module => [...(module.scheduled ?? []).map(scheduled), ...(module.chunked ?? []).map(chunked)])
      .map(one => [one.name, one] as const),
  )
  return {
    worker: new Worker({ db, log, handlers, ...options }),
    scheduler: new Scheduler({ db, log, jobs: Object.values(jobs) }),
  }
}

/** The embedded database belongs to one process: what a dead one had taken needs not wait until its lease is over. */
const takeBack = (db: Database): Promise<void> =>
  db.withTx(async tx => {
    await tx.exec(
      sql`update job set run_at = ${tx.now}, worker = null where state = 'ready' and worker is not null and run_at > ${tx.now}`,
    )
    await tx.exec(
      sql`update job_run set lease_until = ${tx.now} where job_status = 'running' and lease_until > ${tx.now}`,
    )
  })

/** Starts the loops; `stop` lets what runs come to its end. */
export const startJobs = async (db: Database, { worker, scheduler }: Jobs): Promise<{ stop(): Promise<void> }> => {
  if (db.kind === 'pglite') await takeBack(db)
  worker.start()
  scheduler.start()
  return {
    async stop() {
      await Promise.all([worker.stop(), scheduler.stop()])
    },
  }
}
