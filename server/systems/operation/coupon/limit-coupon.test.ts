import { sql } from 'kysely'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { contract } from '../../../../core/contract/contract.ts'
import { type Fixture, openFixture } from '../../../../tests/contract/fixture.ts'
import { runInvariants } from '../../../invariants/invariants.ts'
import { system } from '../../../rights/actor.ts'
import { done } from '../../../testing/acts.ts'
import { application, send } from '../../../testing/partner.ts'
import { restoreCredit, returnCredit, takeCredit, usableLimit } from '../../order/order/index.ts'
import { couponFor, customerOf } from './coupon.facts.ts'
import { restoreCoupon, useLimitCoupon } from './index.ts'

const { audit } = contract
const actor = system('test')
const raise = { couponType: 'increase_loan_limit_coupon', couponRepayType: undefined, faceAmount: '50000.00' }

let fixture: Fixture
beforeAll(async () => {
  fixture = await openFixture()
})
afterAll(async () => {
  expect((await fixture.db.read(runInvariants)).filter(found => found.rule.includes('coupon'))).toEqual([])
  await fixture.close()
})

const run = <T>(act: Parameters<Fixture['db']['withTx']>[0]) => fixture.db.withTx(act) as Promise<T>
const couponOf = (couponNo: string) =>
  fixture.one(sql<{ status: string; order: string | null; used: string | null }>`
    select coupon_status as status, bound_order_no as order, used_amount as used from coupon where coupon_no = ${couponNo}`)
const remaining = async (customerNo: string) =>
  (
    await fixture.one(
      sql<{ left: string }>`select remaining_limit as left from customer where customer_no = ${customerNo}`,
    )
  ).left
const usable = async (customerNo: string, orderNo?: string) =>
  (
    await run<{ limit: string }>(tx =>
      tx.one(
        sql`select ${usableLimit(tx.today, 'M1', orderNo)} as limit from customer c where customer_no = ${customerNo}`,
      ),
    )
  ).limit

/** Somebody with a coupon that raises their limit, who applies with it. */
const applied = async () => {
  const body = application(95_000 + ++seed)
  const first = await send(fixture, body)
  const { customerNo } = (await fixture.rowOf('order', String(first.data.orderNo))) as unknown as { customerNo: string }
  const couponNo = await couponFor(fixture, customerNo, 0, raise)
  const again = { ...application(96_000 + seed), customer: body.customer, payout: body.payout, couponNo }
  const answer = await send(fixture, again)
  expect(answer.code).toBe(0)
  await fixture.exec(
    sql`update customer set credit_limit = 500000, remaining_limit = 100000, credit_type = 'revolving' where customer_no = ${customerNo}`,
  )
  return { customerNo, couponNo, orderNo: String(answer.data.orderNo) }
}
let seed = 0

it('named with an application raises the limit for that order alone', async () => {
  const { customerNo, couponNo, orderNo } = await applied()
  expect(await couponOf(couponNo)).toMatchObject({ status: 'frozen', order: orderNo })
  expect(await usable(customerNo)).toBe('100000.00')
  expect(await usable(customerNo, orderNo)).toBe('150000.00')
})

it('covers what lies beyond the own limit, gives it back unpaid, and is closed first by what is repaid', async () => {
  const { customerNo, couponNo, orderNo } = await applied()
  const order = { orderNo, customerNo, merchantNo: 'M1', loanAmount: '130000.00' }
  expect(await run(tx => takeCredit(tx, order))).toEqual({ before: '100000.00', after: '0.00' })
  expect((await couponOf(couponNo)).used).toBe('30000.00')
  await run(tx => restoreCredit(tx, order, actor))
  expect(await remaining(customerNo)).toBe('100000.00')
  expect(await couponOf(couponNo)).toMatchObject({ status: 'frozen', used: null })

  await run(tx => takeCredit(tx, order))
  await run(tx => useLimitCoupon(tx, { orderNo }, actor))
  await fixture.exec(sql`update loan_order set payout_time = now() where order_no = ${orderNo}`)
  for (const [principal, left] of [
    ['20000.00', '0.00'],
    ['50000.00', '40000.00'],
    ['-50000.00', '0.00'],
    ['110000.00', '100000.00'],
  ] as const) {
    await run(tx => returnCredit(tx, order, principal))
    expect(await remaining(customerNo)).toBe(left)
  }
  await run(tx => restoreCredit(tx, order, actor))
  await run(tx => restoreCoupon(tx, { orderNo }, actor))
  expect(await couponOf(couponNo)).toEqual({ status: 'waiting_used', order: null, used: null })
})

it('does not cover more than its worth', async () => {
  const { customerNo, orderNo } = await applied()
  const order = { orderNo, customerNo, merchantNo: 'M1', loanAmount: '160000.00' }
  await expect(run(tx => takeCredit(tx, order))).rejects.toThrow('errors.creditTakenMeanwhile')
  expect(await remaining(customerNo)).toBe('100000.00')
})

it('is refused with an application where it is of somebody else, and then nothing is taken', async () => {
  const couponNo = await couponFor(fixture, await customerOf(fixture), 0, raise)
  const body = { ...application(97_001), couponNo }
  expect(await send(fixture, body)).toMatchObject({ code: 40001, data: { fields: [{ path: 'couponNo' }] } })
  const { n } = await fixture.one(
    sql<{ n: number }>`select count(*)::int as n from loan_order where third_order_no = ${body.thirdOrderNo}`,
  )
  expect(n).toBe(0)
})

it('is free again when its application is cancelled', async () => {
  const { couponNo, orderNo } = await applied()
  const version = await fixture.versionOf('order', orderNo)
  await done(fixture, audit.cancel, { orderNo, version, reason: 'duplicate' })
  expect(await couponOf(couponNo)).toMatchObject({ status: 'waiting_used', order: null })
})
