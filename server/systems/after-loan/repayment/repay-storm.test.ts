import fc from 'fast-check'
import { sql } from 'kysely'
import { expect, it } from 'vitest'
import { contract } from '../../../../core/contract/contract.ts'
import { add, sum } from '../../../../core/rules/money.ts'
import { addDays, eatDate } from '../../../../core/rules/time.ts'
import { deskForTests } from '../../../testing/suites.ts'

const { repay } = contract

const { desk, officer } = await deskForTests({ terms: { graceDays: 1 } })

const ownerOf = (orderNo: string) =>
  desk.rows(sql<{ customerNo: string }>`select customer_no from loan_order where order_no = ${orderNo}`) as Promise<
    [{ customerNo: string }]
  >

const amount = fc.integer({ min: 1, max: 26_000_000 }).map(cents => (cents / 100).toFixed(2))
const step = fc.oneof(
  {
    weight: 4,
    arbitrary: fc.record({ do: fc.constant('partial' as const), amount, daysAgo: fc.integer({ min: 0, max: 6 }) }),
  },
  {
    weight: 2,
    arbitrary: fc.record({ do: fc.constant('settle' as const), more: amount, daysAgo: fc.integer({ min: 0, max: 6 }) }),
  },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('short' as const), by: fc.integer({ min: 1, max: 700 }) }) },
  { weight: 3, arbitrary: fc.record({ do: fc.constant('rollback' as const) }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('reuse' as const), amount }) },
  { weight: 3, arbitrary: fc.record({ do: fc.constant('days' as const), days: fc.integer({ min: 1, max: 9 }) }) },
)
type Step = typeof step extends fc.Arbitrary<infer S> ? S : never

const act = async (orders: readonly [string, string], which: number, one: Step) => {
  const orderNo = orders[which % 2] as string
  const { order, records } = await desk.detail(officer, orderNo)
  const today = eatDate(desk.clock.now())
  const arrived = (daysAgo: number) => {
    const [, day] = [addDays(today, -daysAgo), eatDate(order.payoutTime)].sort()
    return { entryTime: `${day}T07:00:00.000Z` }
  }
  if (one.do === 'days') return desk.until(addDays(today, one.days))
  if (one.do === 'partial')
    return desk.pay(officer, { orderNo, repayType: 'partial', flows: [desk.typed(one.amount, arrived(one.daysAgo))] })
  if (one.do === 'settle')
    return desk.pay(officer, {
      orderNo,
      repayType: order.orderStatus === 'settled' ? 'overpayment' : 'settle',
      flows: [desk.typed(add(order.settleAmount, one.more), arrived(one.daysAgo))],
    })
  if (one.do === 'short') {
    const due = Number(order.settleAmount) - one.by
    return due > 0
      ? desk.pay(officer, { orderNo, repayType: 'settle', flows: [desk.typed(due.toFixed(2))] })
      : undefined
  }
  if (one.do === 'reuse')
    return desk.call(repay.reuseOverflow, { orderNo, version: order.version, amount: one.amount }, { as: officer })
  const newest = records.find(record => record.newest)
  return newest && desk.rollback(officer, newest.repaymentNo)
}

it('whatever is paid, settled, forgiven and taken back, in whatever order: the books stay right', async () => {
  const done: Record<string, number> = {}
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.tuple(fc.integer({ min: 0, max: 1 }), step), { minLength: 5, maxLength: 14 }),
      async steps => {
        const first = await desk.order()
        const [{ customerNo }] = await ownerOf(first)
        const orders = [first, await desk.order({ customerNo })] as const
        for (const [which, one] of steps) {
          const answer = await act(orders, which, one)
          if (answer && answer.code === 0) done[one.do] = (done[one.do] ?? 0) + 1
          expect(answer?.code ?? 0).not.toBe(50001)
          expect(await desk.broken()).toEqual([])
        }
        for (const orderNo of orders) {
          const { records, bills } = await desk.detail(officer, orderNo)
          const posted = records.filter(record => record.recordStatus === 'posted')
          const applied = sum(posted.flatMap(record => Object.values(record.applied)))
          expect(sum(bills.flatMap(bill => Object.values(bill.paid)))).toBe(applied)
        }
      },
    ),
    { numRuns: 12, endOnFailure: true },
  )
  expect(Object.keys(done)).toEqual(expect.arrayContaining(['partial', 'settle', 'rollback']))
})

it('taking everything back leaves what there would be without it', async () => {
  await desk.at('2027-01-04')
  const [paid, untouched] = [await desk.order(), await desk.order()] as [string, string]
  await desk.until('2027-01-14')
  for (const value of ['30000.00', '90000.00'])
    await desk.pay(officer, {
      orderNo: paid,
      repayType: 'partial',
      flows: [desk.typed(value, { entryTime: '2027-01-13T07:00:00Z' })],
    })
  await desk.until('2027-01-20')
  await desk.pay(officer, {
    orderNo: paid,
    repayType: 'settle',
    flows: [desk.typed('260000.00', { entryTime: '2027-01-18T07:00:00Z' })],
  })
  await desk.until('2027-01-25')
  for (const record of (await desk.detail(officer, paid)).records)
    expect((await desk.rollback(officer, record.repaymentNo)).data).toMatchObject({ approvalStatus: 'executed' })
  const [after, never] = [await desk.detail(officer, paid), await desk.detail(officer, untouched)]
  expect(
    after.bills.map(({ due, paid: p, waived, billStatus, overdueDays }) => ({
      due,
      p,
      waived,
      billStatus,
      overdueDays,
    })),
  ).toEqual(
    never.bills.map(({ due, paid: p, waived, billStatus, overdueDays }) => ({
      due,
      p,
      waived,
      billStatus,
      overdueDays,
    })),
  )
  expect(after.order).toMatchObject({ settleAmount: never.order.settleAmount, overdueDays: never.order.overdueDays })
  expect(await desk.broken()).toEqual([])
})
