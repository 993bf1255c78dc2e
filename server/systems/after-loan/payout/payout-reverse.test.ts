import { sql } from 'kysely'
import { describe, expect, it } from 'vitest'
import { loan } from '../../../../core/contract/after-loan/loan.ts'
import { common } from '../../../../core/contract/common/common.ts'
import { text } from '../../../../core/i18n/server.ts'
import type { Money } from '../../../../core/rules/money.ts'
import { account } from '../../../money/ledger.ts'
import { payoutsForTests } from '../../../testing/suites.ts'
import { bookReceipt, enterFlow } from '../flow/flow-store.ts'
import { bookTick } from '../repayment/penalty.ts'
import { paidOut } from './payout-fixture.ts'
import { matchReturn } from './payout-reverse.ts'

const p = await payoutsForTests()
let maker = await p.person({ perms: ['fund:cancelPay', 'fund:payout:page'] })
const checker = await p.person({ perms: ['fund:cancelPay', 'fund:cancelPay:check'] })

const disbursed = async () => {
  const made = await p.approved()
  p.sends.push({ kind: 'success', serialNo: `MP${made.orderNo}` })
  await p.run()
  return made
}
const ask = async (loanCode: string) =>
  p.call(loan.cancelPaid, { loanCode, version: await p.versionOf(loanCode), reason: 'wrong person' }, { as: maker })
const approve = (approvalNo: string, as = checker) => p.call(common.approve, { approvalNo, version: 0 }, { as })
const reversing = async () => {
  const made = await disbursed()
  const { data } = await ask(made.loanCode)
  await approve(data.approvalNo)
  return made
}
const returned = (amount: Money, serialNo = 'RET1') =>
  p.db.withTx(async tx => {
    const flow = await enterFlow(
      tx,
      'channel.callback',
      {
        channel: 'mtn_momo',
        serialNo,
        amount,
        entryTime: tx.now.toISOString(),
        source: 'callback',
        fundAccountNo: 'FA1',
        merchantNo: 'M1',
      },
      p.actor,
    )
    await bookReceipt(tx, flow, p.actor)
    return flow
  })
const match = (flowNo: string, loanCode: string) => p.db.withTx(tx => matchReturn(tx, { flowNo }, loanCode, p.actor))
const repayment = (orderNo: string) =>
  p.db.withTx(tx =>
    tx.exec(sql`
      insert into repay_record (repayment_no, order_no, repay_type, record_status, record_seq, amount, value_date, repayment_time, posted_by, posted_name, trial, request_id)
      values (${`RR${orderNo}`}, ${orderNo}, 'partial', 'posted', 1, 1, ${tx.today}, ${tx.now}, 'x', 'x', '{}', 'x')`),
  )

describe('cancelling a payout that succeeded', () => {
  it('waits for a second person, then for the money, and then ends the loan without a trace in the books', async () => {
    const made = await disbursed()
    const { data } = await ask(made.loanCode)
    expect(await p.stateOf(made)).toEqual(['success', 'funds_disbursed'])
    expect((await p.call(loan.detail, { loanCode: made.loanCode }, { as: maker })).data.code.pendingApproval).toBe(
      data.approvalNo,
    )
    expect(await approve(data.approvalNo)).toMatchObject({ code: 0, data: { approvalStatus: 'executed' } })
    expect(await p.stateOf(made)).toEqual(['reversing', 'funds_disbursed'])

    const { flowNo } = await returned(paidOut)
    await match(flowNo, made.loanCode)
    expect(await p.stateOf(made)).toEqual(['reversed', 'cancelled'])
    expect(await p.one(sql`select array_agg(distinct bill_status) as s from repay_plan`)).toEqual({ s: ['cancelled'] })
    expect(await p.one(sql`select flow_status, applied from repay_flow`)).toEqual({
      flowStatus: 'exhausted',
      applied: paidOut,
    })
    const left = await p.db.read(tx =>
      tx.rows(sql`select account_code, balance from ledger_balance where balance <> 0 order by 1`),
    )
    expect(left).toEqual([{ accountCode: 'bank:FA1', balance: '1000000.00' }])
    expect(await p.balance(account.feeIncome)).toBe('0.00')
    expect(await p.one(sql`select remaining_limit from customer`)).toEqual({ remainingLimit: '500000.00' })
  })

  it('takes penalties back with the plan', async () => {
    const made = await reversing()
    await p.db.withTx(async tx => {
      const { billNo } = await tx.one(
        sql<{ billNo: string }>`select bill_no from repay_plan order by installment_no limit 1`,
      )
      const bill = { orderNo: made.orderNo, merchantNo: 'M1', customerNo: 'CU1', billNo, generation: 0 }
      const penalty = { businessDate: tx.today, lateFee: '150.00', liquidatedDamages: '0.00' }
      await bookTick(tx, bill, penalty, p.actor)
    })
    await match((await returned(paidOut)).flowNo, made.loanCode)
    expect(await p.balance(account.penalty(made.orderNo))).toBe('0.00')
    expect(await p.one(sql`select reversed from penalty_tick`)).toEqual({ reversed: true })
  })

  it('is not agreed to by the maker', async () => {
    const made = await disbursed()
    const both = await p.person({ perms: ['fund:cancelPay', 'fund:cancelPay:check'] })
    const { data } = await p.call(
      loan.cancelPaid,
      { loanCode: made.loanCode, version: await p.versionOf(made.loanCode), reason: 'x' },
      { as: both },
    )
    expect(await approve(data.approvalNo, both)).toMatchObject({ code: 40301 })
    expect(await ask(made.loanCode)).toMatchObject({ code: 40901, msg: text('en', 'errors.approvalWaits') })
  })

  it('is refused after a repayment, also when it came between asking and agreeing', async () => {
    const made = await disbursed()
    const { data } = await ask(made.loanCode)
    await repayment(made.orderNo)
    expect(await ask(made.loanCode)).toMatchObject({
      code: 40901,
      msg: 'The order has a repayment, so the payout cannot be cancelled',
    })
    expect(await approve(data.approvalNo)).toMatchObject({ code: 0, data: { approvalStatus: 'failed' } })
    expect(await p.stateOf(made)).toEqual(['success', 'funds_disbursed'])
  })

  it('is refused after three days, for other states and for a stale version', async () => {
    const made = await disbursed()
    expect(
      await p.call(loan.cancelPaid, { loanCode: made.loanCode, version: 0, reason: 'x' }, { as: maker }),
    ).toMatchObject({ code: 40902 })
    const open = await p.approved()
    expect(await ask(open.loanCode)).toMatchObject({ code: 40901, data: { status: 'created' } })
    p.clock.advance(4 * 86_400_000)
    maker = await p.person({ perms: ['fund:cancelPay', 'fund:payout:page'] })
    expect(await ask(made.loanCode)).toMatchObject({
      code: 40901,
      msg: 'Paid out more than 3 days ago; it can no longer be cancelled',
    })
  })
})

describe('while the money is awaited', () => {
  it('it can be called off, and the loan goes on', async () => {
    const made = await reversing()
    const { version } = await p.code(made.loanCode)
    expect(await p.call(loan.abortCancelPaid, { loanCode: made.loanCode, version }, { as: maker })).toMatchObject({
      code: 0,
      data: { loanCodeStatus: 'success' },
    })
    expect(await p.stateOf(made)).toEqual(['success', 'funds_disbursed'])
    await expect(match((await returned(paidOut)).flowNo, made.loanCode)).rejects.toMatchObject({ code: 40901 })
    expect(
      await p.call(loan.abortCancelPaid, { loanCode: made.loanCode, version: version + 1 }, { as: maker }),
    ).toMatchObject({ code: 40901 })
  })

  it('only the exact amount ends it, once', async () => {
    const made = await reversing()
    await expect(match((await returned('1000.00', 'S1')).flowNo, made.loanCode)).rejects.toMatchObject({ code: 40001 })
    const { flowNo } = await returned(paidOut, 'S2')
    await match(flowNo, made.loanCode)
    await expect(match(flowNo, made.loanCode)).rejects.toMatchObject({ code: 40901 })
    const other = await reversing()
    await expect(match(flowNo, other.loanCode)).rejects.toMatchObject({ code: 40001 })
  })
})
