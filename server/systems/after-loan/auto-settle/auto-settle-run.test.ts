import { sql } from 'kysely'
import { expect, it } from 'vitest'
import { autoSettles } from '../../../../core/contract/after-loan/auto-settle.ts'
import { addDays, type EatDate, eatDate } from '../../../../core/rules/time.ts'
import { system } from '../../../rights/actor.ts'
import { create, transition } from '../../../states/transition.ts'
import { deskForTests } from '../../../testing/suites.ts'
import { settleChunk, settleNow } from './auto-settle-run.ts'

const { desk, officer } = await deskForTests()
const today = () => eatDate(desk.clock.now())
const run = () => desk.db.withTx(async tx => (await settleChunk(tx, { date: tx.today, cursor: null })).counts)
const one = async (query: Parameters<typeof desk.rows>[0]) =>
  (await desk.rows<Record<string, unknown>>(query as never))[0]
const resultsOf = (orderNo: string) =>
  desk.rows(sql`
    select outcome, waived, from_overflow, owed_after, skip_reason from auto_settle_result where order_no = ${orderNo} order by business_date`)
const statusOf = async (orderNo: string) =>
  (await one(sql`select order_status from loan_order where order_no = ${orderNo}`))?.orderStatus
/** An order on which this much is left. */
const leftWith = async (residue: string) => {
  const orderNo = await desk.order()
  const amount = (230_000 - Number(residue)).toFixed(2)
  await desk.pay(officer, { orderNo, repayType: 'partial', flows: [desk.typed(amount)] })
  return orderNo
}
const none = { settled: 0, paid: 0, skipped: 0 }

await desk.db.withTx(async tx => {
  const values = { configNo: 'AS1', residueLimit: '400.00', daysSincePayment: 1, useOverflow: true }
  const times = { createdTime: tx.now, updatedBy: 'test', updatedTime: tx.now }
  await create(tx, autoSettles.machine, { ...values, ...times }, { event: 'item.create' }, system('test'))
  const made = { configNo: 'AS1', enabled: 'disabled', version: 0 }
  await transition(tx, autoSettles.machine, made, { event: 'item.enable' }, system('test'))
})

it('after-loan 11: settles what owes little, once, after the days without a payment', async () => {
  const [small, large, principal] = [await leftWith('150.00'), await leftWith('401.00'), await leftWith('350.00')]
  expect(await run()).toEqual(none)
  await desk.until(addDays(today(), 1))
  expect(await run()).toEqual({ settled: 1, paid: 0, skipped: 1 })
  expect(await Promise.all([small, large, principal].map(statusOf))).toEqual([
    'settled',
    'funds_disbursed',
    'funds_disbursed',
  ])
  expect(await resultsOf(small)).toEqual([
    { outcome: 'settled', waived: '150.00', fromOverflow: '0.00', owedAfter: '0.00', skipReason: null },
  ])
  // More of the principal than write-offs may forgive.
  expect(await resultsOf(principal)).toMatchObject([{ outcome: 'skipped', skipReason: 'limit', owedAfter: '350.00' }])
  expect(await run()).toEqual(none)
  await expect(desk.db.withTx(settleNow)).rejects.toMatchObject({ key: 'errors.settledToday' })
})

it('pays what is due from the money held for the customer, on the due date and not before', async () => {
  const first = await desk.order()
  const found = await one(sql`select customer_no from loan_order where order_no = ${first}`)
  const second = await desk.order({ customerNo: String(found?.customerNo) })
  await desk.pay(officer, { orderNo: first, repayType: 'settle', flows: [desk.typed('250000.00')] })
  const due = await one(sql`select min(due_date) as date from repay_plan where order_no = ${second}`)
  await desk.until(addDays(due?.date as EatDate, -1))
  await run()
  expect(await resultsOf(second)).toEqual([])
  await desk.until(due?.date as EatDate)
  expect(await run()).toMatchObject({ paid: 1 })
  expect(await resultsOf(second)).toMatchObject([{ outcome: 'paid', fromOverflow: '20000.00', owedAfter: '210000.00' }])
  expect(await one(sql`select overpayment_status from overpayment where customer_no = ${found?.customerNo}`)).toEqual({
    overpaymentStatus: 'cleared',
  })
  expect(await desk.broken()).toEqual([])
})

it('after-loan 11: forgives no principal while none may be, and once it may, settles it with P17 and reports it', async () => {
  const allow = (principal: string) => desk.exec(sql`update auto_write_off_config set principal_limit = ${principal}`)
  const [before] = await desk.rows<{ limit: string }>(sql`select principal_limit as limit from auto_write_off_config`)
  const orderNo = await leftWith('180.00')
  await allow('0.00')
  await desk.until(addDays(today(), 1))
  await run()
  expect(await resultsOf(orderNo)).toMatchObject([{ outcome: 'skipped', skipReason: 'limit', owedAfter: '180.00' }])
  await allow('200.00')
  await desk.until(addDays(today(), 1))
  await run()
  expect((await resultsOf(orderNo)).at(-1)).toMatchObject({ outcome: 'settled', waived: '180.00', owedAfter: '0.00' })
  expect(await statusOf(orderNo)).toBe('settled')
  expect(
    await desk.rows(sql`
      select l.account_code, l.amount from journal j join journal_line l using (journal_no) where j.posting_code = 'P17' and j.order_no = ${orderNo} order by l.amount`),
  ).toEqual([
    { accountCode: `principal:${orderNo}`, amount: '-180.00' },
    { accountCode: 'small_balance_expense', amount: '180.00' },
  ])
  await allow(before?.limit ?? '0.00')
  expect(await desk.broken()).toEqual([])
})

it('does nothing where no rule is on', async () => {
  const orderNo = await leftWith('100.00')
  await desk.db.withTx(async tx => {
    const held = await tx.one(
      sql<{ configNo: string; enabled: string; version: number }>`select * from auto_settle_config`,
    )
    await transition(tx, autoSettles.machine, held, { event: 'item.disable' }, system('test'))
  })
  await desk.until(addDays(today(), 3))
  expect(await run()).toEqual(none)
  expect(await statusOf(orderNo)).toBe('funds_disbursed')
})
