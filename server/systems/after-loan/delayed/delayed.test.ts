import { beforeEach, describe, expect, it } from 'vitest'
import { contract } from '../../../../core/contract/contract.ts'
import { runInvariants } from '../../../invariants/invariants.ts'
import { readyFile } from '../../../testing/ready-file.ts'
import { officerPerms } from '../../../testing/repay-desk.ts'
import { deskForTests } from '../../../testing/suites.ts'

const { delayed } = contract
const perms = [...officerPerms, 'postloan:repay:delayedApply', 'postloan:repay:delayedAudit']

const { desk } = await deskForTests()
const maker = await desk.officer({ perms })
let orderNo: string
let flowNo: string
beforeEach(async () => {
  await desk.at('2026-03-02')
  orderNo = await desk.order()
  // The first instalment is due on the ninth; the customer pays then, and the money is there four days later.
  await desk.until('2026-03-13')
  const flow = await desk.arrived(orderNo, '60000.00')
  flowNo = String(flow.flowNo)
})

const claim = (claimedDate = '2026-03-09') => ({ flowNo, orderNo, claimedDate })
const apply = async (claimedDate?: string) =>
  desk.call(
    delayed.apply,
    { ...claim(claimedDate), attachNos: [await readyFile(desk.db, maker.userNo)] },
    { as: maker },
  )
const audit = async (delayNo: string, more: Record<string, unknown> = {}, as?: typeof maker) =>
  desk.call(delayed.audit, { delayNo, version: 0, decision: 'pass', ...more } as never, {
    as: as ?? (await desk.officer({ perms })),
  })

describe('money that arrived late', () => {
  it('counts from the day of payment once a second person agrees: penalties since then are given back', async () => {
    const late = await desk.detail(maker, orderNo)
    expect(Number(late.bills[0]?.due.lateFee)).toBeGreaterThan(0)
    const foreseen = await desk.call(delayed.check, claim(), { as: maker })
    expect(Number(foreseen.data.reversedPenalty)).toBeGreaterThan(0)
    const { data } = await apply()
    expect(await audit(data.delayNo, {}, maker)).toMatchObject({ code: 40301 })
    const done = await audit(data.delayNo)
    expect(done).toMatchObject({ code: 0, data: { delayStatus: 'passed', orderStatus: 'funds_disbursed' } })
    const { bills, records } = await desk.detail(maker, orderNo)
    expect(records).toMatchObject([
      { repaymentNo: done.data.repaymentNo, repayType: 'partial', valueDate: '2026-03-09', amount: '60000.00' },
    ])
    expect(Number(bills[0]?.due.lateFee)).toBeLessThan(Number(late.bills[0]?.due.lateFee))
    expect(await desk.db.read(runInvariants)).toEqual([])
  })

  it('contests the penalties since the claimed day for as long as it waits, while more are charged', async () => {
    const { data } = await apply('2026-03-10')
    const contested = async () => {
      const { list } = (await desk.call(delayed.page, { delayNo: data.delayNo }, { as: maker })).data
      const { bills } = await desk.detail(maker, orderNo)
      return [list[0]?.contestedPenalty, bills[0]?.contestedPenalty]
    }
    const [now, ofBill] = await contested()
    expect(Number(now)).toBeGreaterThan(0)
    expect(ofBill).toBe(now)
    const { reversedPenalty } = (await desk.call(delayed.check, claim('2026-03-10'), { as: maker })).data
    // What the money does not pay is charged again, so less than all of it is given back.
    expect(Number(reversedPenalty)).toBeGreaterThan(0)
    expect(Number(reversedPenalty)).toBeLessThanOrEqual(Number(now))
    await desk.until('2026-03-14')
    const [later] = await contested()
    expect(Number(later)).toBeGreaterThan(Number(now))
    expect((await audit(data.delayNo)).code).toBe(0)
    expect(await contested()).toEqual(['0.00', '0.00'])
    const second = await desk.order()
    orderNo = second
    expect((await desk.detail(maker, second)).bills[0]?.contestedPenalty).toBe('0.00')
  })

  it('is refused for a day before the due date, after the arrival, or more than a week back', async () => {
    for (const day of ['2026-03-08', '2026-03-14'])
      expect(await apply(day)).toMatchObject({ code: 40001, data: { fields: [{ path: 'claimedDate' }] } })
    await desk.until('2026-03-20')
    flowNo = String((await desk.arrived(orderNo, '60000.00')).flowNo)
    expect(await apply('2026-03-12')).toMatchObject({ code: 40001, data: { fields: [{ path: 'claimedDate' }] } })
    expect((await apply('2026-03-13')).code).toBe(0)
  })

  it('waits once per receipt, is rejected with a reason, withdrawn by who asked, and not passed when the receipt was used', async () => {
    const first = await apply()
    expect(await apply()).toMatchObject({ code: 40901 })
    expect(await audit(first.data.delayNo, { decision: 'reject' })).toMatchObject({ code: 40001 })
    expect((await audit(first.data.delayNo, { decision: 'reject', reason: 'paid on the 12th' })).code).toBe(0)
    const second = await apply()
    const other = await desk.officer({ perms })
    const back = (as: typeof maker) => desk.call(delayed.withdraw, { delayNo: second.data.delayNo, version: 0 }, { as })
    expect(await back(other)).toMatchObject({ code: 40901 })
    expect((await back(maker)).code).toBe(0)
    const third = await apply()
    const [flow] = (await desk.detail(maker, orderNo)).flows
    const line = { ...flow, entryTime: flow?.entryTime, writeOffAmount: '10000.00' }
    const { paymentCode, paymentChannel, serialNo, amount, entryTime, writeOffAmount } = line as never as Record<
      string,
      string
    >
    const flows = [{ flowNo, paymentCode, paymentChannel, serialNo, amount, entryTime, writeOffAmount }]
    await desk.pay(maker, { orderNo, repayType: 'partial', flows: flows as never })
    expect(await audit(third.data.delayNo)).toMatchObject({ code: 40901 })
  })
})
