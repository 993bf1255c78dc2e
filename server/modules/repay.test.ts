import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { contract } from '../../core/contract/contract.ts'
import type { Person } from '../testing/kit.ts'
import { type Desk, openDesk } from '../testing/repay-desk.ts'

const { repay } = contract

let desk: Desk
let officer: Person
beforeAll(async () => {
  desk = await openDesk()
  officer = await desk.officer()
})
afterAll(() => desk.close())

describe('a paid-out order', () => {
  it('owes its plan, in bills and in the ledger', async () => {
    const orderNo = await desk.order()
    expect(await desk.broken()).toEqual([])
    const { bills, balances, order, journals } = await desk.detail(officer, orderNo)
    expect(bills).toMatchObject([
      { installmentNo: 1, dueDate: '2026-03-09', left: '115000.00', billStatus: 'pending' },
      { installmentNo: 2, dueDate: '2026-03-16', left: '115000.00' },
    ])
    expect(balances.slice(0, 4)).toMatchObject([
      { balance: '200000.00', bills: '200000.00' },
      { balance: '28000.00', bills: '28000.00' },
      { balance: '2000.00', bills: '2000.00' },
      { balance: '0.00', bills: '0.00' },
    ])
    expect(order).toMatchObject({ settleAmount: '230000.00', dueDate: '2026-03-09', installmentsPaid: 0, overdueDays: 0 })
    expect(journals.map(journal => journal.postingCode)).toContain('P2a')
  })
})

describe('a write-off', () => {
  it('settles an order with two typed flows', async () => {
    const orderNo = await desk.order()
    const flows = [desk.typed('200000.00'), desk.typed('30000.00')]
    const done = await desk.pay(officer, { orderNo, repayType: 'settle', flows })
    expect(done).toMatchObject({ code: 0, data: { amount: '230000.00', outstanding: '0.00', orderStatus: 'settled' } })
    expect(await desk.broken()).toEqual([])
  })
})
