import { sql } from 'kysely'
import { afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import { onEachEngine } from '../../tests/databases.ts'
import { type MovableClock, stoppedClock } from '../db/clock.ts'
import type { Database } from '../db/database.ts'
import { silentLog } from '../log.ts'
import {
  backoffMs,
  enqueue,
  type Handler,
  handler,
  type Job,
  JobRefused,
  requeue,
  Worker,
  type WorkerOptions,
} from './queue.ts'

const start = '2026-11-20T08:00:00.000Z'

onEachEngine('the job queue', open => {
  let clock: MovableClock
  let db: Database
  const workers: Worker[] = []

  beforeAll(async () => {
    clock = stoppedClock(start)
    db = await open(clock)
  })
  beforeEach(async () => {
    clock.set(new Date(start))
    await db.withTx(async tx => {
      await tx.exec(sql`delete from job`)
      await tx.exec(sql`delete from tracking_event`)
    })
  })
  afterEach(async () => {
    await Promise.all(workers.splice(0).map(worker => worker.stop()))
  })

  const worker = (handlers: Record<string, Handler>, options: Partial<WorkerOptions> = {}): Worker => {
    const made = new Worker({ db, log: silentLog, handlers, pollMs: 20, ...options })
    workers.push(made)
    return made
  }
  const put = (key: string, payload: unknown = {}, options: Parameters<typeof enqueue>[4] = {}) =>
    db.withTx(tx => enqueue(tx, 'pay', key, payload, options))
  const jobs = () =>
    db.read(tx =>
      tx.rows(sql<{ jobKey: string; state: string; attempts: number; lastError: string | null; runAt: string }>`
      select job_key, state, attempts, last_error, run_at from job order by id`),
    )
  const effects = async () =>
    (
      await db.read(tx =>
        tx.rows(sql<{ key: string }>`select payload ->> 'key' as key from tracking_event order by event_no`),
      )
    ).map(row => row.key)
  const record: Handler = {
    async effect(tx, job) {
      tx.append('trackingEvent', { receivedTime: tx.now, payload: { key: job.key, attempt: job.attempts } })
    },
  }

  it('takes a job once per key, and drops it with the transaction that put it there', async () => {
    expect(await put('a', { amount: '5.00' })).toBe(true)
    expect(await put('a', { amount: '6.00' })).toBe(false)
    await expect(
      db.withTx(async tx => {
        await enqueue(tx, 'pay', 'b', {})
        throw new Error('no')
      }),
    ).rejects.toThrow('no')
    expect(await jobs()).toMatchObject([{ jobKey: 'a', state: 'ready', attempts: 0 }])
  })

  it('runs jobs in the order in which they are due, with what they carry', async () => {
    const seen: unknown[] = []
    await put('late', [1], { runAt: new Date('2026-11-20T07:00:00Z') })
    await put('early', { deep_key: ['x'] }, { runAt: new Date('2026-11-20T06:00:00Z') })
    await put('future', {}, { runAt: new Date('2026-11-20T08:00:01Z') })
    const own = handler<unknown>({ effect: async (_, job) => void seen.push([job.key, job.payload, job.attempts]) })
    expect(await worker({ pay: own }).drain()).toBe(2)
    expect(seen).toEqual([
      ['early', { deep_key: ['x'] }, 1],
      ['late', [1], 1],
    ])
    clock.advance(1_000)
    expect(await worker({ pay: own }).drain()).toBe(1)
  })

  it('writes effect and completion together', async () => {
    await put('a')
    await worker({ pay: record }).drain()
    expect(await jobs()).toMatchObject([{ state: 'done', attempts: 1 }])
    expect(await effects()).toEqual(['a'])
  })

  it('is woken by the commit that puts a job, without a poll', async () => {
    worker({ pay: record }, { pollMs: 3_600_000 }).start()
    await put('a')
    await vi.waitFor(async () => expect(await effects()).toEqual(['a']))
  })

  it('finds jobs by polling that another process put there', async () => {
    worker({ pay: record }).start()
    await db.withTx(tx =>
      tx.exec(sql`insert into job (queue, job_key, run_at, created_time) values ('pay', 'x', ${tx.now}, ${tx.now})`),
    )
    await vi.waitFor(async () => expect(await effects()).toEqual(['x']))
  })

  it('tries again later and later, undoes a failed effect, and gives up after the last try', async () => {
    await put('a', {}, { maxAttempts: 3 })
    const failing = worker({
      pay: {
        async effect(tx, job) {
          await record.effect(tx, job, undefined)
          await tx.flush()
          throw new Error(`try ${job.attempts} for +256772123456`)
        },
      },
    })
    expect(await failing.drain()).toBe(1)
    const [first] = await jobs()
    expect(first).toMatchObject({ state: 'ready', attempts: 1, lastError: 'try 1 for [digits]' })
    const waited = Date.parse(first?.runAt ?? '') - Date.parse(start)
    expect(waited).toBeGreaterThanOrEqual(750)
    expect(waited).toBeLessThanOrEqual(1_250)
    expect(await failing.drain()).toBe(0)
    clock.advance(2_000)
    await failing.drain()
    clock.advance(4_000)
    await failing.drain()
    expect(await jobs()).toMatchObject([{ state: 'dead', attempts: 3, lastError: 'try 3 for [digits]' }])
    expect(await effects()).toEqual([])
    clock.advance(3_600_000)
    expect(await failing.drain()).toBe(0)
  })

  it('sets a refused job aside at once, until an operator gives it another round', async () => {
    await put('a')
    await worker({ pay: { effect: () => Promise.reject<void>(new JobRefused('no such payee')) } }).drain()
    expect(await jobs()).toMatchObject([{ state: 'dead', attempts: 1, lastError: 'no such payee' }])
    const [{ id } = { id: 0 }] = await db.read(tx => tx.rows(sql<{ id: number }>`select id from job`))
    expect(await db.withTx(tx => requeue(tx, id))).toBe(true)
    await worker({ pay: record }).drain()
    expect(await jobs()).toMatchObject([{ state: 'done', attempts: 2 }])
    expect(await db.withTx(tx => requeue(tx, id))).toBe(false)
  })

  it('can ask for another round that is not a failure', async () => {
    await put('poll', {}, { maxAttempts: 1 })
    let rounds = 0
    const asking = worker({
      pay: {
        async effect(tx) {
          return ++rounds < 3 ? { again: new Date(tx.now.getTime() + 5_000) } : undefined
        },
      },
    })
    for (let at = 0; at < 4; at++, clock.advance(5_000)) await asking.drain()
    expect(rounds).toBe(3)
    expect(await jobs()).toMatchObject([{ state: 'done', attempts: 3 }])
  })

  it('gives the effect what was done outside the transaction', async () => {
    await put('a')
    const seen: string[] = []
    const paying = handler<unknown, string>({
      before: async job => `paid ${job.key}`,
      effect: async (_, __, result) => void seen.push(result),
    })
    await worker({ pay: paying }).drain()
    expect(seen).toEqual(['paid a'])
  })

  it('leaves no second effect when a worker dies or is overtaken between its work and its commit', async () => {
    await put('a')
    const outside: number[] = []
    const gate = { open: () => {} }
    const opened = new Promise<void>(resolve => {
      gate.open = resolve
    })
    const before = (stuck: boolean) => async (job: Job) => {
      outside.push(job.attempts)
      if (stuck) await opened
    }
    const first = worker({ pay: { ...record, before: before(true) } })
    first.start()
    await vi.waitFor(() => expect(outside).toEqual([1]))
    const second = worker({ pay: { ...record, before: before(false) } })
    expect(await second.drain()).toBe(0)
    clock.advance(60_001)
    expect(await second.drain()).toBe(1)
    gate.open()
    await first.stop()
    expect(outside).toEqual([1, 2])
    expect(await effects()).toEqual(['a'])
    expect(await jobs()).toMatchObject([{ state: 'done', attempts: 2 }])
  })

  it('sets a job aside that kills its worker every time', async () => {
    await put('poison', {}, { maxAttempts: 2 })
    for (let round = 0; round < 2; round++) {
      const dying = worker({ pay: { ...record, before: () => new Promise<never>(() => {}) } })
      void dying.drain()
      await vi.waitFor(async () => expect((await jobs())[0]?.attempts).toBe(round + 1))
      clock.advance(60_001)
    }
    expect(await worker({ pay: record }).drain()).toBe(0)
    expect(await jobs()).toMatchObject([{ state: 'dead', attempts: 2, lastError: 'the last try did not end' }])
  })

  it('shares many jobs among workers, each once', async () => {
    const keys = Array.from({ length: 120 }, (_, n) => `k${n}`)
    for (let n = 0; n < 3; n++) worker({ pay: record }, { concurrency: 5 }).start()
    await db.withTx(async tx => {
      for (const key of keys) await enqueue(tx, 'pay', key, {})
    })
    await vi.waitFor(async () => expect(await effects()).toHaveLength(120), { timeout: 60_000, interval: 100 })
    expect(new Set(await effects())).toEqual(new Set(keys))
  })

  it('stops when the jobs on their way are done, and takes no more', async () => {
    await put('a')
    let finish = () => {}
    const busy = new Promise<void>(resolve => {
      finish = resolve
    })
    const before = vi.fn(() => busy)
    const slow = worker({ pay: { ...record, before } }, { concurrency: 1 })
    slow.start()
    await vi.waitFor(() => expect(before).toHaveBeenCalled())
    const stopped = slow.stop()
    await put('b')
    finish()
    await stopped
    expect(await effects()).toEqual(['a'])
    expect(await jobs()).toMatchObject([{ state: 'done' }, { state: 'ready', attempts: 0 }])
  })
})

describe('the wait after a failure', () => {
  it('doubles from a second to a quarter of an hour, a quarter more or less', () => {
    expect([1, 2, 3, 10, 11, 50].map(attempts => backoffMs(attempts, 0.5))).toEqual([
      1_000, 2_000, 4_000, 512_000, 900_000, 900_000,
    ])
    expect([backoffMs(2, 0), backoffMs(2, 1)]).toEqual([1_500, 2_500])
  })
})
