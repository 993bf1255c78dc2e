import { sql } from 'kysely'
import { expect, it } from 'vitest'
import { payoutsForTests } from '../../../testing/suites.ts'
import { creditModule, grantCredit } from '../../order/order/credit.ts'
import { reservationModule } from './unpaid.ts'

const p = await payoutsForTests()

const run = (of: typeof creditModule, date: string) =>
  p.db.withTx(tx => of().chunked![0]!.chunk(tx, { date, cursor: null }))
const customers = () =>
  p.db.read(tx => tx.rows(sql<{ remainingLimit: string }>`select remaining_limit from customer order by customer_no`))
/** Every customer's credit ends with this day. */
const until = (lastDay: string) =>
  p.db.withTx(async tx => {
    for (const { customerNo } of await tx.rows(sql<{ customerNo: string }>`select customer_no from customer`))
      await grantCredit(tx, customerNo, p.actor)
    await tx.exec(sql`update credit set credit_expiry = ${lastDay}`)
  })

it('an approved order keeps its credit a day longer than its customer; then it ends, unless money may have left', async () => {
  const [failed, sent] = [await p.failed(), await p.approved()]
  await p.run()
  const waiting = await p.approved({ subtype: 'airtel' })
  await until('2026-03-04')
  expect((await run(creditModule, '2026-03-05')).counts).toEqual({ expired: 3 })
  expect((await run(reservationModule, '2026-03-05')).counts).toEqual({ ended: 0 })
  expect((await customers()).map(one => one.remainingLimit)).toEqual(['300000.00', '300000.00', '300000.00'])

  expect((await run(reservationModule, '2026-03-06')).counts).toEqual({ ended: 2 })
  expect(await p.stateOf(failed)).toEqual(['cancelled', 'cancelled'])
  expect(await p.stateOf(waiting)).toEqual(['cancelled', 'cancelled'])
  expect(await p.stateOf(sent)).toEqual(['remitting', 'remitting'])
  expect((await customers()).map(one => one.remainingLimit)).toEqual(['500000.00', '300000.00', '500000.00'])
  expect(await p.order(failed.orderNo)).toMatchObject({ cancelReason: 'credit_expired' })
  expect(
    await p.one(sql`
      select action, actor_name, after ->> 'orderStatus' as order_status from audit_log where order_no = ${failed.orderNo} and action = 'clock.autoCancel'`),
  ).toEqual({ action: 'clock.autoCancel', actorName: 'system', orderStatus: 'cancelled' })
  expect((await run(reservationModule, '2026-03-06')).counts).toEqual({ ended: 0 })
})

it('an order is kept when the credit was granted again', async () => {
  const failed = await p.failed()
  await until('2026-03-04')
  await run(creditModule, '2026-03-05')
  await p.db.withTx(tx => grantCredit(tx, 'CU1', p.actor))
  expect((await run(reservationModule, '2026-03-06')).counts).toEqual({ ended: 0 })
  expect(await p.stateOf(failed)).toEqual(['failed', 'loan_failed'])
})
