import { sql } from 'kysely'
import { beforeEach, describe, expect, it } from 'vitest'
import { contract } from '../../../../core/contract/contract.ts'
import type { InputOf } from '../../../../core/contract/endpoint.ts'
import { text } from '../../../../core/i18n/server.ts'
import { deskForTests } from '../../../testing/suites.ts'

const { repay } = contract
type Form = InputOf<typeof repay.trial>

const { desk, officer } = await deskForTests()
let orderNo: string
beforeEach(async () => {
  orderNo = await desk.order()
})

const settle = (...flows: Form['flows']): Form => ({ orderNo, repayType: 'settle', flows })
const partial = (...flows: Form['flows']): Form => ({ orderNo, repayType: 'partial', flows })
const trial = (form: Form, as = officer) => desk.call(repay.trial, form, { as })
const counts = () =>
  desk.rows(
    sql`select (select count(*) from repay_flow) as flows, (select count(*) from repay_record) as records, (select count(*) from journal) as journals`,
  )

describe('what is written off', () => {
  it('after-loan 6: settles: every journal of it, exactly', async () => {
    const flows = [desk.typed('200000.00'), desk.typed('30000.00')]
    const tried = await trial(settle(...flows))
    expect(tried.data).toMatchObject({
      settleAmount: '230000.00',
      received: '230000.00',
      overflow: '0.00',
      outstandingAfter: '0.00',
      orderStatusAfter: 'settled',
      refusal: null,
      valueDate: '2026-03-02',
      applied: {
        principal: '200000.00',
        interest: '28000.00',
        managementFee: '2000.00',
        serviceFee: '0.00',
        lateFee: '0.00',
      },
      flags: { confirmGreater: true, confirmLess: false },
    })
    const done = await desk.pay(officer, settle(...flows))
    expect(done.data).toMatchObject({ amount: '230000.00', outstanding: '0.00', orderStatus: 'settled' })

    const { order, bills, records, flows: used, journals, balances } = await desk.detail(officer, orderNo)
    expect(order).toMatchObject({
      orderStatus: 'settled',
      settleAmount: '0.00',
      paidAmount: '230000.00',
      installmentsPaid: 2,
      settledTime: desk.clock.now().toISOString(),
    })
    expect(bills.map(bill => [bill.billStatus, bill.left])).toEqual([
      ['paid', '0.00'],
      ['paid', '0.00'],
    ])
    expect(records).toMatchObject([
      {
        repayType: 'settle',
        recordStatus: 'posted',
        newest: true,
        applied: tried.data.applied,
        flows: [{ writeOffAmount: '200000.00' }, { writeOffAmount: '30000.00' }],
      },
    ])
    expect(used.map(flow => [flow.flowStatus, flow.remaining, flow.orderNos, flow.isrecord])).toEqual([
      ['exhausted', '0.00', [orderNo], true],
      ['exhausted', '0.00', [orderNo], true],
    ])
    expect(balances.slice(0, 4).map(row => row.balance)).toEqual(['0.00', '0.00', '0.00', '0.00'])
    const sums = (code: string, side: 'debit' | 'credit') =>
      Object.fromEntries(
        journals
          .filter(journal => journal.postingCode === code)
          .flatMap(journal => journal.lines)
          .filter(line => line[side] !== '0.00')
          .map(line => [line.accountCode.split(':')[0], 0]),
      )
    expect(Object.keys(sums('P4', 'credit'))).toEqual(['fee_rcv', 'interest_rcv', 'principal'])
    expect(Object.keys(sums('P4', 'debit'))).toEqual(['suspense'])
    expect(Object.keys(sums('P2c', 'credit'))).toEqual(['fee_income', 'interest_income'])
    const audit = await desk.rows(sql`select action, actor, after from audit_log where order_no = ${orderNo}`)
    expect(audit).toMatchObject([
      { action: 'repay.commit', actor: officer.userNo, after: { orderStatus: 'settled', outstanding: '0.00' } },
    ])
  })

  it('pays the oldest bill first, in the product’s order, and keeps the rest open', async () => {
    const done = await desk.pay(officer, partial(desk.typed('115500.00')))
    expect(done.data).toMatchObject({ outstanding: '114500.00', orderStatus: 'funds_disbursed' })
    const { bills, order } = await desk.detail(officer, orderNo)
    expect(bills.map(bill => [bill.billStatus, bill.left])).toEqual([
      ['paid', '0.00'],
      ['partial', '114500.00'],
    ])
    expect(bills[1]?.paid).toMatchObject({ managementFee: '500.00', interest: '0.00', principal: '0.00' })
    expect(order).toMatchObject({
      settleAmount: '114500.00',
      outstandingFee: '500.00',
      outstandingPrincipal: '100000.00',
      installmentsPaid: 1,
      dueDate: '2026-03-16',
    })
  })

  it('holds for the customer what is more than owed', async () => {
    const done = await desk.pay(officer, settle(desk.typed('240000.00')))
    expect(done.data).toMatchObject({ amount: '240000.00', outstanding: '0.00', orderStatus: 'settled' })
    const { order, balances, records } = await desk.detail(officer, orderNo)
    expect(order.overflowAmount).toBe('10000.00')
    expect(records[0]?.overflowAmount).toBe('10000.00')
    expect(balances.at(-1)).toMatchObject({ balance: '10000.00' })
    const more = await desk.pay(officer, { orderNo, repayType: 'overpayment', flows: [desk.typed('5000.00')] })
    expect(more.data).toMatchObject({ orderStatus: 'settled', outstanding: '0.00' })
    expect((await desk.detail(officer, orderNo)).order.overflowAmount).toBe('15000.00')
  })

  it('gives the repaid principal back to the credit limit', async () => {
    const limit = async () =>
      (
        await desk.rows(
          sql<{
            left: string
          }>`select remaining_limit as left from customer join loan_order using (customer_no) where order_no = ${orderNo}`,
        )
      )[0]?.left
    expect(await limit()).toBe('800000.00')
    await desk.pay(officer, partial(desk.typed('65000.00')))
    expect(await limit()).toBe('850000.00')
  })

  it('uses part of a received flow, then the rest of it', async () => {
    const flow = await desk.arrived(orderNo, '100000.00')
    const picked = (writeOffAmount: string) => ({ ...flow, writeOffAmount })
    expect((await desk.pay(officer, partial(picked('60000.00')))).code).toBe(0)
    expect((await desk.detail(officer, orderNo)).flows).toMatchObject([
      { flowStatus: 'partly_used', remaining: '40000.00' },
    ])
    expect(await desk.pay(officer, partial(picked('40000.01')))).toMatchObject({ code: 40001, msg: 'Limit exceeded' })
    expect((await desk.pay(officer, partial(picked('40000.00')))).code).toBe(0)
    expect(await desk.pay(officer, partial(picked('1.00')))).toMatchObject({
      code: 40001,
      msg: 'A receipt with a zero write-off amount cannot be written off again',
    })
  })
})

describe('what is refused, and how it is said', () => {
  const said = async (form: Form, as = officer) => {
    const before = await counts()
    const { code, msg, data } = await trial(form, as)
    const committed = await desk.call(repay.commit, { ...form, version: 999, trialKey: 'x' }, { as })
    expect(committed.code).not.toBe(0)
    expect(await counts()).toEqual(before)
    return { code, msg, refusal: data && 'refusal' in data ? data.refusal : null, committed }
  }

  it('after-loan 10: rows without an amount, and a form without rows', async () => {
    const answer = await said(partial(desk.typed('0.00')))
    expect(answer).toMatchObject({
      code: 40001,
      msg: text('en', 'validation.writeOffIncomplete'),
      committed: { data: { fields: [{ path: 'flows.0.amount' }, { path: 'flows.0.writeOffAmount' }] } },
    })
    expect((await said(settle())).committed).toMatchObject({
      code: 40001,
      msg: text('en', 'validation.writeOffIncomplete'),
    })
    expect(await trial(settle())).toMatchObject({ code: 0, data: { settleAmount: '230000.00', refusal: null } })
    expect((await said(partial(desk.typed('1000.00', { paymentCode: '' })))).committed).toMatchObject({
      code: 40001,
      data: { fields: [{ path: 'flows.0.paymentCode' }] },
    })
  })

  it('after-loan 10: a number twice, an empty one, one that is an order number', async () => {
    expect(
      await said(partial(desk.typed('10.00', { serialNo: 'TWICE' }), desk.typed('10.00', { serialNo: 'TWICE' }))),
    ).toMatchObject({ code: 40001, msg: 'The transaction number must not repeat' })
    expect(await said(partial(desk.typed('10.00', { serialNo: '  ' })))).toMatchObject({
      code: 40001,
      msg: 'The serial number must be entered',
    })
    expect(await said(partial(desk.typed('10.00', { serialNo: orderNo })))).toMatchObject({
      code: 40001,
      msg: 'The serial number cannot be the order number',
    })
  })

  it('a number that was written off, that exists, or that has another amount', async () => {
    await desk.pay(officer, partial(desk.typed('50000.00', { serialNo: `USED-${orderNo}` })))
    expect(await said(partial(desk.typed('50000.00', { serialNo: `USED-${orderNo}` })))).toMatchObject({
      code: 40001,
      msg: 'Serial number already written off',
    })
    const serialNo = `KNOWN-${orderNo}`
    const saved = await desk.call(
      repay.flowSave,
      {
        paymentChannel: 'mtn_momo',
        serialNo,
        amount: '700.00',
        entryTime: desk.clock.now().toISOString(),
        fundAccountNo: 'FA1',
      },
      { as: officer },
    )
    expect((await said(partial(desk.typed('700.00', { serialNo })))).msg).toBe(
      text('en', 'errors.serialKnown', { flowNo: saved.data.flowNo }),
    )
    expect((await said(partial(desk.typed('701.00', { serialNo })))).msg).toBe(
      text('en', 'errors.serialOtherAmount', { flowNo: saved.data.flowNo, known: '700.00', given: '701.00' }),
    )
    expect((await said(partial(desk.typed('700.00', { serialNo, flowNo: 'FLNOWHERE' })))).msg).toBe(
      'Serial number not found',
    )
    expect((await said(partial(desk.typed('700.00', { serialNo, flowNo: saved.data.flowNo })))).code).toBe(40901)
    expect((await trial(partial(desk.typed('700.00', { serialNo, paymentChannel: 'airtel_money' })))).code).toBe(0)
  })

  it('more of a flow than it is', async () => {
    expect(await said(partial(desk.typed('100.00', { writeOffAmount: '100.01' })))).toMatchObject({
      code: 40001,
      msg: 'Limit exceeded',
    })
  })

  it('a date before the payout, before the money, or to come', async () => {
    await desk.at('2026-03-04')
    const before = desk.typed('100.00', { entryTime: '2026-03-01T10:00:00Z' })
    expect(await said(partial(before))).toMatchObject({ code: 40001, msg: text('en', 'validation.dateBeforeLoan') })
    const late = desk.typed('100.00', { entryTime: '2026-03-04T08:00:00Z' })
    expect(await said(partial(late))).toMatchObject({ code: 40001, msg: text('en', 'validation.dateInFuture') })
    const now = desk.typed('100.00')
    expect(await said({ ...partial(now), valueDate: '2026-03-01' })).toMatchObject({
      code: 40001,
      msg: text('en', 'validation.dateBeforeLoan'),
    })
    expect(await said({ ...partial(now), valueDate: '2026-03-03' })).toMatchObject({
      code: 40001,
      msg: text('en', 'errors.valueDateBeforeArrival'),
    })
    expect((await said({ ...partial(now), valueDate: '2026-03-05' })).committed).toMatchObject({
      code: 40001,
      msg: text('en', 'validation.dateInFuture'),
    })
    expect((await trial({ ...partial(now), valueDate: '2026-05-04' })).msg).toBe(
      text('en', 'validation.dateTooFar', { days: 60 }),
    )
  })

  it('a settlement below the payout, below what is due, a partial that would settle', async () => {
    expect((await said(settle(desk.typed('189999.99')))).refusal).toBe(
      'The write-off amount must be at least the actual loan amount',
    )
    expect((await said(settle(desk.typed('229000.00')))).refusal).toBe(text('en', 'errors.shortfallNotCovered'))
    expect((await said(partial(desk.typed('230000.00')))).refusal).toBe(
      'The amount already meets the settlement amount, choose settle',
    )
    expect((await said({ orderNo, repayType: 'overpayment', flows: [desk.typed('1000.00')] })).refusal).toBe(
      text('en', 'errors.notOverpayment'),
    )
    const refused = await desk.pay(officer, settle(desk.typed('189999.99')))
    expect(refused).toMatchObject({ code: 40001, msg: 'The write-off amount must be at least the actual loan amount' })
  })

  it('in three languages', async () => {
    const form = partial(desk.typed('10.00', { serialNo: orderNo }))
    const words = await Promise.all(
      (['zh', 'en', 'sw'] as const).map(
        async language => (await desk.call(repay.trial, form, { as: officer, language })).msg,
      ),
    )
    expect(words).toEqual([
      '流水号不能是订单号',
      'The serial number cannot be the order number',
      expect.stringContaining('Namba'),
    ])
  })

  it('an order that is settled, unknown, or whose payout is being taken back', async () => {
    await desk.pay(officer, settle(desk.typed('230000.00')))
    expect(await said(partial(desk.typed('10.00')))).toMatchObject({
      code: 40901,
      msg: expect.stringContaining('Settled'),
    })
    expect((await trial({ ...partial(desk.typed('10.00')), orderNo: 'LONONE' })).code).toBe(40401)
    const other = await desk.order()
    await desk.exec(
      sql`update loan_code set loan_code_status = case when set_config('app.transition', 'on', true) = 'on' then 'reversing' end where order_no = ${other}`,
    )
    expect((await trial({ ...partial(desk.typed('10.00')), orderNo: other })).msg).toBe(
      text('en', 'errors.payoutReversing'),
    )
    await desk.exec(
      sql`update loan_code set loan_code_status = case when set_config('app.transition', 'on', true) = 'on' then 'success' end where order_no = ${other}`,
    )
  })
})
