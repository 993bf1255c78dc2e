import { sql } from 'kysely'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { contract } from '../../../../core/contract/contract.ts'
import { type Fixture, openFixture } from '../../../../tests/contract/fixture.ts'
import { done } from '../../../testing/acts.ts'
import { application, send } from '../../../testing/partner.ts'
import { couponFor } from '../../operation/coupon/coupon.facts.ts'

const { audit, reReview, reReviewRule } = contract

let fixture: Fixture
beforeAll(async () => {
  fixture = await openFixture()
})
afterAll(() => fixture.close())

it('order-audit 6: a refusal keeps code and text, frees the coupon, writes to the customer, and may be looked at again', async () => {
  await fixture.exec(sql`
    insert into refuse_code (refuse_code, level, parent_code, name_zh, name_en, name_sw, customer_text) values
      ('ZI', 1, null, '收入', 'Income', 'Kipato', null), ('ZI1', 2, 'ZI', '收入不足', 'Income too low', 'Kipato kidogo', 'We cannot lend to you now')`)
  const rule = { fromStatuses: ['approval_rejected'], windowDays: 30, perOrderMax: 1 }
  await done(fixture, reReviewRule.save, rule)

  const body = application(98_100)
  const first = await send(fixture, body)
  const { customerNo } = await fixture.one(
    sql<{ customerNo: string }>`select customer_no from loan_order where order_no = ${first.data.orderNo}`,
  )
  const couponNo = await couponFor(fixture, customerNo, 0, {
    couponType: 'increase_loan_limit_coupon',
    couponRepayType: undefined,
    faceAmount: '50000.00',
  })
  const { customer, payout } = body
  const drawn = application(98_101)
  const device = { ...drawn.device, rooted: false, emulator: false }
  const rich = { ...customer, monthlyIncome: '2000000.00' }
  const { orderNo } = (await send(fixture, { ...drawn, device, customer: rich, payout, couponNo })).data
  await fixture.worker.drain()
  const couponOf = () =>
    fixture.one(sql`select coupon_status as status, bound_order_no as bound from coupon where coupon_no = ${couponNo}`)
  expect(await couponOf()).toEqual({ status: 'frozen', bound: orderNo })

  const auditor = fixture.second
  await done(fixture, audit.allot, { orderNos: [orderNo], auditorNos: [auditor.userNo] })
  const { leaseToken, orderVersion } = await done(fixture, audit.open, { orderNo }, auditor)
  const refusal = { orderNo, leaseToken, version: orderVersion, auditResult: 'refuse', refuseCode: 'ZI1', answers: [] }
  await done(fixture, audit.submit, refusal, auditor)

  expect(await fixture.rowOf('order', orderNo)).toMatchObject({
    orderStatus: 'approval_rejected',
    refuseCode: 'ZI1',
    refusedBy: auditor.userNo,
  })
  expect(await couponOf()).toEqual({ status: 'waiting_used', bound: null })
  const { data: short } = await fixture.call(audit.shortList, { orderNo }, { as: fixture.boss })
  expect(short.list).toMatchObject([{ orderNo, refuseText: 'We cannot lend to you now' }])
  const messages = await fixture.rows(sql<{ n: number }>`
    select 1 as n from job where payload::text like ${`%${orderNo}%`} and payload::text like '%order.refused%'`)
  expect(messages.length).toBeGreaterThan(0)
  const { data } = await fixture.call(reReview.rejected, { orderNo, eligible: true }, { as: fixture.boss })
  expect(data.list).toMatchObject([{ orderNo, eligible: true, refuseCode: 'ZI1' }])
})
