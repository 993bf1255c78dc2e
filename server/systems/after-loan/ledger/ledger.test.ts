import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { contract } from '../../../../core/contract/contract.ts'
import { openFixture } from '../../../../tests/contract/fixture.ts'

const { ledger, job } = contract
type Fixture = Awaited<ReturnType<typeof openFixture>>
let fixture: Fixture
beforeAll(async () => {
  fixture = await openFixture()
  await fixture.repaid('M1')
  await fixture.repaid('M2')
})
afterAll(() => fixture.close())

const asked = async <T>(promise: Promise<{ code: number; msg: string; data: unknown }>): Promise<T> =>
  fixture.must(await promise) as T
type Balance = { list: { accountKind: string; balance: string }[]; debit: string; credit: string; difference: string }
const balanceOf = (date: string, basis = 'as_was') =>
  asked<Balance>(fixture.ask(ledger.trialBalance, { date, basis }, { as: fixture.boss }))
const today = () => fixture.clock.now().toISOString().slice(0, 10)

describe('the trial balance', () => {
  it.each(['as_was', 'recalculated'])('adds up to nothing, %s', async basis => {
    const { list, debit, credit, difference } = await balanceOf(today(), basis)
    expect(difference).toBe('0.00')
    expect(debit).toBe(credit)
    expect(list.map(one => one.accountKind)).toContain('bank')
  })

  it('is empty before the first posting', async () => {
    expect(await balanceOf('2020-01-01')).toEqual({ list: [], debit: '0.00', credit: '0.00', difference: '0.00' })
  })
})

describe('journals', () => {
  type Page = { list: { journalNo: string; orderNo: string | null; amount: string }[]; total: number }
  const pageFor = (as: Fixture['boss']) => asked<Page>(fixture.ask(ledger.journals, { pageSize: 100 }, { as }))

  it('are shown with their lines, and with what takes them back', async () => {
    const { list } = await pageFor(fixture.boss)
    const { journalNo } = list[0] as Page['list'][number]
    const { journal } = await asked<{ journal: { lines: { debit: string; credit: string }[] } }>(
      fixture.ask(ledger.journal, { journalNo }, { as: fixture.boss }),
    )
    const total = (side: 'debit' | 'credit') => journal.lines.reduce((all, line) => all + Number(line[side]), 0)
    expect(total('debit')).toBeCloseTo(total('credit'), 2)
  })

  it('of other merchants do not exist for somebody of one merchant, nor do accounts', async () => {
    const own = await fixture.person({ perms: ['fund:ledger:page'], limit: 'own_merchants', merchants: ['M1'] })
    const [mine, all] = [await pageFor(own), await pageFor(fixture.boss)]
    expect(mine.total).toBeGreaterThan(0)
    expect(mine.total).toBeLessThan(all.total)
    const hidden = all.list.find(one => !mine.list.some(other => other.journalNo === one.journalNo))
    const answer = await fixture.ask(ledger.journal, { journalNo: hidden?.journalNo }, { as: own })
    expect(answer.code).toBe(40401)
    const { total } = await asked<{ total: number }>(fixture.ask(ledger.accounts, {}, { as: own }))
    expect(total).toBe(0)
  })
})

describe('a job of the end of the day', () => {
  it('is queued again once it failed, and only then', async () => {
    await fixture.exec(sql`
      insert into job_run (job, slot, job_status, error, planned_time) values ('day.roll', '2026-02-01', 'failed', 'broken', ${fixture.clock.now()}), ('day.roll', '2026-02-02', 'done', null, ${fixture.clock.now()})`)
    const retry = (slot: string) =>
      fixture.ask(job.retry, { jobRunNo: `day.roll:${slot}`, version: 0 }, { as: fixture.boss })
    expect((await retry('2026-02-02')).code).toBe(40901)
    expect((await retry('2026-02-01')).data).toEqual({ jobStatus: 'queued' })
    const { list } = await asked<{ list: { jobStatus: string; error: string | null }[] }>(
      fixture.ask(job.page, { financeJob: ['day.roll'], jobStatus: ['queued'] }, { as: fixture.boss }),
    )
    expect(list).toMatchObject([{ jobStatus: 'queued', error: null }])
  })
})
