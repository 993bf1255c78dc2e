import { sql } from 'kysely'
import { afterEach, describe, expect, it } from 'vitest'
import { loan } from '../../../../../core/contract/after-loan/loan.ts'
import { text } from '../../../../../core/i18n/server.ts'
import { sub } from '../../../../../core/rules/money.ts'
import { bindCoupon } from '../../../../demo/offers/coupons.ts'
import { begunItems, switched } from '../../../../testing/proven.ts'
import { payoutsForTests } from '../../../../testing/suites.ts'
import { wipe } from '../../../../testing/wipe.ts'
import { otherPayee, paid, paidOut, payee, refused } from '../payout-fixture.ts'

const p = await payoutsForTests()
const officer = await p.officer({ name: 'Officer' })
const outsider = await p.officer({ limit: 'own_merchants', merchants: ['M2'] })

const creditOf = async (orderNo: string) =>
  (
    await p.one<{ remainingLimit: string }>(
      sql`select remaining_limit from customer join loan_order using (customer_no) where order_no = ${orderNo}`,
    )
  ).remainingLimit
const auditOf = (objectNo: string) =>
  p.db.read(tx =>
    tx.rows(
      sql<{
        action: string
        before: object | null
        after: object | null
      }>`select action, before, after from audit_log where object_no = ${objectNo} order by audit_no`,
    ),
  )
const oneRow = (code: number) =>
  expect.objectContaining({ data: expect.objectContaining({ rows: [expect.objectContaining({ code })] }) })

describe('cancel', () => {
  it('after-loan 3: voids failed payouts and their orders and gives the credit back; others of the batch are refused with their state', async () => {
    const dead = await p.failed()
    const waiting = await p.approved({ subtype: 'airtel' })
    const running = await p.approved()
    await p.run()
    const done = await p.succeeded()
    const { data } = await p.call(
      loan.cancel,
      { loanCodes: [dead, waiting, running, done].map(one => one.loanCode), reason: 'duplicate', remark: 'twice' },
      { as: officer },
    )
    expect(data.rows.map(row => row.code)).toEqual([0, 40901, 40901, 40901])
    expect(data).toMatchObject({ ok: 1, fail: 3 })
    expect(data.rows[2]?.msg).toBe('A payout is in progress and cannot be cancelled')
    expect(await p.stateOf(dead)).toEqual(['cancelled', 'cancelled'])
    expect(await creditOf(dead.orderNo)).toBe('500000.00')
    expect(await creditOf(waiting.orderNo)).toBe('300000.00')
    expect(await p.order(dead.orderNo)).toMatchObject({ cancelReason: 'duplicate' })
    expect((await auditOf(dead.loanCode)).at(-1)).toMatchObject({
      action: 'payout.cancel',
      before: { loanCodeStatus: 'failed' },
      after: { loanCodeStatus: 'cancelled', remark: 'twice' },
    })
    expect(await p.stateOf(running)).toEqual(['remitting', 'remitting'])
  })

  it('after-loan 3: of ten chosen payouts voids the six that failed, tells the states of the others, and leaves no coupon frozen', async () => {
    const dead = []
    for (let n = 0; n < 6; n++) dead.push(await p.failed())
    const coupons: string[] = []
    for (const { orderNo } of dead) coupons.push(await p.db.withTx(tx => bindCoupon(tx, orderNo, 'discount_coupon')))
    const paidOnes = [await p.succeeded(), await p.succeeded()]
    const running = [await p.approved(), await p.approved()]
    await p.run()
    const chosen = [...dead, ...paidOnes, ...running].map(one => one.loanCode)
    const { data } = await p.call(loan.cancel, { loanCodes: chosen, reason: 'duplicate' }, { as: officer })
    expect(data).toMatchObject({ ok: 6, fail: 4 })
    expect(data.rows.slice(6).map(row => [row.code, Boolean(row.msg)])).toEqual(Array(4).fill([40901, true]))
    for (const one of dead) expect(await p.stateOf(one)).toEqual(['cancelled', 'cancelled'])
    for (const one of paidOnes) expect(await p.stateOf(one)).toEqual(['success', 'funds_disbursed'])
    for (const one of running) expect(await p.stateOf(one)).toEqual(['remitting', 'remitting'])
    const held = await p.db.read(tx =>
      tx.rows(sql`select coupon_status, bound_order_no from coupon where coupon_no = any(${coupons})`),
    )
    expect(held).toEqual(Array(6).fill({ couponStatus: 'waiting_used', boundOrderNo: null }))
  })

  it('takes one created code by itself, and it is never sent', async () => {
    const made = await p.approved()
    expect(
      await p.call(loan.cancel, { loanCodes: [made.loanCode], reason: 'customer_withdrew' }, { as: officer }),
    ).toEqual(oneRow(0))
    await p.tick('payout.dispatch')
    await p.run()
    expect(p.sent).toHaveLength(0)
    expect(await p.stateOf(made)).toEqual(['cancelled', 'cancelled'])
  })

  it('gives the credit back once, however often it is pressed', async () => {
    const dead = await p.failed()
    const input = { loanCodes: [dead.loanCode], reason: 'test' as const }
    await Promise.all([1, 2, 3].map(() => p.call(loan.cancel, input, { as: officer })))
    expect(await p.call(loan.cancel, input, { as: officer })).toEqual(oneRow(40901))
    expect(await creditOf(dead.orderNo)).toBe('500000.00')
  })
})

describe('retry', () => {
  it('sends again under a new reference, at most five times in all', async () => {
    const made = await p.failed()
    for (let attemptNo = 2; attemptNo <= 5; attemptNo++) {
      p.sends.push(refused())
      expect(await p.call(loan.retry, { loanCodes: [made.loanCode] }, { as: officer })).toEqual(oneRow(0))
      await p.run()
      expect(await p.code(made.loanCode)).toMatchObject({ attemptNo, loanCodeStatus: 'failed' })
    }
    expect(new Set(p.sent).size).toBe(5)
    const { data } = await p.call(loan.retry, { loanCodes: [made.loanCode] }, { as: officer })
    expect(data.rows[0]).toMatchObject({
      code: 40901,
      msg: 'All 5 attempts are used: choose “Recreate loan code” or “Cancel payout”',
    })
  })

  it('after-loan 1: is refused while the outcome is open, and after success', async () => {
    const open = await p.approved()
    await p.run()
    const done = await p.succeeded()
    const { data } = await p.call(loan.retry, { loanCodes: [open.loanCode, done.loanCode] }, { as: officer })
    expect(data.rows.map(row => row.code)).toEqual([40901, 40901])
    await p.pass(60)
    expect(await p.call(loan.retry, { loanCodes: [open.loanCode] }, { as: officer })).toEqual(oneRow(40901))
    expect(p.sent).toHaveLength(2)
  })

  it('wants the account checked where the payee was at fault, and changes nothing before', async () => {
    const bad = await p.failed('payee_invalid')
    const plain = await p.failed()
    const loanCodes = [bad.loanCode, plain.loanCode]
    expect(await p.call(loan.retry, { loanCodes }, { as: officer })).toMatchObject({
      code: 40002,
      data: { confirm: ['accountChecked'] },
    })
    expect(await p.stateOf(plain)).toEqual(['failed', 'loan_failed'])
    expect(await p.call(loan.retry, { loanCodes, accountChecked: true }, { as: officer })).toMatchObject({
      data: { ok: 2 },
    })
  })

  it('two people at once send once', async () => {
    const made = await p.failed()
    const answers = await Promise.all(
      [1, 2].map(() => p.call(loan.retry, { loanCodes: [made.loanCode] }, { as: officer })),
    )
    expect(answers.map(({ data }) => data.ok).sort()).toEqual([0, 1])
    await p.run()
    expect(p.sent).toHaveLength(2)
  })

  it('the same key twice is one retry', async () => {
    const made = await p.failed()
    const key = 'the-same-key-0001'
    const first = await p.call(loan.retry, { loanCodes: [made.loanCode] }, { as: officer, key })
    expect(await p.call(loan.retry, { loanCodes: [made.loanCode] }, { as: officer, key })).toEqual(first)
    await p.run()
    expect(p.sent).toHaveLength(2)
  })
})

describe('verify', () => {
  const verify = (...loanCodes: string[]) => p.call(loan.verify, { loanCodes }, { as: officer })

  it('says whose account it is, on the code and on the order', async () => {
    const made = await p.failed()
    const far = await p.approved({ verify: 'not_verified', subtype: 'airtel' })
    const done = await p.succeeded()
    p.holders.set(payee, 'NAKATO GRACE')
    const { data } = await verify(made.loanCode, far.loanCode, done.loanCode)
    expect(data.rows.map(row => row.code)).toEqual([0, 0, 40901])
    expect(await p.code(made.loanCode)).toMatchObject({ verifyResult: 'passed', holderName: 'NAKATO GRACE' })
    expect((await p.order(made.orderNo)).payoutVerify).toBe('passed')
    expect((await p.code(far.loanCode)).verifyResult).toBe('unavailable')
  })

  it('compares with the customer, not with the name on the code, and keeps no holder of another number', async () => {
    const made = await p.failed('other', { wallet: otherPayee })
    await p.db.withTx(tx => tx.exec(sql`update customer set phone = '256772000077'`))
    await p.db.withTx(tx => tx.exec(sql`update loan_code set cardholder_name = 'Peter Okello'`))
    p.holders.set(otherPayee, 'Peter Okello')
    await verify(made.loanCode)
    expect(await p.code(made.loanCode)).toMatchObject({ verifyResult: 'failed', holderName: null })
  })

  it('keeps money from an account that is not the customer’s: neither sent nor sent again', async () => {
    const failed = await p.failed()
    const waiting = await p.approved()
    p.holders.set(payee, 'Peter Okello')
    await verify(failed.loanCode, waiting.loanCode)
    expect(await p.code(failed.loanCode)).toMatchObject({ verifyResult: 'failed', holderName: 'Peter Okello' })
    expect((await p.order(failed.orderNo)).payoutVerify).toBe('failed')
    const { data } = await p.call(loan.retry, { loanCodes: [failed.loanCode] }, { as: officer })
    expect(data.rows[0]).toMatchObject({ code: 40901, msg: text('en', 'errors.payeeNotVerified') })
    await p.tick('payout.dispatch')
    await p.run()
    expect(await p.code(waiting.loanCode)).toMatchObject({ loanCodeStatus: 'created', waitReason: 'payee_unproven' })
    p.holders.set(payee, 'Grace Nakato')
    await verify(waiting.loanCode)
    await p.tick('payout.dispatch')
    await p.run()
    expect((await p.code(waiting.loanCode)).loanCodeStatus).toBe('remitting')
  })
})

describe('another paying account', () => {
  const second = (o: { channel?: string; merchant?: string; role?: string } = {}) =>
    p.db.withTx(async tx => {
      await tx.exec(sql`delete from fund_account_merchant where fund_account_no = 'FA2'`)
      await tx.exec(sql`
        insert into fund_account (fund_account_no, account_name, account_role, lender_name, channel, account_number) values ('FA2', 'Second', ${o.role ?? 'payout'}, 'Nile Credit', ${o.channel ?? 'mtn_momo'}, '256770000002')
        on conflict (fund_account_no) do update set channel = excluded.channel, account_role = excluded.account_role`)
      await tx.exec(sql`insert into fund_account_merchant values ('FA2', ${o.merchant ?? 'M1'})`)
      await begunItems(tx)
    })
  const waiting = async () => {
    await p.db.withTx(tx => tx.exec(sql`update channel set pause_status = ${switched('paused')}`))
    const made = await p.approved()
    await p.run()
    await p.db.withTx(tx => tx.exec(sql`update channel set pause_status = ${switched('open')}`))
    return made
  }
  afterEach(() =>
    p.db.withTx(async tx => {
      await wipe(tx, 'loanCode', 'gatewayAttempt', 'journal', 'journalLine', 'ledgerBalance', 'loanOrder')
      await tx.exec(sql`delete from fund_account_merchant where fund_account_no = 'FA2'`)
    }),
  )

  it('pays a waiting code', async () => {
    await second()
    await p.fund('300000.00', 'FA2')
    const { loanCode } = await waiting()
    expect(await p.call(loan.channel, { loanCodes: [loanCode], fundAccountNo: 'FA2' }, { as: officer })).toEqual(
      oneRow(0),
    )
    await p.run()
    expect(await p.code(loanCode)).toMatchObject({ loanCodeStatus: 'remitting', fundAccountNo: 'FA2' })
    expect(await p.balance('bank:FA2')).toBe(sub('300000.00', paidOut))
  })

  it.each([
    ['short', {}, 'Insufficient account balance: UGX 0'],
    ['of another network', { channel: 'airtel_money' }, 'This account cannot be used for this payout'],
    ['of another merchant', { merchant: 'M2' }, 'This account cannot be used for this payout'],
    ['for collection only', { role: 'collection' }, 'This account cannot be used for this payout'],
  ])('is refused when it is %s', async (_, account, msg) => {
    await second(account)
    const { loanCode } = await waiting()
    const { data } = await p.call(loan.channel, { loanCodes: [loanCode], fundAccountNo: 'FA2' }, { as: officer })
    expect(data.rows[0]).toMatchObject({ code: 40001, msg })
  })

  it('is refused once the money is on its way', async () => {
    const { loanCode } = await p.approved()
    await p.run()
    expect(await p.call(loan.channel, { loanCodes: [loanCode], fundAccountNo: 'FA1' }, { as: officer })).toEqual(
      oneRow(40901),
    )
  })
})

describe('ask now', () => {
  it('says what the network says and applies it, at most every 30 seconds', async () => {
    const made = await p.approved()
    await p.run()
    p.clock.advance(61_000)
    expect(await p.call(loan.query, { loanCode: made.loanCode }, { as: officer })).toMatchObject({
      code: 0,
      data: { loanCodeStatus: 'unknown', answer: 'pending' },
    })
    expect(await p.call(loan.query, { loanCode: made.loanCode }, { as: officer })).toMatchObject({
      code: 42901,
      msg: 'Queried just now; try again in 30 s',
    })
    p.clock.advance(31_000)
    p.queries.push(paid())
    expect(await p.call(loan.query, { loanCode: made.loanCode }, { as: officer })).toMatchObject({
      data: { loanCodeStatus: 'success', answer: 'paid, serial number MP1', nextQueryTime: null },
    })
    expect(await p.stateOf(made)).toEqual(['success', 'funds_disbursed'])
    expect(await p.call(loan.query, { loanCode: made.loanCode }, { as: officer })).toMatchObject({ code: 40901 })
  })

  it('asks once where two people ask at the same instant', async () => {
    const made = await p.approved()
    await p.run()
    const before = p.asked.length
    const both = await Promise.all([1, 2].map(() => p.call(loan.query, { loanCode: made.loanCode }, { as: officer })))
    expect(both.map(({ code }) => code).sort()).toEqual([0, 42901])
    expect(p.asked.length - before).toBe(1)
  })

  it('fails a payout that the network definitely refused', async () => {
    const made = await p.approved()
    await p.run()
    p.queries.push(refused('payee_invalid'))
    expect(await p.call(loan.query, { loanCode: made.loanCode }, { as: officer, language: 'sw' })).toMatchObject({
      data: { loanCodeStatus: 'failed', answer: 'imeshindikana: refused payee_invalid' },
    })
  })
})

it('outsiders have rights of their own', async () => {
  const made = await p.failed('other', { merchant: 'M2' })
  expect(await p.call(loan.cancel, { loanCodes: [made.loanCode], reason: 'test' }, { as: outsider })).toEqual(oneRow(0))
})
