import { sql } from 'kysely'
import { afterAll, beforeAll, expect, it, vi } from 'vitest'
import { enqueue } from './jobs/queue.ts'
import { silentLog } from './log.ts'
import type { Module, NetworkHandler } from './module.ts'
import { jobsOf, startJobs } from './run.ts'
import { type Kit, openKit } from './testing/kit.ts'

let kit: Kit
beforeAll(async () => {
  kit = await openKit({ modules: [] })
})
afterAll(() => kit.close())

const note = (text: string) =>
  sql`insert into business_config (config_key, config_value) values (${`${text} ${crypto.randomUUID()}`}, '1')`
const noted = async (text: string) =>
  (
    await kit.db.read(tx =>
      tx.rows(sql<object>`select 1 as found from business_config where config_key like ${`${text} %`}`),
    )
  ).length
const put = (queue: string, key: string) => kit.db.withTx(tx => enqueue(tx, queue, key, { of: key }))
const network = (handler: NetworkHandler<string, string>): Module => ({
  served: [],
  queues: [handler as unknown as NetworkHandler<never, never>],
})
const worker = (module: Module) => jobsOf({ db: kit.db, log: silentLog, modules: [module] }).worker
const stateOf = async (key: string) =>
  (await kit.db.read(tx => tx.one(sql<{ state: string }>`select state from job where job_key = ${key}`))).state

it('runs queued work in the transaction that completes it', async () => {
  let fail = true
  const module: Module = {
    served: [],
    queues: [
      {
        queue: 'simple',
        async handle(tx, { jobKey, payload }) {
          await tx.exec(note(`simple ${jobKey} ${payload.of}`))
          if (fail) throw new Error('once')
        },
      },
    ],
  }
  await put('simple', 'one')
  await worker(module).drain()
  expect(await noted('simple one one')).toBe(0)
  fail = false
  kit.clock.advance(5_000)
  await worker(module).drain()
  expect([await noted('simple one one'), await stateOf('one')]).toEqual([1, 'done'])
})

it('commits what it will do before it talks, and what came of it afterwards', async () => {
  const seen: string[] = []
  const module = network({
    queue: 'talk',
    async before(tx, { jobKey }) {
      await tx.exec(note(`before ${jobKey}`))
      return `ask ${jobKey}`
    },
    async send(prepared) {
      seen.push(`${prepared}, ${await noted('before two')} noted`)
      return 'yes'
    },
    async after(tx, prepared, answer) {
      await tx.exec(note(`after ${prepared} ${answer}`))
    },
  })
  await put('talk', 'two')
  await worker(module).drain()
  expect(seen).toEqual(['ask two, 1 noted'])
  expect([await noted('after ask two yes'), await stateOf('two')]).toEqual([1, 'done'])
})

it('says nothing where there is nothing to say', async () => {
  const send = vi.fn(async () => 'yes')
  const after = vi.fn(async () => undefined)
  await put('quiet', 'three')
  await worker(network({ queue: 'quiet', before: async () => null, send, after })).drain()
  expect([send.mock.calls.length, after.mock.calls.length, await stateOf('three')]).toEqual([0, 0, 'done'])
})

it('runs what is due by the clock, once per slot, with its business date', async () => {
  const dates: string[] = []
  let ticks = 0
  const { scheduler } = jobsOf({
    db: kit.db,
    log: silentLog,
    modules: [
      {
        served: [],
        scheduled: [
          {
            job: 'nightly',
            every: { dailyAt: '00:05' },
            run: async (_, { date }) => ({ done: dates.push(date) && 1 }),
          },
          { job: 'often', every: { seconds: 60 }, run: async () => ({ tick: ++ticks }) },
        ],
      },
    ],
  })
  await scheduler.runDue()
  await scheduler.runDue()
  kit.clock.advance(2 * 86_400_000)
  await scheduler.runDue()
  expect(dates).toEqual(['2026-03-02', '2026-03-03', '2026-03-04'])
  expect(ticks).toBe(2)
  expect(
    await kit.db.read(tx =>
      tx.one(sql<object>`select job_status, counters from job_run where job = 'nightly' and slot = '2026-03-03'`),
    ),
  ).toEqual({ jobStatus: 'done', counters: { done: 1 } })
})

it('takes up at once what a dead process had in hand', async () => {
  const handle = vi.fn(async () => undefined)
  await put('orphan', 'four')
  const far = new Date(kit.clock.now().getTime() + 50_000)
  await kit.db.withTx(tx =>
    tx.exec(sql`update job set worker = 'dead', attempts = 1, run_at = ${far} where job_key = 'four'`),
  )
  const running = await startJobs(
    kit.db,
    jobsOf({
      db: kit.db,
      log: silentLog,
      modules: [{ served: [], queues: [{ queue: 'orphan', handle }] }],
      pollMs: 20,
    }),
  )
  await vi.waitFor(async () => expect(await stateOf('four')).toBe('done'))
  await running.stop()
  expect(handle).toHaveBeenCalledOnce()
})

it('refuses two handlers of one queue', () => {
  const queue = { queue: 'same', handle: async () => undefined }
  expect(() => worker({ served: [], queues: [queue, queue] })).toThrow('two handlers')
})
