import { sql } from 'kysely'
import { beforeEach, describe, expect, it } from 'vitest'
import { contract } from '../../../../core/contract/contract.ts'
import type { InputOf } from '../../../../core/contract/endpoint.ts'
import { sum } from '../../../../core/rules/money.ts'
import { system } from '../../../rights/actor.ts'
import { create, transition } from '../../../states/transition.ts'
import { deskForTests } from '../../../testing/suites.ts'

const { repay } = contract
type Form = InputOf<typeof repay.trial>

const { desk, officer } = await deskForTests()
let orderNo: string
let made = 0
beforeEach(async () => {
  await desk.at('2026-03-02')
  orderNo = await desk.order()
})

type Stored = { couponStatus: string; boundOrderNo: string | null; usedAmount: string | null }
type Held = { couponNo: string; couponStatus: string; version: number }
const day = 86_400_000

/** A coupon of the customer of an order; `bound`: they named it when they applied. */
const coupon = async (change: Record<string, unknown> = {}, bound = false, of = orderNo): Promise<string> => {
  const couponNo = `CP${++made}`
  const { days = 30, ...more } = change
  const actor = system(`fixture ${couponNo}`)
  await desk.db.withTx(async tx => {
    const whose = await tx.one(
      sql<{
        customerNo: string
        merchantNo: string
      }>`select customer_no, merchant_no from loan_order where order_no = ${of}`,
    )
    const values = {
      ...{ couponNo, ...whose, couponType: 'discount_coupon', couponRepayType: 'generic', faceAmount: '5000.00' },
      startTime: new Date(tx.now.getTime() - 40 * day),
      expireTime: new Date(tx.now.getTime() + Number(days) * day),
      createdTime: tx.now,
      ...more,
    }
    await create(tx, 'coupon', values, { event: 'coupon.issue', as: 'system' }, actor)
    let held: Held = { couponNo, couponStatus: 'pending', version: 0 }
    held = await transition(tx, 'coupon', held, { event: 'clock.start' }, actor)
    const set = { boundOrderNo: of }
    if (bound) await transition(tx, 'coupon', held, { event: 'coupon.freeze', set }, actor)
  })
  return couponNo
}
const customerOf = async () =>
  (await desk.rows(sql<{ no: string }>`select customer_no as no from loan_order where order_no = ${orderNo}`))[0]?.no ??
  ''
const stateOf = async (couponNo: string) =>
  (
    await desk.rows(
      sql<Stored>`select coupon_status, bound_order_no, used_amount from coupon where coupon_no = ${couponNo}`,
    )
  )[0]
const settle = (couponNo: string, amount: string): Form => ({
  ...{ orderNo, repayType: 'settle', couponNo },
  flows: [desk.typed(amount)],
})
const confirmed = { confirmGreater: true, confirmLess: true }
const journalsOf = async () =>
  (await desk.detail(officer, orderNo)).journals.map(
    ({ postingCode, lines }) => [postingCode, lines.map(line => [line.accountCode, line.debit, line.credit])] as const,
  )

describe('a repayment with a coupon', () => {
  it('costs less by its worth, is paid for by the company, and uses it', async () => {
    const couponNo = await coupon()
    const tried = await desk.call(repay.trial, settle(couponNo, '225000.00'), { as: officer })
    expect(tried.data).toMatchObject({
      settleAmount: '225000.00',
      couponAmount: '5000.00',
      outstandingAfter: '0.00',
      refusal: null,
      coupons: [{ couponNo, faceAmount: '5000.00', bound: false }],
    })
    const done = await desk.pay(officer, settle(couponNo, '225000.00'), confirmed)
    expect(done.data).toMatchObject({ amount: '225000.00', outstanding: '0.00', orderStatus: 'settled' })
    expect(await stateOf(couponNo)).toEqual({ couponStatus: 'used', boundOrderNo: orderNo, usedAmount: '5000.00' })
    const [record] = (await desk.detail(officer, orderNo)).records
    expect(record).toMatchObject({ couponAmount: '5000.00', reductionAmount: '0.00' })
    const p10 = (await journalsOf()).find(([code]) => code === 'P10')?.[1] ?? []
    const booked = p10.filter(([name]) => name === 'coupon_expense').map(([, debit]) => String(debit))
    expect(sum(booked)).toBe('5000.00')
    expect(await desk.broken()).toEqual([])
  })

  it('that is undone leaves the customer their coupon, and the debt without it', async () => {
    const couponNo = await coupon()
    const before = await desk.detail(officer, orderNo)
    const { data } = await desk.pay(officer, settle(couponNo, '225000.00'), confirmed)
    expect((await desk.rollback(officer, data.repaymentNo)).code).toBe(0)
    expect(await stateOf(couponNo)).toEqual({ couponStatus: 'waiting_used', boundOrderNo: null, usedAmount: null })
    const after = await desk.detail(officer, orderNo)
    expect(after.order.settleAmount).toBe('230000.00')
    expect(after.balances.slice(0, 4)).toEqual(before.balances.slice(0, 4))
    expect(await desk.broken()).toEqual([])
  })

  it('leaves one that was named at the application to be used again', async () => {
    const [named, other] = [await coupon({}, true), await coupon()]
    expect((await desk.pay(officer, settle(other, '225000.00'), confirmed)).code).toBe(0)
    expect((await stateOf(named))?.couponStatus).toBe('waiting_used')
    expect((await stateOf(other))?.couponStatus).toBe('used')
  })

  it.each([
    ['of another customer', async () => coupon({}, false, await desk.order())],
    ['that is over', () => coupon({ days: -1 })],
    ['for another kind of repayment', () => coupon({ couponRepayType: 'extension' })],
    ['for larger loans', () => coupon({ minOrderAmount: '1000000.00' })],
    ['that raises the limit', () => coupon({ couponType: 'increase_loan_limit_coupon', couponRepayType: null })],
    ['that another order holds', async () => coupon({}, true, await desk.order({ customerNo: await customerOf() }))],
  ])('is refused with one %s', async (_, give) => {
    const couponNo = await give()
    const answer = await desk.call(repay.trial, settle(couponNo, '225000.00'), { as: officer, language: 'en' })
    expect(answer).toMatchObject({ code: 40001, msg: 'This coupon cannot be used here' })
    expect((await desk.pay(officer, settle(couponNo, '225000.00'), confirmed)).code).toBe(40001)
  })

  it('G13: takes one coupon of an order in all, and no coupon twice', async () => {
    const [first, second] = [await coupon(), await coupon()]
    const part = (couponNo: string): Form => ({
      ...{ orderNo, repayType: 'partial', couponNo },
      flows: [desk.typed('20000.00')],
    })
    expect((await desk.pay(officer, part(first))).code).toBe(0)
    expect((await desk.pay(officer, part(first))).code).toBe(40001)
    expect((await desk.pay(officer, part(second))).code).toBe(40001)
    expect((await stateOf(second))?.couponStatus).toBe('waiting_used')
  })
})

const receive = async (amount: string) => {
  const [{ payCode }] = (await desk.rows(
    sql<{ payCode: string }>`select pay_code from loan_order where order_no = ${orderNo}`,
  )) as [{ payCode: string }]
  const ref = `20000000-0000-4000-8000-${String(++made).padStart(12, '0')}`
  const says = { kind: 'success' as const, serialNo: `CU${made}`, amount, payer: '256770099999', externalId: payCode }
  const heard = { status: 'SUCCESSFUL', amount, externalId: payCode }
  return desk.hear(ref, heard, { ...says, time: desk.clock.now().toISOString() })
}

describe('money that arrives by itself', () => {
  it('settles with the coupon that was named at the application where it does not settle without', async () => {
    const couponNo = await coupon({}, true)
    await receive('225000.00')
    expect((await desk.detail(officer, orderNo)).order.orderStatus).toBe('settled')
    expect((await stateOf(couponNo))?.couponStatus).toBe('used')
  })

  it('leaves the coupon where it settles without it', async () => {
    const couponNo = await coupon({}, true)
    await receive('230000.00')
    expect((await desk.detail(officer, orderNo)).order.orderStatus).toBe('settled')
    expect((await stateOf(couponNo))?.couponStatus).toBe('waiting_used')
  })
})
