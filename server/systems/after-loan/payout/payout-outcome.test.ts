import { sql } from 'kysely'
import { describe, expect, it } from 'vitest'
import { loan } from '../../../../core/contract/after-loan/loan.ts'
import { intake } from '../../../../core/contract/order/intake.ts'
import { neg, sub } from '../../../../core/rules/money.ts'
import { account } from '../../../money/ledger.ts'
import { payoutsForTests } from '../../../testing/suites.ts'
import { fee, none, paid, paidOut, principal, refused } from './payout-fixture.ts'

const p = await payoutsForTests()

const plans = (orderNo: string) =>
  p.db.read(tx =>
    tx.rows(
      sql<{
        billStatus: string
        dueDate: string
      }>`select bill_status, due_date from repay_plan where order_no = ${orderNo} order by installment_no`,
    ),
  )
const blockedNow = async (loanCode: string) => (await p.code(loanCode)).waitReason === 'blocked'

describe('what becomes of a send', () => {
  it('G01: paid at the first question: one P1a, one P1b, the plan, the serial number', async () => {
    const { orderNo, loanCode } = await p.approved()
    await p.run()
    p.queries.push(paid())
    await p.pass(60)
    expect(await p.stateOf(loanCode)).toEqual(['success', 'funds_disbursed'])
    expect(await p.postings(loanCode)).toEqual(['P1a', 'P1b'])
    expect(await p.code(loanCode)).toMatchObject({ serialNo: 'MP1', failType: null })
    expect(await p.attempt(loanCode)).toMatchObject({
      attemptStatus: 'succeeded',
      serialNo: 'MP1',
      nextQueryTime: null,
    })
    expect(await p.order(orderNo)).toMatchObject({ payoutDate: '2026-03-02', lendingChannel: 'mtn_momo' })
    expect(await plans(orderNo)).toEqual([
      { billStatus: 'pending', dueDate: '2026-03-09' },
      { billStatus: 'pending', dueDate: '2026-03-16' },
    ])
    expect(await p.balance(account.principal(orderNo))).toBe(principal)
    expect(await p.balance(account.feeIncome)).toBe(neg(fee))
    expect(await p.balance(account.bank('FA1'))).toBe(sub('1000000.00', paidOut))
  })

  it('is paid at once where the network says so in its answer, with its fee', async () => {
    p.sends.push({ kind: 'success', serialNo: 'MP9', fee: '500.00' })
    const { loanCode } = await p.approved()
    await p.run()
    expect(await p.stateOf(loanCode)).toEqual(['success', 'funds_disbursed'])
    expect(await p.postings(loanCode)).toEqual(['P1a', 'P16', 'P1b'])
    expect(await p.balance(account.channelCost('mtn_momo'))).toBe('500.00')
    expect(await p.balance(account.bank('FA1'))).toBe(sub(sub('1000000.00', paidOut), '500.00'))
  })

  it('G02: pending twice is unknown, then paid', async () => {
    const { loanCode } = await p.approved()
    await p.run()
    await p.pass(60)
    expect(await p.stateOf(loanCode)).toEqual(['unknown', 'remitting'])
    await p.pass(60)
    expect(await p.stateOf(loanCode)).toEqual(['unknown', 'remitting'])
    p.queries.push(paid())
    await p.pass(180)
    expect(await p.stateOf(loanCode)).toEqual(['success', 'funds_disbursed'])
    expect(p.asked).toHaveLength(3)
    expect(p.sent).toHaveLength(1)
  })

  it.each(['payee_invalid', 'our_balance', 'other'] as const)(
    'G03: a final failure of type %s gives the money back',
    async failType => {
      const { loanCode } = await p.approved()
      p.queries.push(refused(failType))
      await p.run()
      await p.pass(60)
      expect(await p.stateOf(loanCode)).toEqual(['failed', 'loan_failed'])
      expect(await p.postings(loanCode)).toEqual(['P1a', 'P1c'])
      expect(await p.code(loanCode)).toMatchObject({ failType, failReason: `refused ${failType}` })
      expect(await p.balance(account.bank('FA1'))).toBe('1000000.00')
    },
  )

  it('after-loan 1: G04: the connection is cut after paying: unknown, then one success', async () => {
    p.sends.push(none)
    const { loanCode } = await p.approved()
    await p.run()
    expect(await p.stateOf(loanCode)).toEqual(['unknown', 'remitting'])
    p.queries.push(paid())
    await p.pass(60)
    expect(await p.stateOf(loanCode)).toEqual(['success', 'funds_disbursed'])
    expect(p.sent).toHaveLength(1)
  })

  it('G05: the connection is cut before paying: unknown, then failed', async () => {
    p.sends.push(none)
    p.queries.push(refused())
    const { loanCode } = await p.approved()
    await p.run()
    await p.pass(60)
    expect(await p.stateOf(loanCode)).toEqual(['failed', 'loan_failed'])
    expect(await p.postings(loanCode)).toEqual(['P1a', 'P1c'])
  })

  it('G06: "not found" for a while is no failure; only the same reference is sent again', async () => {
    const { loanCode } = await p.approved()
    await p.run()
    p.sends.push({ kind: 'exists' })
    p.queries.push({ kind: 'notFound' }, { kind: 'notFound' }, { kind: 'notFound' })
    await p.pass(60)
    await p.pass(15)
    await p.pass(120)
    expect(await p.stateOf(loanCode)).toEqual(['unknown', 'remitting'])
    expect(new Set(p.sent).size).toBe(1)
    expect(p.sent).toHaveLength(2)
    p.queries.push(paid())
    await p.pass(3600)
    expect(await p.stateOf(loanCode)).toEqual(['success', 'funds_disbursed'])
    expect(await p.postings(loanCode)).toEqual(['P1a', 'P1b'])
  })

  it('G07: lost for ever is failed only after two answers half an hour apart and the cut-off', async () => {
    const { loanCode } = await p.approved()
    p.sends.push(none, none)
    await p.run()
    for (let hour = 0; hour < 24; hour++) {
      p.queries.push({ kind: 'notFound' })
      await p.pass(3599)
      expect((await p.code(loanCode)).loanCodeStatus).toBe('unknown')
    }
    p.queries.push({ kind: 'notFound' })
    await p.pass(3600)
    p.queries.push({ kind: 'notFound' })
    await p.pass(3600)
    expect(await p.code(loanCode)).toMatchObject({ loanCodeStatus: 'failed', failType: 'other' })
    expect(p.sent).toHaveLength(2)
  })

  it('G07: a network that may pay twice is never sent to again', async () => {
    ;(p.gateway as { idempotentOnRef: boolean }).idempotentOnRef = false
    p.sends.push(none)
    p.queries.push({ kind: 'notFound' })
    const { loanCode } = await p.approved()
    await p.run()
    await p.pass(60)
    expect((await p.code(loanCode)).loanCodeStatus).toBe('unknown')
    expect(p.sent).toHaveLength(1)
  })

  it('an answer between two "not found" starts the proof of loss again', async () => {
    const { loanCode } = await p.approved()
    await p.run()
    p.queries.push({ kind: 'notFound' }, { kind: 'pending' })
    await p.pass(60)
    await p.pass(120)
    expect(await p.attempt(loanCode)).toMatchObject({ notFoundSince: null })
    p.queries.push({ kind: 'notFound' })
    await p.pass(25 * 3600)
    expect((await p.code(loanCode)).loanCodeStatus).toBe('unknown')
  })

  it('G14: after a crash between sending and its answer it is asked about, never sent again', async () => {
    const { loanCode } = await p.approved()
    await p.run('payout.dispatch')
    const handler = p.handlers.get('payout.send') as unknown as { before: (tx: never, job: object) => Promise<unknown> }
    const job = { jobKey: 'x', payload: { externalId: `${loanCode}-1` } }
    expect(await p.db.withTx(tx => handler.before(tx as never, job))).not.toBeNull()
    await p.run('payout.send')
    expect(p.sent).toHaveLength(0)
    expect(await p.stateOf(loanCode)).toEqual(['unknown', 'remitting'])
    p.queries.push(paid())
    await p.pass(60)
    expect(await p.stateOf(loanCode)).toEqual(['success', 'funds_disbursed'])
    expect(p.sent).toHaveLength(0)
  })

  it('X3: after a crash before sending it is sent exactly once', async () => {
    const { loanCode } = await p.approved()
    await p.run('payout.dispatch')
    await p.run()
    await p.run()
    expect(p.sent).toEqual([(await p.attempt(loanCode)).gatewayRef])
  })

  it('a worker that was slower than its lease still counts with its answer', async () => {
    const { loanCode } = await p.approved()
    await p.run('payout.dispatch')
    const handler = p.handlers.get('payout.send') as unknown as {
      before: (tx: never, job: object) => Promise<unknown>
      after: (tx: never, prepared: unknown, answer: unknown) => Promise<void>
    }
    const job = { jobKey: 'x', payload: { externalId: `${loanCode}-1` } }
    const prepared = await p.db.withTx(tx => handler.before(tx as never, job))
    expect(await p.db.withTx(tx => handler.before(tx as never, job))).toBeNull()
    await p.db.withTx(tx => handler.after(tx as never, prepared, { kind: 'success', serialNo: 'MP3' }))
    await p.db.withTx(tx => handler.after(tx as never, prepared, { kind: 'success', serialNo: 'MP3' }))
    expect(await p.stateOf(loanCode)).toEqual(['success', 'funds_disbursed'])
    expect(await p.postings(loanCode)).toEqual(['P1a', 'P1b'])
  })

  it('G13: another amount or payee than we sent decides nothing and is put before people', async () => {
    const first = await p.approved()
    const second = await p.approved()
    await p.run()
    p.queries.push(paid({ amount: '150000.00' }), paid({ payee: '256772000099' }), paid({ amount: '150000.00' }))
    await p.pass(60)
    expect(await p.stateOf(first.loanCode)).toEqual(['unknown', 'remitting'])
    expect(await p.stateOf(second.loanCode)).toEqual(['unknown', 'remitting'])
    await p.pass(60)
    expect(await p.items()).toEqual([
      { reconKind: 'amount_differs', reference: `${first.loanCode}-1`, difference: sub('150000.00', paidOut) },
      { reconKind: 'amount_differs', reference: `${second.loanCode}-1`, difference: '0.00' },
    ])
  })

  it('G17: a refusal at the door fails the code and pauses the channel', async () => {
    p.sends.push(refused('config'))
    const { loanCode } = await p.approved()
    const next = await p.approved()
    await p.run('payout.dispatch')
    await p.run('payout.send')
    expect(await p.stateOf(loanCode)).toEqual(['failed', 'loan_failed'])
    await p.approved().then(() => p.run())
    expect(
      (
        await p.one<{ paused: boolean }>(
          sql`select pause_status = 'paused' as paused from channel where channel = 'mtn_momo'`,
        )
      ).paused,
    ).toBe(true)
    expect((await p.code(next.loanCode)).loanCodeStatus).toBe('remitting')
  })

  it('a refusal at the door of a repeated send says nothing about the first one', async () => {
    p.sends.push(none, refused('config'))
    p.queries.push({ kind: 'notFound' })
    const { loanCode } = await p.approved()
    await p.run()
    await p.pass(60)
    expect(p.sent).toHaveLength(2)
    expect(await p.stateOf(loanCode)).toEqual(['unknown', 'remitting'])
  })

  it('is asked after 1, 2, 5, 10 and 30 minutes and then every hour', async () => {
    const { loanCode } = await p.approved()
    await p.run()
    const start = p.clock.now().getTime()
    const times = []
    for (let i = 0; i < 7; i++) {
      const { nextQueryTime } = await p.attempt(loanCode)
      times.push((Date.parse(String(nextQueryTime)) - start) / 60_000)
      await p.pass((Date.parse(String(nextQueryTime)) - p.clock.now().getTime()) / 1000)
    }
    expect(times).toEqual([1, 2, 5, 10, 30, 90, 150])
  })
})

describe('late news', () => {
  const failOnce = async () => {
    const made = await p.approved()
    await p.run()
    p.queries.push(refused())
    await p.pass(60)
    expect(await p.stateOf(made.loanCode)).toEqual(['failed', 'loan_failed'])
    return { ...made, first: `${made.loanCode}-1` }
  }
  const ask = async (externalId: string, answer: ReturnType<typeof paid>) => {
    p.queries.push(answer)
    await p.call(intake.callback, { channel: 'mtn_momo', externalId, status: `again ${p.asked.length}`, payee: '1' })
    await p.run()
  }

  it('G08: a failure that proves paid is accepted when nothing newer exists', async () => {
    const { orderNo, loanCode, first } = await failOnce()
    p.clock.advance(3_600_000)
    await ask(first, paid())
    expect(await p.stateOf(loanCode)).toEqual(['success', 'funds_disbursed'])
    expect(await p.postings(loanCode)).toEqual(['P1a', 'P1c', 'P1a', 'P1b'])
    expect(await p.attempt(loanCode)).toMatchObject({ attemptStatus: 'succeeded' })
    expect(await plans(orderNo)).toHaveLength(2)
    expect(p.sent).toHaveLength(1)
    expect(await p.code(loanCode)).toMatchObject({ failType: null, failReason: null })
  })

  it('G09: replayed but not yet sent: the first payment is held apart and the code is blocked', async () => {
    const { loanCode, first } = await failOnce()
    const boss = await p.person({ perms: ['fund:payout:retry'] })
    expect(await p.call(loan.retry, { loanCodes: [loanCode] }, { as: boss })).toMatchObject({ data: { ok: 1 } })
    p.queries.push(paid({ serialNo: 'LATE' }))
    await p.call(intake.callback, { channel: 'mtn_momo', externalId: first, status: 's', payee: '1' })
    await p.run('attempt.ask')
    expect(await blockedNow(loanCode)).toBe(true)
    await p.run()
    await p.tick('payout.dispatch')
    await p.run()
    expect(await p.stateOf(loanCode)).toEqual(['created', 'pending_disbursement'])
    expect(p.sent).toHaveLength(1)
    expect(await p.balance(account.exception(first))).toBe(paidOut)
    expect(await p.items()).toEqual([{ reconKind: 'paid_not_expected', reference: first, difference: paidOut }])
  })

  it('after-loan 5: G09: replayed and sent: both movements are explained, one as payout and one as exception', async () => {
    const { loanCode, first } = await failOnce()
    const boss = await p.person({ perms: ['fund:payout:retry'] })
    await p.call(loan.retry, { loanCodes: [loanCode] }, { as: boss })
    await p.run()
    expect(new Set(p.sent).size).toBe(2)
    await ask(first, paid({ serialNo: 'LATE' }))
    expect(await p.stateOf(loanCode)).toEqual(['remitting', 'remitting'])
    p.queries.push(paid({ serialNo: 'MP2' }))
    await p.pass(60)
    expect(await p.stateOf(loanCode)).toEqual(['success', 'funds_disbursed'])
    expect(await p.code(loanCode)).toMatchObject({ serialNo: 'MP2', attemptNo: 2 })
    expect(await p.postings(loanCode)).toEqual(['P1a', 'P1c', 'P1a', 'P1e', 'P1b'])
    await ask(first, paid({ serialNo: 'LATE' }))
    expect(await p.postings(loanCode)).toHaveLength(5)
  })

  it('G09: after the other attempt was paid the earlier one is held apart', async () => {
    const { loanCode, first } = await failOnce()
    const boss = await p.person({ perms: ['fund:payout:retry'] })
    await p.call(loan.retry, { loanCodes: [loanCode] }, { as: boss })
    p.sends.push({ kind: 'success', serialNo: 'MP2' })
    await p.run()
    await ask(first, paid({ serialNo: 'LATE' }))
    expect(await p.stateOf(loanCode)).toEqual(['success', 'funds_disbursed'])
    expect(await p.balance(account.exception(first))).toBe(paidOut)
  })

  it('X17: the order was cancelled in between: exception and item, nothing comes back to life', async () => {
    const { loanCode, first } = await failOnce()
    const boss = await p.person({ perms: ['fund:payout:cancel'] })
    await p.call(loan.cancel, { loanCodes: [loanCode], reason: 'test' }, { as: boss })
    await ask(first, paid())
    expect(await p.stateOf(loanCode)).toEqual(['cancelled', 'cancelled'])
    expect(await p.balance(account.exception(first))).toBe(paidOut)
    expect(await p.items()).toHaveLength(1)
  })

  it('G10: a failure after success is ignored and put before people', async () => {
    const { loanCode } = await p.approved()
    p.sends.push({ kind: 'success', serialNo: 'MP1' })
    await p.run()
    p.queries.push(refused())
    await p.call(intake.callback, { channel: 'mtn_momo', externalId: `${loanCode}-1`, status: 'X', payee: '1' })
    await p.run()
    expect(await p.stateOf(loanCode)).toEqual(['success', 'funds_disbursed'])
    expect(await p.items()).toEqual([
      { reconKind: 'late_contradiction', reference: `${loanCode}-1`, difference: '0.00' },
    ])
  })
})
