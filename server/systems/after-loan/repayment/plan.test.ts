import { sql } from 'kysely'
import { expect, it } from 'vitest'
import { deskForTests } from '../../../testing/suites.ts'

const { desk, officer } = await deskForTests()

it('a paid-out order owes its plan, in bills and in the ledger', async () => {
  const orderNo = await desk.order()
  const { bills, balances, journals } = await desk.detail(officer, orderNo)
  expect(bills).toMatchObject([
    { installmentNo: 1, dueDate: '2026-03-09', left: '115000.00', billStatus: 'pending', settledTime: null },
    { installmentNo: 2, dueDate: '2026-03-16', left: '115000.00', billStatus: 'pending' },
  ])
  expect(balances.slice(0, 4).map(({ balance, bills: owed }) => [balance, owed])).toEqual([
    ['200000.00', '200000.00'],
    ['28000.00', '28000.00'],
    ['2000.00', '2000.00'],
    ['0.00', '0.00'],
  ])
  const planned = journals.filter(journal => journal.postingCode === 'P2a')
  expect(planned).toHaveLength(1)
  expect(planned[0]?.lines).toContainEqual({
    accountCode: `deferred_interest:${orderNo}`,
    component: 'interest',
    debit: '0.00',
    credit: '14000.00',
  })
})

it('three bills of a sum that does not divide add up to the cent', async () => {
  const orderNo = await desk.order({ loanAmount: '100000.00', terms: { installmentCount: 3, termDays: 21 } })
  const { bills } = await desk.detail(officer, orderNo)
  expect(bills.map(bill => bill.due.principal)).toEqual(['33333.33', '33333.33', '33333.34'])
  expect(bills.map(bill => bill.due.managementFee)).toEqual(['666.67', '666.67', '666.66'])
  expect(bills.map(bill => bill.dueDate)).toEqual(['2026-03-09', '2026-03-16', '2026-03-23'])
  expect(await desk.rows(sql`select event from state_transition where object_no = ${bills[0]?.billNo}`)).toEqual([
    { event: 'plan.create' },
  ])
})
