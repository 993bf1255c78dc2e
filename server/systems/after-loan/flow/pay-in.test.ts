import { sql } from 'kysely'
import { describe, expect, it } from 'vitest'
import type { FlowRow } from '../../../../core/contract/after-loan/repayment-rows.ts'
import { contract } from '../../../../core/contract/contract.ts'
import type { CollectQueryAnswer } from '../../../gateways/gateway.ts'
import { system } from '../../../rights/actor.ts'
import { transition } from '../../../states/transition.ts'
import { deskForTests } from '../../../testing/suites.ts'

const { repay } = contract

const { desk, officer } = await deskForTests()

let n = 0
const refOf = () => `10000000-0000-4000-8000-${String(++n).padStart(12, '0')}`
const success = (
  externalId: string,
  amount: string,
  more: Partial<Extract<CollectQueryAnswer, { kind: 'success' }>> = {},
) =>
  ({
    kind: 'success',
    serialNo: `MP${++n}`,
    amount,
    payer: '256770099999',
    externalId,
    time: desk.clock.now().toISOString(),
    ...more,
  }) as const
const payCodeOf = async (orderNo: string) =>
  (await desk.rows(sql<{ payCode: string }>`select pay_code from loan_order where order_no = ${orderNo}`))[0]
    ?.payCode ?? ''
const arrive = (says: CollectQueryAnswer & { amount?: string }, body: Record<string, unknown> = {}) =>
  desk.hear(refOf(), { status: 'SUCCESSFUL', amount: says.amount, ...body }, says)
const flowOf = async (serialNo: string): Promise<FlowRow | undefined> =>
  (await desk.call(repay.flows, { serialNo }, { as: officer })).data.list[0]
const items = () =>
  desk.rows(sql`select recon_kind, reference, amount, difference from recon_item order by recon_item_no`)

describe('a payment that the network confirms', () => {
  it('of exactly what was quoted for an extension puts the instalment off, unless the rule says that nothing does so by itself', async () => {
    const terms = { extension: { feeRate: '10', days: 7, max: 2 } }
    const quoted = async (orderNo: string) => {
      const { version } = (await desk.detail(officer, orderNo)).order
      return (await desk.call(repay.extensionQuote, { orderNo, version }, { as: officer })).data.amount
    }
    const orderNo = await desk.order({ terms })
    const amount = await quoted(orderNo)
    expect(await arrive(success(await payCodeOf(orderNo), amount))).toMatch(/^written_off FL/)
    expect(await desk.detail(officer, orderNo)).toMatchObject({
      records: [{ repayType: 'extension', amount }],
      extensions: [{ extensionStatus: 'effective', amount }],
    })
    const other = await desk.order({ terms })
    await desk.exec(sql`update auto_write_off_config set auto_extension = false`)
    const paid = success(await payCodeOf(other), await quoted(other))
    await arrive(paid)
    expect(await flowOf(paid.serialNo)).toMatchObject({ flowStatus: 'available', waitReason: 'extension_off' })
    await desk.exec(sql`update auto_write_off_config set auto_extension = true`)
  })

  it('settles the order of its pay code by itself', async () => {
    const orderNo = await desk.order()
    const paid = success(await payCodeOf(orderNo), '231000.00')
    expect(await arrive(paid)).toMatch(/^written_off FL/)
    const { order, records, flows } = await desk.detail(officer, orderNo)
    expect(order).toMatchObject({ orderStatus: 'settled', overflowAmount: '1000.00' })
    expect(records).toMatchObject([{ repayType: 'settle', postedName: 'system', amount: '231000.00' }])
    expect(flows).toMatchObject([
      {
        serialNo: paid.serialNo,
        flowStatus: 'exhausted',
        source: 'callback',
        isrecord: true,
        paymentCode: await payCodeOf(orderNo),
        waitReason: null,
      },
    ])
    expect(
      await desk.rows(sql`select event from state_transition where object_no = ${records[0]?.repaymentNo}`),
    ).toEqual([{ event: 'repay.auto' }])
    const again = await desk.call(
      repay.trial,
      {
        orderNo: await desk.order(),
        repayType: 'partial',
        flows: [desk.typed('231000.00', { serialNo: paid.serialNo })],
      },
      { as: officer },
    )
    expect(again.msg).toMatch(
      new RegExp(
        `^The order was already written off by the system \\(repayment ${records[0]?.repaymentNo}, 2026-03-02 10:00\\)$`,
      ),
    )
  })

  it('pays part of it when it is less, on the day the money came', async () => {
    const orderNo = await desk.order()
    await desk.until('2026-03-11')
    await arrive(success(await payCodeOf(orderNo), '60000.00', { time: '2026-03-10T20:59:59.900Z' }))
    const { records, order } = await desk.detail(officer, orderNo)
    expect(records).toMatchObject([{ repayType: 'partial', valueDate: '2026-03-10', applied: { lateFee: '1725.00' } }])
    expect(order.overdueDays).toBe(2)
  })

  it('is booked once, however often it is announced', async () => {
    const orderNo = await desk.order()
    const paid = success(await payCodeOf(orderNo), '1000.00')
    expect(await arrive(paid)).toMatch(/^written_off/)
    expect(await arrive(paid)).toBe('duplicate')
    expect(await desk.rows(sql`select count(*)::int as n from repay_flow where serial_no = ${paid.serialNo}`)).toEqual([
      { n: 1 },
    ])
    const before = (await items()).length
    expect(await arrive({ ...paid, amount: '900.00' })).toBe('duplicate')
    expect(await items()).toHaveLength(before + 1)
    expect((await desk.detail(officer, orderNo)).order.paidAmount).toBe('1000.00')
  })

  it.each(['as a draft that waits', 'as a draft that was deleted'])(
    'is booked though staff had typed it %s',
    async how => {
      const orderNo = await desk.order()
      const paid = success(await payCodeOf(orderNo), '7000.00')
      const draft = {
        paymentChannel: 'mtn_momo',
        serialNo: paid.serialNo,
        amount: '7000.00',
        fundAccountNo: 'FA1',
      } as const
      const { data } = await desk.call(repay.flowSave, { ...draft, entryTime: paid.time }, { as: officer })
      if (how.endsWith('deleted'))
        await desk.call(repay.flowDelete, { flowNo: data.flowNo, version: 0 }, { as: officer })
      expect(await arrive(paid)).toMatch(/^written_off/)
      expect(await arrive(paid)).toBe('duplicate')
      expect(
        await desk.rows(
          sql`select flow_status, source from repay_flow where serial_no = ${paid.serialNo} order by flow_status desc`,
        ),
      ).toEqual([
        { flowStatus: 'void', source: 'typed' },
        { flowStatus: 'exhausted', source: 'callback' },
      ])
    },
  )

  it('is booked as the network says, and a different callback becomes an item', async () => {
    const orderNo = await desk.order()
    const paid = success(await payCodeOf(orderNo), '5000.00')
    await arrive(paid, { amount: '50000' })
    expect((await desk.detail(officer, orderNo)).order.paidAmount).toBe('5000.00')
    expect(await items()).toContainEqual({
      reconKind: 'amount_differs',
      reference: paid.serialNo,
      amount: '5000.00',
      difference: '45000.00',
    })
  })

  it('finds its order by order number, or by the phone that paid', async () => {
    const [byNumber, byPhone] = [await desk.order(), await desk.order()] as [string, string]
    await arrive(success(byNumber, '2000.00'))
    expect((await desk.detail(officer, byNumber)).order.paidAmount).toBe('2000.00')
    const phone =
      (
        await desk.rows(
          sql<{
            phone: string
          }>`select phone from customer join loan_order using (customer_no) where order_no = ${byPhone}`,
        )
      )[0]?.phone ?? ''
    await arrive(success(phone, '3000.00', { payer: phone }))
    expect((await desk.detail(officer, byPhone)).order.paidAmount).toBe('3000.00')
  })
})

describe('money of a payout that is being taken back', () => {
  it('ends the loan when it is exactly the payout, and waits when it is not', async () => {
    const orderNo = await desk.order()
    await desk.db.withTx(async tx => {
      const code = await tx.one(sql<{ loanCode: string; loanCodeStatus: string; version: number }>`
        select loan_code, loan_code_status, version from loan_code where order_no = ${orderNo} for update`)
      await transition(tx, 'loanCode', code, { event: 'code.reverse' }, system('test'))
    })
    const payCode = await payCodeOf(orderNo)
    expect(await arrive(success(payCode, '100000.00'))).toMatch(/^booked/)
    const back = success(payCode, '190000.00')
    expect(await arrive(back)).toMatch(/^written_off/)
    expect(await flowOf(back.serialNo)).toMatchObject({ flowStatus: 'exhausted' })
    expect(await desk.rows(sql`select order_status from loan_order where order_no = ${orderNo}`)).toEqual([
      { orderStatus: 'cancelled' },
    ])
    expect(await desk.broken()).toEqual([])
  })
})

describe('a payment that stays available', () => {
  const waits = async (says: ReturnType<typeof success>, wait: string) => {
    expect(await arrive(says)).toMatch(/^booked FL/)
    expect(await flowOf(says.serialNo)).toMatchObject({
      flowStatus: 'available',
      waitReason: wait,
      remaining: says.amount,
    })
    expect(await desk.balance(`suspense:${(await flowOf(says.serialNo))?.flowNo}`)).toBe(`-${says.amount}`)
  }

  it('with a reference that nobody knows, or a stranger’s phone', async () => {
    await waits(success('7999999999', '1000.00'), 'no_match')
    await waits(success('256779999999', '1000.00'), 'no_match')
  })

  it('with a phone that has two open orders', async () => {
    const first = await desk.order()
    const [{ customerNo, phone }] = (await desk.rows(sql<{ customerNo: string; phone: string }>`
      select customer_no, phone from customer join loan_order using (customer_no) where order_no = ${first}`)) as [
      { customerNo: string; phone: string },
    ]
    await desk.order({ customerNo })
    await waits(success(phone, '1000.00', { payer: phone }), 'several_orders')
  })

  it('when more would be left over than is allowed', async () => {
    const orderNo = await desk.order()
    await waits(success(await payCodeOf(orderNo), '280000.01'), 'overflow_limit')
    expect((await desk.detail(officer, orderNo)).order).toMatchObject({
      orderStatus: 'funds_disbursed',
      paidAmount: '0.00',
    })
  })

  it('when it could also be meant as an extension', async () => {
    const orderNo = await desk.order()
    await waits(success(await payCodeOf(orderNo), '25000.00'), 'amount_unclear')
  })

  it('when its order is settled', async () => {
    const orderNo = await desk.order()
    await arrive(success(await payCodeOf(orderNo), '230000.00'))
    await waits(success(await payCodeOf(orderNo), '500.00'), 'no_match')
  })

  it('and can then be written off by hand', async () => {
    const orderNo = await desk.order()
    const paid = success('7888888888', '4000.00')
    await arrive(paid)
    const flow = await flowOf(paid.serialNo)
    const picked = desk.typed('4000.00', { flowNo: flow?.flowNo, serialNo: paid.serialNo })
    expect((await desk.pay(officer, { orderNo, repayType: 'partial', flows: [picked] })).code).toBe(0)
    expect(await flowOf(paid.serialNo)).toMatchObject({
      flowStatus: 'exhausted',
      waitReason: null,
      orderNos: [orderNo],
    })
  })
})

describe('a callback that is not a payment', () => {
  const nothing = async (act: () => Promise<unknown>) => {
    const count = () =>
      desk.rows(sql`select (select count(*) from repay_flow) as flows, (select count(*) from journal) as journals`)
    const before = await count()
    const outcome = await act()
    expect(await count()).toEqual(before)
    return outcome
  }

  it('changes nothing when it is forged, failed or unreadable, and says so', async () => {
    const orderNo = await desk.order()
    const payCode = await payCodeOf(orderNo)
    expect(
      await nothing(() => desk.hear(refOf(), { status: 'SUCCESSFUL', amount: '230000', externalId: payCode })),
    ).toBe('forged')
    expect(await nothing(() => arrive({ kind: 'failure', answerCode: 'NOT_ENOUGH_FUNDS', answerMessage: '' }))).toBe(
      'not_paid',
    )
    expect(await nothing(() => desk.hear('', { payer: undefined }))).toBe('unreadable')
  })

  it('is asked about again until the network knows', async () => {
    const orderNo = await desk.order()
    const ref = refOf()
    expect(await nothing(() => desk.hear(ref, { status: 'SUCCESSFUL', amount: '700' }, { kind: 'pending' }))).toBeNull()
    desk.truth.set(ref, { kind: 'none', reason: 'cut' })
    desk.clock.advance(16_000)
    expect(await desk.worker.drain()).toBeGreaterThan(0)
    const paid = success(await payCodeOf(orderNo), '700.00')
    desk.truth.set(ref, paid)
    expect(await desk.worker.drain()).toBe(0)
    desk.clock.advance(61_000)
    await desk.worker.drain()
    expect(await flowOf(paid.serialNo)).toMatchObject({ flowStatus: 'exhausted', amount: '700.00' })
  })

  it('is believed late when the network did not know it at first', async () => {
    const orderNo = await desk.order()
    const ref = refOf()
    expect(await desk.hear(ref, { status: 'SUCCESSFUL', amount: '800' })).toBe('forged')
    const paid = success(await payCodeOf(orderNo), '800.00')
    desk.truth.set(ref, paid)
    desk.clock.advance(16_000)
    await desk.worker.drain()
    expect((await flowOf(paid.serialNo))?.orderNos).toEqual([orderNo])
  })
})
