import { sql } from 'kysely'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { contract } from '../../../../core/contract/contract.ts'
import { type Fixture, openFixture } from '../../../../tests/contract/fixture.ts'
import { done } from '../../../testing/acts.ts'
import { settled } from '../unrenewed/unrenewed.facts.ts'
import { numbersFile, phoneOf } from './user-group.facts.ts'

const { userGroups, imports } = contract

let fixture: Fixture
beforeAll(async () => {
  fixture = await openFixture()
})
afterAll(() => fixture.close())

it('takes numbers of customers from a file, and neither numbers of strangers nor what a spreadsheet has shortened', async () => {
  const [first, second] = [await settled(fixture), await settled(fixture)]
  const [one, other] = [await phoneOf(fixture, first), await phoneOf(fixture, second)]
  const uploadNo = await numbersFile(fixture, [
    `Market women,M1,${one}`,
    `Market women,M1,0${other.slice(3)}`,
    'Market women,M1,2.56772E+11',
    'Market women,M1,256799999999',
    `Market women,M1,${one}`,
  ])
  const { importNo } = await done(fixture, userGroups.page.importing!.command, { uploadNo })
  await fixture.worker.drain()
  const job = await fixture.one(sql<Record<string, unknown>>`select * from import_job where import_no = ${importNo}`)
  expect(job).toMatchObject({ rowCount: 5, validCount: 2, wrongCount: 2, duplicateCount: 1 })
  await done(fixture, imports.confirm, { importNo: String(importNo), version: Number(job.version) })
  await fixture.worker.drain()
  const found = await fixture.rows(sql<{ phone: string }>`
    select m.phone from user_group_member m join user_group g using (user_group_no) where g.user_group_name = 'Market women' order by m.phone`)
  expect(found.map(({ phone }) => phone)).toEqual([one, other].sort())
})
