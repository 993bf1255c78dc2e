import { sql } from 'kysely'
import { describe, expect, it } from 'vitest'
import { contract } from '../../../../core/contract/contract.ts'
import { text } from '../../../../core/i18n/server.ts'
import type { Money } from '../../../../core/rules/money.ts'
import { account, post } from '../../../money/ledger.ts'
import { system } from '../../../rights/actor.ts'
import { transition } from '../../../states/transition.ts'
import { deskForTests } from '../../../testing/suites.ts'
import { lockOverpayment } from './overflow.ts'

const { repay } = contract

const { desk, officer } = await deskForTests()
const first = await desk.order()
const customerNo =
  (await desk.rows(sql<{ customerNo: string }>`select customer_no from loan_order where order_no = ${first}`))[0]
    ?.customerNo ?? ''
const second = await desk.order({ customerNo })
await desk.pay(officer, { orderNo: first, repayType: 'settle', flows: [desk.typed('250000.00')] })

const reuse = async (amount: string, orderNo = second) => {
  const version =
    (await desk.rows(sql<{ version: number }>`select version from loan_order where order_no = ${orderNo}`))[0]
      ?.version ?? 0
  return desk.call(repay.reuseOverflow, { orderNo, version, amount }, { as: officer })
}
const held = () =>
  desk.rows(
    sql`select overpayment_status as status, credited, reapplied from overpayment where customer_no = ${customerNo}`,
  )

describe('the overflow of a customer', () => {
  it('pays another order of the customer, and not more than there is', async () => {
    expect(await reuse('20000.01')).toMatchObject({ code: 40001, msg: 'Limit exceeded' })
    expect((await reuse('0.00')).code).toBe(40001)
    const done = await reuse('5000.00')
    expect(done).toMatchObject({ code: 0, data: { outstanding: '225000.00' } })
    expect(await held()).toEqual([{ status: 'open', credited: '20000.00', reapplied: '5000.00' }])
    const { journals, records, order } = await desk.detail(officer, second)
    expect(order.overflowAmount).toBe('15000.00')
    expect(records).toMatchObject([{ repayType: 'partial', amount: '5000.00', flows: [] }])
    expect(
      journals.filter(journal => journal.postingCode === 'P4c').flatMap(journal => journal.lines)[0],
    ).toMatchObject({ accountCode: `overpayment:${customerNo}`, debit: '5000.00' })
  })

  it('is cleared when all of it is used, and open again when that is rolled back', async () => {
    const done = await reuse('15000.00')
    expect(await held()).toMatchObject([{ status: 'cleared', reapplied: '20000.00' }])
    expect(await reuse('1.00')).toMatchObject({ code: 40001, msg: text('en', 'errors.noOverflow') })
    expect((await desk.rollback(officer, done.data.repaymentNo)).data).toMatchObject({ approvalStatus: 'executed' })
    expect(await held()).toMatchObject([{ status: 'open', reapplied: '5000.00' }])
  })

  it('settles an order when it is enough', async () => {
    await desk.pay(officer, { orderNo: second, repayType: 'partial', flows: [desk.typed('220000.00')] })
    expect(await reuse('5000.01')).toMatchObject({ code: 40001, msg: 'Limit exceeded' })
    expect(await reuse('5000.00')).toMatchObject({ code: 0, data: { outstanding: '0.00' } })
    expect((await desk.detail(officer, second)).order).toMatchObject({
      orderStatus: 'settled',
      overflowAmount: '10000.00',
    })
    expect((await reuse('1.00', first)).code).toBe(40901)
  })

  it('that is reserved for a refund has left its account, whether or not the refund is ever sent', async () => {
    const actor = system('a-refund')
    const keys = { customerNo }
    const move = (event: 'refund.reserve' | 'refund.release', reserved: Money, from: string, to: string) =>
      desk.db.withTx(async tx => {
        const row = await lockOverpayment(tx, customerNo)
        if (!row) throw new Error('nothing is held')
        await transition(tx, 'overpayment', row, { event, set: { reserved } }, actor)
        await post(
          tx,
          {
            code: event === 'refund.reserve' ? 'P7a' : 'P7-REV',
            cause: `overpayment:${row.overpaymentNo}`,
            keys,
            lines: [
              { account: from, amount: '4000.00' },
              { account: to, amount: '-4000.00' },
            ],
          },
          actor,
        )
      })
    // The refund itself is not written here: that there is one is asked where refunds are tested.
    const broken = async () => (await desk.broken()).filter(({ name }) => !['V18a', 'L8'].includes(name))
    const [own, promised] = [account.overpayment(customerNo), 'refund_payable:RF000001']
    await move('refund.reserve', '4000.00', own, promised)
    expect(await broken()).toEqual([])
    expect(await reuse('1.00', await desk.order({ customerNo }))).toMatchObject({ code: 40901 })
    await desk.db.withTx(tx => tx.exec(sql`update overpayment set reserved = 3999 where customer_no = ${customerNo}`))
    expect(await broken()).toMatchObject([{ name: 'V17', rows: [{ customerNo }] }])
    await desk.db.withTx(tx => tx.exec(sql`update overpayment set reserved = 4000 where customer_no = ${customerNo}`))
    await move('refund.release', '0.00', promised, own)
    expect(await desk.broken()).toEqual([])
  })

  it('is nobody else’s', async () => {
    const stranger = await desk.order()
    expect(await reuse('1.00', stranger)).toMatchObject({ code: 40001, msg: text('en', 'errors.noOverflow') })
  })
})
