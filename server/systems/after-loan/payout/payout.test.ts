import { sql } from 'kysely'
import { describe, expect, it } from 'vitest'
import { account } from '../../../money/ledger.ts'
import { switched } from '../../../testing/proven.ts'
import { payoutsForTests } from '../../../testing/suites.ts'
import { createLoanCode } from './payout.ts'
import { paidOut } from './payout-fixture.ts'

const p = await payoutsForTests()

const blockedNow = async (loanCode: string) => (await p.code(loanCode)).waitReason === 'blocked'

describe('dispatch', () => {
  it('reserves the money and sends once, under a reference that was stored before', async () => {
    const { loanCode } = await p.approved()
    expect(await p.stateOf(loanCode)).toEqual(['created', 'pending_disbursement'])
    await p.run('payout.dispatch')
    expect(await p.stateOf(loanCode)).toEqual(['remitting', 'remitting'])
    expect(await p.balance(account.inFlight(loanCode))).toBe(paidOut)
    const attempt = await p.attempt(loanCode)
    expect(attempt).toMatchObject({
      attemptStatus: 'prepared',
      amount: paidOut,
      sentTime: null,
      externalId: `${loanCode}-1`,
    })
    expect(attempt.gatewayRef).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab]/)
    await p.run('payout.send')
    expect(p.sent).toEqual([attempt.gatewayRef])
    expect(await p.attempt(loanCode)).toMatchObject({ attemptStatus: 'sent' })
  })

  it('tells the customer what to repay, when and to which pay code, within what the network takes', async () => {
    const { orderNo } = await p.approved()
    await p.run()
    const { payCode } = await p.order(orderNo)
    expect(p.messages[0]).toMatch(
      new RegExp(`^BodaCash loan: repay UGX [\\d,]+ by 2026-03-16 with pay code ${payCode}$`),
    )
    expect(p.messages[0]!.length).toBeLessThanOrEqual(160)
  })

  it('is done once however often it is asked for', async () => {
    const { loanCode } = await p.approved()
    for (let i = 0; i < 3; i++) await p.tick('payout.dispatch')
    await p.run()
    await p.tick('payout.dispatch')
    await p.run()
    expect(p.sent).toHaveLength(1)
    expect(await p.postings(loanCode)).toEqual(['P1a'])
  })

  it('is done once when two workers take the same code at the same time', async () => {
    const { loanCode } = await p.approved()
    const handler = p.handlers.get('payout.dispatch') as { handle: (tx: never, job: object) => Promise<void> }
    const job = { jobKey: 'x', payload: { loanCode } }
    await Promise.all([1, 2, 3].map(() => p.db.withTx(tx => handler.handle(tx as never, job))))
    await p.run()
    expect(p.sent).toHaveLength(1)
    expect(await p.postings(loanCode)).toEqual(['P1a'])
  })

  it('pays no more than the account holds, and goes on when money comes', async () => {
    const codes = []
    for (let i = 0; i < 7; i++) codes.push((await p.approved()).loanCode)
    await p.run()
    expect(p.sent).toHaveLength(5)
    const waiting = (await Promise.all(codes.map(p.code))).filter(code => code.loanCodeStatus === 'created')
    expect(waiting.map(code => code.waitReason)).toEqual(['short_balance', 'short_balance'])
    expect(await p.tick('payout.dispatch')).toEqual({ ready: 0, waiting: 2 })
    await p.fund('500000.00')
    expect(await p.tick('payout.dispatch')).toEqual({ ready: 2, waiting: 0 })
    await p.run()
    expect(p.sent).toHaveLength(7)
  })

  it.each([
    [
      'channel_paused',
      sql`update channel set pause_status = ${switched('paused')}`,
      sql`update channel set pause_status = ${switched('open')}`,
    ],
    [
      'channel_paused',
      sql`update channel set enabled = ${switched('disabled')}`,
      sql`update channel set enabled = ${switched('enabled')}`,
    ],
    [
      'no_route',
      sql`update fund_account set enabled = ${switched('disabled')}`,
      sql`update fund_account set enabled = ${switched('enabled')}`,
    ],
  ])('waits for %s and goes on after it', async (reason, close, open) => {
    await p.db.withTx(tx => tx.exec(close))
    const { loanCode } = await p.approved()
    await p.run()
    expect(await p.code(loanCode)).toMatchObject({ loanCodeStatus: 'created', waitReason: reason })
    await p.db.withTx(tx => tx.exec(open))
    await p.tick('payout.dispatch')
    await p.run()
    expect(await p.code(loanCode)).toMatchObject({
      loanCodeStatus: 'remitting',
      waitReason: null,
      fundAccountNo: 'FA1',
    })
  })

  it('has no way to a network that nobody serves', async () => {
    const { loanCode } = await p.approved({ subtype: 'airtel' })
    await p.run()
    expect(await p.code(loanCode)).toMatchObject({ waitReason: 'no_route', channel: 'airtel_money' })
    expect(p.sent).toHaveLength(0)
  })

  it('never sends a blocked code', async () => {
    const { loanCode } = await p.approved()
    await p.db.withTx(tx => tx.exec(sql`update loan_code set wait_reason = 'blocked'`))
    await p.tick('payout.dispatch')
    await p.run()
    expect(await p.stateOf(loanCode)).toEqual(['created', 'pending_disbursement'])
    expect(await blockedNow(loanCode)).toBe(true)
  })

  it('refuses to make a code for an amount that the terms do not pay out', async () => {
    const { orderNo } = await p.approved()
    await p.db.withTx(tx =>
      tx.exec(sql`update loan_order set actual_loan_amount = actual_loan_amount - 1 where order_no = ${orderNo}`),
    )
    const order = await p.order(orderNo)
    await expect(p.db.withTx(tx => createLoanCode(tx, order, p.actor))).rejects.toThrow('is not what its terms pay out')
    await p.db.withTx(tx =>
      tx.exec(sql`update loan_order set actual_loan_amount = actual_loan_amount + 1 where order_no = ${orderNo}`),
    )
  })
})
