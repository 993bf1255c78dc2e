import { sql } from 'kysely'
import { beforeAll, beforeEach, expect, it, vi } from 'vitest'
import { onEachEngine } from '../../tests/databases.ts'
import { type MovableClock, stoppedClock } from '../db/clock.ts'
import type { Database, Tx } from '../db/database.ts'
import { silentLog } from '../log.ts'
import { eachItem, type Run, type ScheduledJob, Scheduler, type Step } from './scheduler.ts'
import { daily, every } from './slots.ts'

onEachEngine('the scheduler', open => {
  let clock: MovableClock
  let db: Database

  beforeAll(async () => {
    clock = stoppedClock('2026-11-20T08:00:00Z')
    db = await open(clock)
  })
  beforeEach(async () => {
    clock.set(new Date('2026-11-20T08:00:00Z'))
    await db.withTx(async tx => {
      await tx.exec(sql`delete from job_run`)
      await tx.exec(sql`delete from tracking_event`)
    })
  })

  const scheduler = (...jobs: ScheduledJob[]) => new Scheduler({ db, log: silentLog, jobs, tickMs: 10 })
  const roll = (step: ScheduledJob['step'], name = 'roll', time: `${number}:${number}` = '00:05'): ScheduledJob => ({
    name,
    slots: daily(time),
    step,
  })
  const once =
    (seen: string[]): ScheduledJob['step'] =>
    async (_, run) => {
      seen.push(`${run.job} ${run.slot}`)
      return { cursor: null }
    }
  const runs = () =>
    db.read(tx =>
      tx.rows(sql<{
        job: string
        slot: string
        jobStatus: string
        cursor: string | null
        counters: unknown
        error: string | null
      }>`
      select job, slot, job_status, cursor, counters, error from job_run order by slot, job`),
    )
  const note = (tx: Tx, text: string) => tx.append('trackingEvent', { receivedTime: tx.now, payload: { text } })
  const notes = async () =>
    (
      await db.read(tx =>
        tx.rows(sql<{ text: string }>`select payload ->> 'text' as text from tracking_event order by event_no`),
      )
    ).map(row => row.text)

  it('runs a job once per business date, however often it is asked for', async () => {
    const seen: string[] = []
    const job = roll(once(seen))
    const [first, second] = [scheduler(job), scheduler(job)]
    await Promise.all([first.runDue(), second.runDue()])
    await first.runDue()
    await scheduler(job).runDue()
    expect(seen).toEqual(['roll 2026-11-20'])
    expect(await runs()).toMatchObject([{ slot: '2026-11-20', jobStatus: 'done' }])
  })

  it('makes up for missed dates in order, the jobs of one date before those of the next, and no date to come', async () => {
    const seen: string[] = []
    const jobs = [roll(once(seen), 'settle', '01:00'), roll(once(seen))]
    await scheduler(...jobs).runDue()
    clock.set(new Date('2026-11-22T21:30:00Z'))
    expect(await scheduler(...jobs).runDue()).toBe(5)
    expect(seen).toEqual([
      'roll 2026-11-20',
      'settle 2026-11-20',
      'roll 2026-11-21',
      'settle 2026-11-21',
      'roll 2026-11-22',
      'settle 2026-11-22',
      'roll 2026-11-23',
    ])
  })

  it('does not run a date that lies ahead after the clock was set back', async () => {
    const seen: string[] = []
    const job = roll(once(seen))
    await db.withTx(tx =>
      tx.exec(sql`insert into job_run (job, slot, planned_time) values ('roll', '2026-11-21', ${tx.now})`),
    )
    expect(await scheduler(job).runDue()).toBe(0)
    clock.set(new Date('2026-11-20T21:05:00Z'))
    expect(await scheduler(job).runDue()).toBe(1)
    expect(seen).toEqual(['roll 2026-11-21'])
  })

  const inChunks =
    (failAt: (run: Run) => boolean): ScheduledJob['step'] =>
    async (tx, run): Promise<Step> => {
      const from = Number(run.cursor ?? 0)
      note(tx, `${run.slot} ${from}`)
      if (failAt(run)) throw new Error(`broke at ${from}`)
      return { cursor: from === 3 ? null : String(from + 1), counts: { chunks: 1 } }
    }

  it('commits each chunk with its cursor and goes on there after a crash', async () => {
    let crashes = 0
    await scheduler(roll(inChunks(run => run.cursor === '2' && ++crashes <= 2))).runDue()
    expect(await notes()).toEqual([0, 1, 2, 3].map(from => `2026-11-20 ${from}`))
    expect(await runs()).toMatchObject([{ jobStatus: 'done', cursor: null, counters: { chunks: 4 }, error: null }])
  })

  it('goes on at the cursor when the process before it died in the middle, and not while that may be alive', async () => {
    await db.withTx(tx =>
      tx.exec(sql`
      insert into job_run (job, slot, job_status, cursor, worker, lease_until, planned_time, attempts)
      values ('roll', '2026-11-20', 'running', '2', 'gone', ${new Date(tx.now.getTime() + 60_000)}, ${tx.now}, 1)`),
    )
    const next = scheduler(roll(inChunks(() => false)))
    expect(await next.runDue()).toBe(0)
    clock.advance(60_001)
    expect(await next.runDue()).toBe(1)
    expect(await notes()).toEqual(['2026-11-20 2', '2026-11-20 3'])
    expect(await runs()).toMatchObject([{ jobStatus: 'done' }])
  })

  it('fails after three tries at one place, goes on with the next date, and runs again on request', async () => {
    await scheduler(roll(async () => ({ cursor: null }))).runDue()
    clock.advance(2 * 86_400_000)
    let broken = true
    const own = scheduler(roll(inChunks(run => broken && run.slot === '2026-11-21' && run.cursor === '1')))
    await own.runDue()
    expect(await runs()).toMatchObject([
      { slot: '2026-11-20', jobStatus: 'done' },
      { slot: '2026-11-21', jobStatus: 'failed', cursor: '1', error: 'broke at 1' },
      { slot: '2026-11-22', jobStatus: 'done' },
    ])
    broken = false
    expect(await own.retry('roll', '2026-11-21')).toBe(true)
    await own.runDue()
    expect(await own.retry('roll', '2026-11-21')).toBe(false)
    expect((await runs()).map(run => run.jobStatus)).toEqual(['done', 'done', 'done'])
  })

  it('sets broken items aside, does the others, and says which', async () => {
    const step: ScheduledJob['step'] = async tx => {
      const parked = await eachItem(
        tx,
        ['a', 'bad', 'c'],
        item => item,
        async (inner, item) => {
          note(inner, item)
          if (item === 'bad') await inner.exec(sql`select 1 / 0`)
        },
      )
      return { cursor: null, parked, counts: { items: 3 - parked.length } }
    }
    await scheduler(roll(step)).runDue()
    expect(await notes()).toEqual(['a', 'c'])
    expect(await runs()).toMatchObject([
      { jobStatus: 'failed', counters: { items: 2, parked: ['bad'] }, error: '1 items were set aside' },
    ])
  })

  it('runs interval jobs beside a long job of the day, and forgets their old runs', async () => {
    const seen: string[] = []
    let finish = () => {}
    const own = scheduler(
      { name: 'query', slots: every(60), step: once(seen) },
      roll(async (_, run) => {
        if (run.cursor === null) return { cursor: 'x' }
        return { cursor: run.cursor === 'x' && !finished ? 'x' : null }
      }),
    )
    let finished = false
    finish = () => {
      finished = true
    }
    own.start()
    await vi.waitFor(() => expect(seen).toEqual(['query 2026-11-20T08:00:00.000Z']))
    clock.advance(60_000)
    await vi.waitFor(() => expect(seen).toHaveLength(2))
    finish()
    await vi.waitFor(async () => expect((await runs()).find(run => run.job === 'roll')?.jobStatus).toBe('done'))
    clock.advance(3 * 86_400_000)
    await vi.waitFor(async () => {
      const slots = (await runs()).filter(run => run.job === 'query').map(run => run.slot)
      expect(slots).toEqual(['2026-11-23T08:01:00.000Z'])
    })
    await own.stop()
  })

  it('stops after the chunk on its way and goes on there later', async () => {
    const endless = scheduler(roll(async (_, run) => ({ cursor: String(Number(run.cursor ?? 0) + 1) })))
    endless.start()
    await vi.waitFor(async () => expect(Number((await runs())[0]?.cursor)).toBeGreaterThan(2))
    await endless.stop()
    const [stopped] = await runs()
    expect(stopped).toMatchObject({ jobStatus: 'queued' })
    let resumed: string | null = null
    await scheduler(
      roll(async (_, run) => {
        resumed = run.cursor
        return { cursor: null }
      }),
    ).runDue()
    expect(resumed).toBe(stopped?.cursor)
  })
})
