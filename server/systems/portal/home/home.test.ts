import { sql } from 'kysely'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { contract } from '../../../../core/contract/contract.ts'
import { type Fixture, openFixture } from '../../../../tests/contract/fixture.ts'
import type { Person } from '../../../testing/kit.ts'

let fixture: Fixture
let finance: Person

beforeAll(async () => {
  fixture = await openFixture({ handmade: true })
  finance = await fixture.person({
    perms: [
      '/AdminContent/AfterLoanSystem/RepaymentManagement',
      '/AdminContent/AfterLoanSystem/LoanManagement',
      'repay:flow:list',
      'repay:order:page',
      'fund:payout:page',
      'repay:flow:export',
    ],
  })
})
afterAll(() => fixture.close())

const home = async (as: Person, queue?: string) =>
  (await fixture.call(contract.home.mine, queue ? { queue } : {}, { as })).data.queues.map(({ key, count }) => ({
    key,
    count,
  }))

it('counts what it can when one queue cannot be counted, and that one alone when asked again', async () => {
  await fixture.receivedFlow()
  const all = await home(finance)
  expect(all.map(({ key }) => key)).toEqual(['payouts_failed', 'payouts_unknown', 'flows', 'files'])
  expect(all.find(({ key }) => key === 'flows')?.count).toBeGreaterThan(0)
  await fixture.exec(sql`alter table repay_flow rename to elsewhere`)
  expect(await home(finance)).toEqual(all.map(one => (one.key === 'flows' ? { key: 'flows', count: null } : one)))
  expect(await home(finance, 'flows')).toEqual([{ key: 'flows', count: null }])
  await fixture.exec(sql`alter table elsewhere rename to repay_flow`)
  expect(await home(finance, 'flows')).toEqual([all.find(({ key }) => key === 'flows')])
  expect(await home(finance, 'unallotted')).toEqual([])
})

it('counts the files of the caller that can still be fetched', async () => {
  const exportNo = await fixture.exported()
  const count = async () => (await home(fixture.boss, 'files'))[0]?.count
  const before = (await count()) ?? 0
  await fixture.exec(sql`
    update export_job set expire_time = ${fixture.clock.now()}::timestamptz + interval '1 hour', finish_time = ${fixture.clock.now()},
      export_status = case when set_config('app.transition', 'on', true) = 'on' then 'ready' end where export_no = ${exportNo}`)
  expect(await count()).toBe(before + 1)
  expect(await home(finance, 'files')).toEqual([{ key: 'files', count: 0 }])
  await fixture.pass(61)
  expect(await count()).toBe(before)
})
