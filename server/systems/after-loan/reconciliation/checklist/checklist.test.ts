import { sql } from 'kysely'
import { afterAll, beforeEach, describe, expect, it } from 'vitest'
import { job } from '../../../../../core/contract/after-loan/job.ts'
import { dayEndJobs, recon } from '../../../../../core/contract/after-loan/reconciliation.ts'
import { eatDate } from '../../../../../core/rules/time.ts'
import { openRecon } from '../recon-fixture.ts'

const fixture = await openRecon()
const { p, endsDay, out } = fixture
const perm = recon.checklist.perm as string
const lead = await p.person({ perms: [perm, job.page.perm as string] })

const checks = async (as = lead) => {
  const { data } = await p.call(recon.checklist, {}, { as })
  return Object.fromEntries(data.list.map(({ morningCheck, ...count }) => [morningCheck, count]))
}
const none = { n: 0, of: 1, done: false }
const all = { n: 1, of: 1, done: true }

beforeEach(async () => {
  await fixture.reset()
  await p.db.withTx(tx => tx.exec(sql`delete from job_run`))
})
afterAll(() => p.close())

describe('the morning checklist', () => {
  it('has a statement in and a run balanced once the day before agrees', async () => {
    await endsDay([])
    expect(await checks()).toMatchObject({ statements: all, balanced: all, young: { n: 0, of: 0, done: true } })
  })

  it('leaves statement and run open where none came', async () => {
    p.clock.advance(86_400_000)
    await p.db.withTx(tx => tx.exec(sql`update session set created_time = ${tx.now}, last_seen_time = ${tx.now}`))
    await p.tick('recon.run')
    await p.run('recon.run')
    expect(await checks()).toMatchObject({ statements: none, balanced: none })
  })

  it('takes a run with a difference as open, and the difference as late from its second day', async () => {
    await endsDay([out('MP88', { payerAccount: '256770009999' })])
    expect(await checks()).toMatchObject({ statements: all, balanced: none, young: all })
    await endsDay([])
    expect(await checks()).toMatchObject({ young: none })
  })

  it("counts the jobs of the day's end that are done, for those who see jobs", async () => {
    await endsDay([])
    const today = eatDate(p.clock.now())
    const ran = (status: string, jobs: readonly string[]) =>
      p.db.withTx(tx =>
        tx.exec(sql`
          insert into job_run (job, slot, job_status, planned_time) select unnest(${[...jobs]}::text[]), ${today}, ${status}, ${tx.now}
          on conflict (job, slot) do update set job_status = excluded.job_status`),
      )
    const of = dayEndJobs.length
    await ran('done', dayEndJobs.slice(1))
    await ran('failed', dayEndJobs.slice(0, 1))
    expect(await checks()).toMatchObject({ day_end: { n: of - 1, of, done: false } })
    await ran('done', dayEndJobs)
    expect(await checks()).toMatchObject({ day_end: { n: of, of, done: true } })
    expect(await checks(await p.person({ perms: [perm] }))).not.toHaveProperty('day_end')
  })

  it('counts no account of merchants out of reach', async () => {
    await endsDay([out('MP88', { payerAccount: '256770009999' })])
    const other = await p.person({ perms: [perm], nature: 'merchant', merchants: ['M2'], limit: 'own_merchants' })
    const nothing = { n: 0, of: 0, done: true }
    expect(await checks(other)).toEqual({ statements: nothing, balanced: nothing, young: nothing })
  })
})
