import { sql } from 'kysely'
import { afterEach, describe, expect, it } from 'vitest'
import { loan } from '../../../../core/contract/after-loan/loan.ts'
import { contract } from '../../../../core/contract/contract.ts'
import type { Database } from '../../../db/database.ts'
import { bindCoupon } from '../../../demo/offers/coupons.ts'
import { runInvariants } from '../../../invariants/invariants.ts'
import { decisionsForTests, deskForTests, payoutsForTests } from '../../../testing/suites.ts'
import { couponModule, restoreCoupon } from './coupon.ts'

const { audit } = contract
const { floor, who, opened, submit, decided } = await decisionsForTests()
const p = await payoutsForTests()
const finance = await p.officer()
const { desk, officer } = await deskForTests()

type At = { db: Database }
const bind = ({ db }: At, orderNo: string, kind: Parameters<typeof bindCoupon>[2] = 'discount_coupon') =>
  db.withTx(tx => bindCoupon(tx, orderNo, kind))
const couponOf = ({ db }: At, couponNo: string) =>
  db.read(async tx => {
    const { couponStatus, boundOrderNo } = await tx.one(
      sql<{
        couponStatus: string
        boundOrderNo: string | null
      }>`select coupon_status, bound_order_no from coupon where coupon_no = ${couponNo}`,
    )
    return [couponStatus, boundOrderNo]
  })
const lastOf = ({ db }: At, couponNo: string) =>
  db.read(tx =>
    tx.one(sql<{ event: string; actor: string; payload: unknown }>`
      select event, actor, payload from state_transition where machine = 'M50' and object_no = ${couponNo} order by transition_no desc limit 1`),
  )
const free = ['waiting_used', null]

afterEach(async () => {
  for (const { db } of [floor, p, desk])
    expect((await db.read(runInvariants)).filter(found => found.rule.includes('coupon'))).toEqual([])
})

describe('a coupon bound to an order', () => {
  it('is free again with the refusal of its order, by the person who refused', async () => {
    const task = await opened()
    const couponNo = await bind(floor, task.orderNo)
    expect(await couponOf(floor, couponNo)).toEqual(['frozen', task.orderNo])
    const refusal = decided(task, { auditResult: 'refuse', refuseCode: 'A1', faceConsistency: 'consistent' })
    expect((await submit(refusal)).data.orderStatus).toBe('approval_rejected')
    expect(await couponOf(floor, couponNo)).toEqual(free)
    expect(await lastOf(floor, couponNo)).toEqual({
      event: 'coupon.unfreeze',
      actor: who.userNo,
      payload: { orderNo: task.orderNo },
    })
  })

  it('stays bound while its order goes back to the queue', async () => {
    const task = await opened()
    const couponNo = await bind(floor, task.orderNo)
    expect(
      (await submit({ ...decided(task, { auditResult: 'sent_back', sendBackReason: 'not_mine' }), answers: undefined }))
        .code,
    ).toBe(0)
    expect(await couponOf(floor, couponNo)).toEqual(['frozen', task.orderNo])
  })

  it('is free again when its order is cancelled in review', async () => {
    const orderNo = await floor.order()
    const couponNo = await bind(floor, orderNo)
    const manager = await floor.person({ perms: ['audit:manage:page', 'audit:order:cancel'] })
    const { version } = await floor.one(
      sql<{ version: number }>`select version from loan_order where order_no = ${orderNo}`,
    )
    expect((await floor.call(audit.cancel, { orderNo, version, reason: 'duplicate' }, { as: manager })).code).toBe(0)
    expect(await couponOf(floor, couponNo)).toEqual(free)
  })

  it('is free again when its payout is given up, and expires instead once its time is over', async () => {
    const [early, late] = [await p.failed(), await p.failed()]
    const [first, second] = [await bind(p, early.orderNo), await bind(p, late.orderNo)]
    const cancel = (loanCode: string) =>
      p.call(loan.cancel, { loanCodes: [loanCode], reason: 'customer_withdrew' }, { as: finance })
    expect((await cancel(early.loanCode)).data.ok).toBe(1)
    expect(await couponOf(p, first)).toEqual(free)
    await p.db.withTx(tx =>
      tx.exec(sql`update coupon set start_time = start_time - interval '31 days', expire_time = ${tx.now}`),
    )
    expect((await cancel(late.loanCode)).data.ok).toBe(1)
    expect(await couponOf(p, second)).toEqual(['expired', null])
  })

  it('that raised the limit is used by the payout and comes back when the payout is undone; another kind is kept', async () => {
    const [raised, reduced] = [await p.approved(), await p.approved()]
    const used = await bind(p, raised.orderNo, 'increase_loan_limit_coupon')
    const kept = await bind(p, reduced.orderNo, 'discount_coupon')
    p.sends.push({ kind: 'success', serialNo: 'MP1' }, { kind: 'success', serialNo: 'MP2' })
    await p.run()
    expect(await couponOf(p, used)).toEqual(['used', raised.orderNo])
    expect(await couponOf(p, kept)).toEqual(['frozen', reduced.orderNo])
    for (const { orderNo } of [raised, reduced]) await p.db.withTx(tx => restoreCoupon(tx, { orderNo }, p.actor))
    expect([await couponOf(p, used), await couponOf(p, kept)]).toEqual([free, free])
    expect((await lastOf(p, used)).event).toBe('coupon.restore')
  })

  it('is free again when its loan was repaid in full without it', async () => {
    const orderNo = await desk.order()
    const couponNo = await bind(desk, orderNo, 'interest_discount_coupon')
    const pay = (repayType: 'partial' | 'settle', amount: string) =>
      desk.pay(officer, { orderNo, repayType, flows: [desk.typed(amount)] })
    expect((await pay('partial', '65000.00')).data.orderStatus).toBe('funds_disbursed')
    expect(await couponOf(desk, couponNo)).toEqual(['frozen', orderNo])
    expect((await pay('settle', '240000.00')).data.orderStatus).toBe('settled')
    expect(await couponOf(desk, couponNo)).toEqual(free)
  })
})

it('the job of the day ends what nobody used, and leaves what is bound', async () => {
  const orders = [await floor.order(), await floor.order()]
  const [unused, bound] = [await bind(floor, orders[0] ?? ''), await bind(floor, orders[1] ?? '')]
  await floor.db.withTx(async tx => {
    await tx.exec(
      sql`update coupon set bound_order_no = null, coupon_status = case when set_config('app.transition', 'on', true) = 'on' then 'waiting_used' end where coupon_no = ${unused}`,
    )
    await tx.exec(sql`update coupon set expire_time = '2026-03-10T20:59:59Z' where coupon_no in (${unused}, ${bound})`)
  })
  const expire = (date: string) => floor.db.withTx(tx => couponModule().chunked![0]!.chunk(tx, { date, cursor: null }))
  expect((await expire('2026-03-10')).counts).toEqual({ expired: 0 })
  expect((await expire('2026-03-11')).counts).toEqual({ expired: 1 })
  expect(await couponOf(floor, unused)).toEqual(['expired', null])
  expect(await couponOf(floor, bound)).toEqual(['frozen', orders[1]])
})
