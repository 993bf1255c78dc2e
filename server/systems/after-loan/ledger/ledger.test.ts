import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { contract } from '../../../../core/contract/contract.ts'
import { add, sub, sum } from '../../../../core/rules/money.ts'
import { eatDate } from '../../../../core/rules/time.ts'
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
type Row = {
  accountKind: string
  accountCode: string | null
  opening: string
  debit: string
  credit: string
  closing: string
}
type Balance = { list: Row[]; count: number; debit: string; credit: string; difference: string }
const today = () => eatDate(fixture.clock.now())
const balanceOf = (o: { fromDate?: string; toDate?: string; basis?: string; accountKind?: string } = {}) =>
  asked<Balance>(
    fixture.ask(
      ledger.trialBalance,
      { fromDate: today(), toDate: today(), basis: 'as_was', ...o },
      { as: fixture.boss },
    ),
  )

describe('the trial balance', () => {
  it.each(['as_was', 'recalculated'])('adds up to nothing, %s', async basis => {
    const { list, debit, credit, difference } = await balanceOf({ basis, fromDate: '2020-01-01' })
    expect(difference).toBe('0.00')
    expect(debit).toBe(credit)
    expect(list.map(one => one.accountKind)).toContain('bank')
    for (const one of list) expect(add(one.opening, sub(one.debit, one.credit))).toBe(one.closing)
  })

  it('is empty before the first posting', async () => {
    const before = await balanceOf({ fromDate: '2020-01-01', toDate: '2020-01-31' })
    expect(before).toEqual({ list: [], count: 0, debit: '0.00', credit: '0.00', difference: '0.00' })
  })

  it('of a period begins with what the one before ended with', async () => {
    const { list } = await balanceOf({ fromDate: '2020-01-01' })
    await fixture.pass(24 * 60)
    const next = await balanceOf()
    const closed = new Map(list.map(one => [one.accountKind, one.closing]))
    for (const one of next.list)
      expect([one.accountKind, one.opening]).toEqual([one.accountKind, closed.get(one.accountKind) ?? '0.00'])
  })

  it('of one kind is shown account by account, down to its postings', async () => {
    const all = { fromDate: '2020-01-01' }
    const bank = (await balanceOf(all)).list.find(one => one.accountKind === 'bank')
    const { list } = await balanceOf({ ...all, accountKind: 'bank' })
    expect(list.every(one => one.accountCode?.startsWith('bank:'))).toBe(true)
    expect(sum(list.map(one => one.closing))).toBe(bank?.closing)
    const [{ accountCode = '' } = {}] = list
    const { total } = await asked<{ total: number }>(
      fixture.ask(ledger.journals, { accountCode }, { as: fixture.boss }),
    )
    const { n } = await fixture.one(
      sql<{
        n: number
      }>`select count(distinct journal_no)::int as n from journal_line where account_code = ${accountCode}`,
    )
    expect(total).toBe(n)
  })

  it('goes to a file account by account, with the same sums', async () => {
    const period = ['2020-01-01', today()]
    const { list, total } = await asked<{ list: Row[]; total: number }>(
      fixture.ask(ledger.trialAccounts, { period, basis: 'recalculated', pageSize: 100 }, { as: fixture.boss }),
    )
    expect(total).toBe(list.length)
    for (const kind of (await balanceOf({ fromDate: '2020-01-01', basis: 'recalculated' })).list) {
      const accounts = list.filter(one => one.accountKind === kind.accountKind)
      for (const name of ['opening', 'debit', 'credit', 'closing'] as const)
        expect([kind.accountKind, name, sum(accounts.map(one => one[name]))]).toEqual([
          kind.accountKind,
          name,
          kind[name],
        ])
    }
    expect(ledger.trialAccounts.exporting?.perm).toBe('fund:ledger:export')
  })

  it('ends where it begins at the earliest', async () => {
    const input = { fromDate: today(), toDate: '2020-01-01', basis: 'as_was' }
    expect((await fixture.ask(ledger.trialBalance, input, { as: fixture.boss })).code).toBe(40001)
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

  it('after-loan 14: of other merchants do not exist for somebody of one merchant, nor do accounts', async () => {
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
