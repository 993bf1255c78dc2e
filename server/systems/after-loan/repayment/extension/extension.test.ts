import { sql } from 'kysely'
import { beforeEach, describe, expect, it } from 'vitest'
import { contract } from '../../../../../core/contract/contract.ts'
import { runInvariants } from '../../../../invariants/invariants.ts'
import { deskForTests } from '../../../../testing/suites.ts'

const { repay } = contract
const extension = { feeRate: '10', days: 7, max: 2, maxOverdueDays: 10 }

const { desk, officer } = await deskForTests()
let orderNo: string
beforeEach(async () => {
  await desk.at('2026-03-02')
  orderNo = await desk.order({ terms: { extension } })
})

const offerOf = async () => {
  const { data } = await desk.call(repay.trial, { orderNo, repayType: 'extension', flows: [] }, { as: officer })
  return data.extension
}
const extend = (amount: string, more = {}) =>
  desk.pay(officer, { orderNo, repayType: 'extension', flows: [desk.typed(amount, more)] })
const quote = async () => {
  const { version } = (await desk.detail(officer, orderNo)).order
  return desk.call(repay.extensionQuote, { orderNo, version }, { as: officer })
}
const standing = async () => {
  const { order, bills, balances, extensions } = await desk.detail(officer, orderNo)
  const { settleAmount, overdueDays, paidAmount, extensionCount } = order
  return {
    order: { settleAmount, overdueDays, paidAmount, extensionCount },
    bills: bills
      .filter(bill => bill.billStatus !== 'cancelled')
      .map(({ installmentNo, billStatus, dueDate, left, due, paid }) => ({
        installmentNo,
        billStatus,
        dueDate,
        left,
        due,
        paid,
      })),
    balances,
    extensions: extensions.map(one => one.extensionStatus).sort(),
  }
}
const sound = async () => {
  expect(await desk.broken()).toEqual([])
  expect(await desk.db.read(runInvariants)).toEqual([])
}

describe('putting the oldest bill off', () => {
  it('takes the fee and all that is due but the principal, which a successor owes a week later', async () => {
    const before = await desk.detail(officer, orderNo)
    const [first] = before.bills
    const offer = await offerOf()
    expect(offer).toMatchObject({ billNo: first?.billNo, extensionCount: 1, extensionsAllowed: 2 })
    const done = await extend(String(offer?.amount))
    expect(done.code).toBe(0)
    const { bills, order, records, extensions, journals } = await desk.detail(officer, orderNo)
    const own = bills.filter(bill => bill.installmentNo === first?.installmentNo)
    expect(own).toMatchObject([
      { billNo: first?.billNo, billStatus: 'extended', extended: true, left: '0.00', extensionCount: 0 },
      { billStatus: 'pending', dueDate: offer?.newDueDate, left: first?.due.principal, extensionCount: 1 },
    ])
    expect(own[1]?.due).toMatchObject({ interest: '0.00', serviceFee: '0.00', lateFee: '0.00' })
    expect(order.extensionCount).toBe(1)
    expect(records).toMatchObject([
      { repayType: 'extension', extensionFee: offer?.extensionFee, overflowAmount: '0.00' },
    ])
    expect(extensions).toMatchObject([
      { extensionStatus: 'effective', amount: offer?.amount, repaymentNo: done.data.repaymentNo },
    ])
    const [posted] = journals.filter(journal => journal.postingCode === 'P6')
    expect(posted?.lines.find(line => line.accountCode === 'extension_income')).toMatchObject({
      credit: offer?.extensionFee,
    })
    await sound()
  })

  it('holds what is over its price for the customer, and refuses what is under it', async () => {
    const { amount = '' } = (await offerOf()) ?? {}
    expect(await extend(String(Number(amount) - 1))).toMatchObject({ code: 40001 })
    expect((await extend((Number(amount) + 500).toFixed(2))).code).toBe(0)
    expect((await desk.detail(officer, orderNo)).order.overflowAmount).toBe('500.00')
    await sound()
  })

  it('after-loan 7: is rolled back to the shilling, whatever happened to the successor meanwhile', async () => {
    await desk.until('2026-03-11')
    const before = await standing()
    const offer = await offerOf()
    const done = await extend(String(offer?.amount))
    expect(done.code).toBe(0)
    expect((await desk.rollback(officer, done.data.repaymentNo)).code).toBe(0)
    expect(await standing()).toEqual({ ...before, extensions: ['rolled_back'] })
    await sound()
    const again = await extend(String(offer?.amount))
    expect(again.code).toBe(0)
    // The successor falls due and is charged; then all of it is taken back, and the old bill is as late as it would be.
    await desk.until('2026-03-21')
    await sound()
    expect((await desk.rollback(officer, again.data.repaymentNo)).code).toBe(0)
    const { bills, order } = await desk.detail(officer, orderNo)
    expect(
      bills
        .filter(bill => bill.installmentNo === 1)
        .map(bill => bill.billStatus)
        .sort(),
    ).toEqual(['cancelled', 'cancelled', 'pending'])
    expect(order.overdueDays).toBe(12)
    await sound()
  })

  it('counts from the day the money came: penalties since then are taken back', async () => {
    await desk.until('2026-03-13')
    const late = await desk.detail(officer, orderNo)
    const entryTime = '2026-03-10T08:00:00Z'
    const { data } = await desk.call(
      repay.trial,
      { orderNo, repayType: 'extension', valueDate: '2026-03-10', flows: [] },
      { as: officer },
    )
    const { amount = '', newDueDate } = data.extension ?? {}
    expect(newDueDate).toBe('2026-03-16')
    const flow = await desk.arrived(orderNo, amount, { entryTime })
    const done = await desk.pay(officer, { orderNo, repayType: 'extension', flows: [flow] })
    expect(done.code).toBe(0)
    const { bills, order } = await desk.detail(officer, orderNo)
    expect(Number(bills[0]?.due.lateFee)).toBeLessThan(Number(late.bills[0]?.due.lateFee))
    expect(order.overdueDays).toBe(0)
    await sound()
  })

  it('is possible so many times, not too late, and not to a day that has passed', async () => {
    orderNo = await desk.order({ terms: { extension, installmentCount: 1 } })
    for (const n of [1, 2]) {
      const offer = await offerOf()
      expect(offer?.extensionCount).toBe(n)
      expect((await extend(String(offer?.amount))).code).toBe(0)
    }
    expect(await extend('90000.00')).toMatchObject({ code: 40001 })
    expect(await quote()).toMatchObject({ code: 40901 })
    await sound()
    orderNo = await desk.order({ terms: { extension: { feeRate: '10', days: 7, max: 2 } } })
    await desk.until('2026-03-15')
    expect(await offerOf()).not.toBeNull()
    await desk.until('2026-03-16')
    expect(await offerOf()).toBeNull()
    expect(await quote()).toMatchObject({ code: 40901 })
  })
})

describe('a quote', () => {
  it('is made once, comes into force when it is paid, and ends with its day or by who made it', async () => {
    const made = await quote()
    expect(made).toMatchObject({ code: 0, data: { amount: (await offerOf())?.amount } })
    expect(await quote()).toMatchObject({ code: 40901 })
    const second = await desk.officer()
    const cancel = (as: typeof officer) =>
      desk.call(repay.extensionCancel, { billExtensionNo: made.data.billExtensionNo, version: 0 }, { as })
    expect(await cancel(second)).toMatchObject({ code: 40901 })
    expect((await cancel(officer)).code).toBe(0)
    const next = await quote()
    expect(next.code).toBe(0)
    expect((await extend(next.data.amount)).code).toBe(0)
    expect((await standing()).extensions).toEqual(['cancelled', 'effective'])
    expect((await quote()).code).toBe(0)
    await desk.until('2026-03-03')
    expect((await standing()).extensions).toEqual(['cancelled', 'effective', 'expired'])
    await sound()
  })

  it('of yesterday that the day-end has not ended gives way to one of today', async () => {
    expect((await quote()).code).toBe(0)
    await desk.at('2026-03-03')
    const offer = await offerOf()
    expect((await extend(String(offer?.amount))).code).toBe(0)
    expect((await standing()).extensions).toEqual(['effective', 'expired'])
    await sound()
  })
})

it('after-loan 7: a part that equals the price of an extension is asked about', async () => {
  const { amount = '' } = (await offerOf()) ?? {}
  const flow = await desk.arrived(orderNo, amount)
  const form = { orderNo, repayType: 'partial' as const, flows: [flow] }
  const { data } = await desk.call(repay.trial, form, { as: officer })
  expect(data.flags.confirmNotExtension).toBe(true)
  const [{ version } = { version: 0 }] = await desk.rows(
    sql<{ version: number }>`select version from loan_order where order_no = ${orderNo}`,
  )
  const given = { ...form, version, trialKey: data.trialKey }
  expect(await desk.call(repay.commit, given, { as: officer })).toMatchObject({ code: 40002 })
  expect((await desk.call(repay.commit, { ...given, confirmNotExtension: true }, { as: officer })).code).toBe(0)
})

describe('a rollback that makes another kind of repayment of the same receipts', () => {
  it('makes a partial repayment an extension as of its own value date', async () => {
    const { amount = '' } = (await offerOf()) ?? {}
    const part = await desk.pay(
      officer,
      { orderNo, repayType: 'partial', flows: [desk.typed(amount)] },
      { confirmNotExtension: true },
    )
    expect(part.code).toBe(0)
    await desk.until('2026-03-05')
    expect(await desk.rollback(officer, part.data.repaymentNo, 'settle')).toMatchObject({ code: 40901 })
    expect((await desk.rollback(officer, part.data.repaymentNo, 'extension')).code).toBe(0)
    const { records, extensions, flows } = await desk.detail(officer, orderNo)
    expect(records.map(one => [one.repayType, one.recordStatus, one.valueDate, one.amount])).toEqual([
      ['extension', 'posted', '2026-03-02', amount],
      ['partial', 'rolled_back', '2026-03-02', amount],
    ])
    expect(extensions).toMatchObject([{ extensionStatus: 'effective', repaymentNo: records[0]?.repaymentNo }])
    expect(flows).toMatchObject([{ flowStatus: 'exhausted', remaining: '0.00' }])
    await sound()
  })

  it('makes an extension a settlement where its money is enough, and refuses it before anybody is asked where it is not', async () => {
    const { amount = '' } = (await offerOf()) ?? {}
    const little = await extend(amount)
    const before = await standing()
    expect((await desk.rollback(officer, little.data.repaymentNo, 'settle')).code).not.toBe(0)
    expect(await standing()).toEqual(before)
    expect((await desk.rollback(officer, little.data.repaymentNo)).code).toBe(0)
    const much = await extend('235000.00')
    expect((await desk.rollback(officer, much.data.repaymentNo, 'settle')).code).toBe(0)
    const { order, records } = await desk.detail(officer, orderNo)
    expect(order).toMatchObject({ orderStatus: 'settled', settleAmount: '0.00', overflowAmount: '5000.00' })
    expect(records[0]).toMatchObject({ repayType: 'settle', recordStatus: 'posted', amount: '235000.00' })
    await sound()
  })
})
