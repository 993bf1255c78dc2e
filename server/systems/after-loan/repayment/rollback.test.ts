import { sql } from 'kysely'
import { beforeEach, describe, expect, it } from 'vitest'
import { contract } from '../../../../core/contract/contract.ts'
import { text } from '../../../../core/i18n/server.ts'
import { officerPerms } from '../../../testing/repay-desk.ts'
import { deskForTests } from '../../../testing/suites.ts'

const { repay, common } = contract

const { desk, officer } = await deskForTests()
let orderNo: string
beforeEach(async () => {
  await desk.at('2026-03-02')
  orderNo = await desk.order()
})

const settled = async (...amounts: string[]) => {
  const flows = amounts.map(amount => desk.typed(amount))
  const done = await desk.pay(officer, { orderNo, repayType: 'settle', flows })
  expect(done.code).toBe(0)
  return { ...done.data, flows }
}
const paid = async (amount: string) =>
  (await desk.pay(officer, { orderNo, repayType: 'partial', flows: [desk.typed(amount)] })).data.repaymentNo
const ask = (repaymentNo: string, as = officer) =>
  desk.call(repay.rollback, { repaymentNo, version: 0, reason: 'wrong order' }, { as })
const amountsOf = (bills: { paid: unknown; waived: unknown; due: unknown; billStatus: string }[]) =>
  bills.map(({ paid: p, waived, due, billStatus }) => ({ p, waived, due, billStatus }))

describe('a rollback', () => {
  it('after-loan 12: puts everything back: order, bills, flows, overflow, ledger', async () => {
    const before = await desk.detail(officer, orderNo)
    const { repaymentNo } = await settled('200000.00', '35000.00')
    const answer = await desk.rollback(officer, repaymentNo)
    expect(answer).toMatchObject({ code: 0, data: { approvalStatus: 'executed' } })
    const after = await desk.detail(officer, orderNo)
    expect(after.order).toMatchObject({
      orderStatus: 'funds_disbursed',
      settleAmount: '230000.00',
      overflowAmount: '0.00',
      paidAmount: '0.00',
      settledTime: null,
    })
    expect(amountsOf(after.bills)).toEqual(amountsOf(before.bills))
    expect(after.balances.slice(0, 4)).toEqual(before.balances.slice(0, 4))
    expect(after.flows.map(flow => [flow.flowStatus, flow.remaining])).toEqual([
      ['available', '200000.00'],
      ['available', '35000.00'],
    ])
    expect(after.records).toMatchObject([{ repaymentNo, recordStatus: 'rolled_back', newest: false }])
    const posted = after.journals.filter(journal => journal.cause === `repay_record:${repaymentNo}`)
    const reversed = new Set(posted.map(journal => journal.reversesJournalNo))
    expect(
      posted.filter(journal => journal.postingCode !== 'P-REV').every(journal => reversed.has(journal.journalNo)),
    ).toBe(true)
    expect(await desk.broken()).toEqual([])
  })

  it('leaves what earlier records paid', async () => {
    const first = await paid('50000.00')
    const second = await paid('70000.00')
    expect(await ask(first)).toMatchObject({ code: 40901, msg: `Roll back the later repayment ${second} first` })
    expect((await desk.rollback(officer, second)).code).toBe(0)
    const { bills, order } = await desk.detail(officer, orderNo)
    expect(bills.map(bill => [bill.billStatus, bill.left])).toEqual([
      ['partial', '65000.00'],
      ['pending', '115000.00'],
    ])
    expect(order.paidAmount).toBe('50000.00')
    expect((await desk.rollback(officer, first)).code).toBe(0)
    expect((await desk.detail(officer, orderNo)).bills.map(bill => bill.billStatus)).toEqual(['pending', 'pending'])
  })

  it('after-loan 12: charges the penalties that the record had stopped, and reopens with the overdue days of today', async () => {
    await desk.until('2026-03-10')
    const { repaymentNo } = await settled('231725.00')
    await desk.until('2026-03-13')
    expect((await desk.rollback(officer, repaymentNo)).data).toMatchObject({ approvalStatus: 'executed' })
    const { order, bills } = await desk.detail(officer, orderNo)
    expect(order).toMatchObject({ orderStatus: 'funds_disbursed', overdueDays: 4, outstandingPenalty: '6900.00' })
    expect(bills[0]).toMatchObject({ due: { lateFee: '6900.00' }, overdueDays: 4 })
    expect(await desk.broken()).toEqual([])
    const again = await settled('236900.00')
    expect(again.orderStatus).toBe('settled')
  })

  it('lets the money be written off again', async () => {
    const { repaymentNo, flows } = await settled('230000.00')
    await desk.rollback(officer, repaymentNo)
    const [flow] = (await desk.detail(officer, orderNo)).flows
    const other = await desk.order()
    const picked = desk.typed('230000.00', { flowNo: flow?.flowNo, serialNo: flows[0]?.serialNo })
    expect((await desk.pay(officer, { orderNo: other, repayType: 'settle', flows: [picked] })).code).toBe(0)
  })
})

describe('a rollback is refused', () => {
  it('after-loan 12: a second time', async () => {
    const { repaymentNo } = await settled('230000.00')
    await desk.rollback(officer, repaymentNo)
    expect((await ask(repaymentNo)).code).toBe(40901)
  })

  it('after-loan 12: of one of its flows: the whole record is demanded, and then both are free', async () => {
    const { repaymentNo } = await settled('200000.00', '30000.00')
    const [one, other] = (await desk.detail(officer, orderNo)).flows
    const flowNo = String(one?.flowNo)
    const clerk = await desk.officer({ perms: [...officerPerms, 'repay:flow:void'] })
    const version = Number(one?.version)
    expect(await desk.call(repay.flowVoid, { flowNo, version, reason: 'only this' }, { as: clerk })).toMatchObject({
      code: 40901,
      msg: text('en', 'errors.flowInUse'),
    })
    const part = { repaymentNo, flowNo, version: 0, reason: 'only this' } as never
    expect(await desk.call(repay.rollback, part, { as: officer })).toMatchObject({ code: 40001 })
    expect((await desk.rollback(officer, repaymentNo)).data).toMatchObject({ approvalStatus: 'executed' })
    const { flows } = await desk.detail(officer, orderNo)
    expect(flows.map(flow => [flow.flowNo, flow.flowStatus]).sort()).toEqual(
      [one, other].map(flow => [flow?.flowNo, 'available']).sort(),
    )
    expect((await ask(repaymentNo)).code).toBe(40901)
  })

  it('while one is asked for, and by the person who asked', async () => {
    const { repaymentNo } = await settled('230000.00')
    const both = await desk.officer({ perms: [...officerPerms, 'postloan:rollback:full:check'] })
    const asked = await ask(repaymentNo, both)
    expect((await ask(repaymentNo)).msg).toBe(text('en', 'errors.approvalWaits'))
    expect((await desk.detail(officer, orderNo)).records[0]?.pendingApproval).toBe(asked.data.approvalNo)
    expect(
      await desk.call(common.approve, { approvalNo: asked.data.approvalNo, version: 0 }, { as: both }),
    ).toMatchObject({ code: 40301, msg: text('en', 'errors.makerChecker') })
  })

  it('when it is too old', async () => {
    const { repaymentNo } = await settled('230000.00')
    await desk.at('2026-04-02')
    expect(await ask(repaymentNo)).toMatchObject({
      code: 40901,
      msg: 'A repayment older than 30 days cannot be rolled back',
    })
    await desk.exec(sql`insert into business_config (config_key, config_value) values ('coll.rollback.maxDays', '60')`)
    expect((await ask(repaymentNo)).code).toBe(0)
    await desk.exec(sql`delete from business_config`)
  })

  it('when its overflow was used, or is held by a refund', async () => {
    const { repaymentNo } = await settled('240000.00')
    await desk.exec(
      sql`update overpayment set reserved = 1 where customer_no = (select customer_no from loan_order where order_no = ${orderNo})`,
    )
    expect(await ask(repaymentNo)).toMatchObject({ code: 40901, msg: text('en', 'errors.overflowPromised') })
    await desk.exec(sql`update overpayment set reserved = 0`)
    const [{ customerNo }] = (await desk.rows(
      sql<{ customerNo: string }>`select customer_no from loan_order where order_no = ${orderNo}`,
    )) as [{ customerNo: string }]
    const second = await desk.order({ customerNo })
    const asked = await ask(repaymentNo)
    const version = (await desk.detail(officer, second)).order.version
    expect(
      (await desk.call(repay.reuseOverflow, { orderNo: second, version, amount: '10000.00' }, { as: officer })).code,
    ).toBe(0)
    expect(await desk.agree(asked.data.approvalNo)).toMatchObject({
      code: 0,
      data: { approvalStatus: 'failed', reason: text('en', 'errors.overflowPromised') },
    })
    expect((await desk.detail(officer, orderNo)).order.orderStatus).toBe('settled')
  })

  it('of another version, unknown, or without the right', async () => {
    const repaymentNo = await paid('1000.00')
    expect((await desk.call(repay.rollback, { repaymentNo, version: 5, reason: 'x' }, { as: officer })).code).toBe(
      40902,
    )
    expect((await ask('RPNONE')).code).toBe(40401)
    const reader = await desk.officer({ perms: ['repay:order:page'] })
    expect((await ask(repaymentNo, reader)).code).toBe(40301)
    const gulu = await desk.officer({ limit: 'own_merchants', merchants: ['M2'] })
    expect((await ask(repaymentNo, gulu)).code).toBe(40401)
  })
})
