import { sql } from 'kysely'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { contract } from '../../../../core/contract/contract.ts'
import { type Fixture, openFixture } from '../../../../tests/contract/fixture.ts'
import { done } from '../../../testing/acts.ts'
import { application, send } from '../../../testing/partner.ts'
import { capNoOf, saveCap } from './cap-fixture.ts'

const { legalCap } = contract
const monday = '2026-03-09T00:00:00+03:00'

let fixture: Fixture
beforeAll(async () => {
  fixture = await openFixture()
})
afterAll(() => fixture.close())

const scheduleOf = (orderNo: string) =>
  fixture.rows(sql`
    select bill_no, due_date, bill_status, principal_due, interest_due, service_fee_due, management_fee_due from repay_plan where order_no = ${orderNo} order by 1`)
const termsOf = async (orderNo: string) =>
  (await fixture.one(sql<{ terms: object }>`select terms from loan_order where order_no = ${orderNo}`)).terms
/** Lets the clock run to so many minutes before or after the start. */
const until = (minutes: number) => fixture.pass((Date.parse(monday) - fixture.clock.now().getTime()) / 60_000 + minutes)

it('risk 11: from the minute a cap starts, no order is taken at a price above it, and open ones keep their schedule to the shilling', async () => {
  const { orderNo } = await fixture.disbursed()
  const [schedule, terms] = [await scheduleOf(orderNo), await termsOf(orderNo)]
  expect(schedule).toHaveLength(2)
  const draft = await saveCap(fixture, 'interest_month', { capValue: '2.8', capMode: 'enforce' })
  const input = { ...draft, reason: 'Notice 3 of 2026', effectiveTime: monday }
  const { approvalNo } = await done(fixture, legalCap.versionSubmit, input)
  await fixture.agree(String(approvalNo))

  await until(-2)
  await fixture.tick('legalCap.start')
  expect(await send(fixture, application(99_100))).toMatchObject({ code: 0 })
  await until(0)
  await fixture.tick('legalCap.start')
  expect(
    await fixture.one(sql`
    select version_status from legal_cap_version where cap_no = ${await capNoOf(fixture, 'interest_month')} and version_no = ${draft.versionNo}`),
  ).toEqual({
    versionStatus: 'effective',
  })
  expect(await send(fixture, application(99_101))).toMatchObject({
    code: 40001,
    msg: expect.stringContaining('The price is above the legal cap'),
  })
  expect(await scheduleOf(orderNo)).toEqual(schedule)
  expect(await termsOf(orderNo)).toEqual(terms)
})
