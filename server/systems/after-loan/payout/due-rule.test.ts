import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest'
import { maturities } from '../../../../core/contract/merchant/maturity.ts'
import type { Machine } from '../../../../core/rules/machines/machine.ts'
import { system } from '../../../rights/actor.ts'
import { create, transition } from '../../../states/transition.ts'
import { writeBusinessConfig } from '../../common/business-config.ts'
import { openPayouts, type Payouts, paid } from './payout-fixture.ts'

let p: Payouts
/** A row for all whose version in force moves due dates to working days. */
beforeAll(async () => {
  p = await openPayouts()
  await p.reset()
  const by = system('test')
  await p.db.withTx(async tx => {
    const item = { maturityNo: 'MC1', createdTime: tx.now, updatedBy: 'U1', updatedTime: tx.now }
    await create(tx, maturities.machine, item, { event: 'item.create' }, by)
    await transition(tx, maturities.machine, { ...item, enabled: 'disabled', version: 0 }, { event: 'item.enable' }, by)
    const machine = maturities.versionMachine as Machine
    const version = {
      versionNo: 'MV1',
      maturityNo: 'MC1',
      content: { dueShift: 'next_working_day' },
      makerNo: 'U1',
      makerName: 'Maker',
      createdTime: tx.now,
    }
    await create(tx, machine, version, { event: 'version.save' }, by)
    const draft = { ...version, versionStatus: 'draft', version: 0 }
    const waits = await transition(tx, machine, draft, { event: 'version.submit' }, by)
    const set = { effectiveTime: tx.now }
    await transition(tx, machine, waits, { event: 'version.approve', as: 'now', set }, by)
  })
})
afterAll(() => p.close())

const holidays = (...dates: string[]) =>
  p.db.withTx(async tx => {
    await tx.exec(sql`delete from business_config`)
    const value = dates.map(date => ({ date, name: { zh: '节日', en: 'Feast', sw: 'Sikukuu' }, closed: true }))
    await writeBusinessConfig(tx, 'PUBLIC_HOLIDAYS', { value, version: 0 }, system('test'))
  })

beforeEach(async () => {
  p.messages.length = 0
  await holidays()
})

const billsOf = (orderNo: string) =>
  p.db.read(async tx =>
    (
      await tx.rows(
        sql<{ dueDate: string }>`select due_date from repay_plan where order_no = ${orderNo} order by installment_no`,
      )
    ).map(({ dueDate }) => dueDate),
  )

it.each([
  ['before it was sent', ['2026-03-16'], [], '2026-03-17'],
  ['between its sending and its outcome', [], ['2026-03-16'], '2026-03-16'],
])('a holiday approved %s: the bills fall due on the day that the customer read', async (_, before, between, last) => {
  await holidays(...before)
  const { orderNo } = await p.approved()
  await p.run()
  expect(p.messages).toHaveLength(1)
  expect(p.messages[0]).toContain(`by ${last} with`)
  await holidays(...between)
  p.queries.push(paid())
  await p.pass(60)
  expect(await billsOf(orderNo)).toEqual(['2026-03-09', last])
})

it('is sent once more under the same reference with the same day', async () => {
  await p.approved()
  await p.run()
  await holidays('2026-03-16')
  p.queries.push({ kind: 'notFound' })
  await p.pass(60)
  expect(p.messages).toHaveLength(2)
  expect(new Set(p.messages).size).toBe(1)
})
