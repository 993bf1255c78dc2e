import { sql } from 'kysely'
import { afterEach, describe, expect, it } from 'vitest'
import { loan } from '../../core/contract/loan.ts'
import { sub } from '../../core/rules/money.ts'
import { payoutsForTests } from '../testing/suites.ts'
import { wipe } from '../testing/wipe.ts'
import { otherPayee, paid, paidOut, payee, refused } from './payout-fixture.ts'

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
  it('voids failed payouts and their orders and gives the credit back; others of the batch are refused with their state', async () => {
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
      msg: 'All 5 attempts are used: recreate the payout code or cancel',
    })
  })

  it('is refused while the outcome is open, and after success', async () => {
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

describe('correcting the payee', () => {
  const correct = async (loanCode: string, o: { wallet?: string; name?: string } = {}) =>
    p.call(
      loan.userInfo,
      {
        loanCode,
        version: await p.versionOf(loanCode),
        payoutSubtype: 'mtn',
        walletAccount: o.wallet ?? otherPayee,
        cardholderName: o.name ?? 'Nakato Grace',
      },
      { as: officer },
    )
  const recreate = async (loanCode: string) =>
    p.call(loan.recreate, { loanCode, version: await p.versionOf(loanCode) }, { as: officer })

  it('verifies the new account, replaces the code once, and pays there', async () => {
    const made = await p.failed('payee_invalid')
    expect(await correct(made.loanCode)).toMatchObject({
      code: 0,
      data: { verifyResult: 'passed', holderName: 'Grace Nakato' },
    })
    expect((await p.call(loan.detail, { loanCode: made.loanCode }, { as: officer })).data.code).toMatchObject({
      verifyResult: 'passed',
      walletAccount: payee,
    })
    const version = await p.versionOf(made.loanCode)
    const answers = await Promise.all(
      [1, 2].map(() => p.call(loan.recreate, { loanCode: made.loanCode, version }, { as: officer })),
    )
    expect(answers.map(answer => answer.code).sort()).toEqual([0, 40902])
    const loanCode = answers.find(answer => answer.code === 0)!.data.loanCode
    p.queries.push(paid({ payee: otherPayee }))
    await p.run()
    await p.pass(60)
    expect(await p.stateOf({ ...made, loanCode })).toEqual(['success', 'funds_disbursed'])
    expect((await p.code(made.loanCode)).loanCodeStatus).toBe('cancelled')
    expect(await p.attempt(loanCode)).toMatchObject({ payee: otherPayee })
    expect(
      await p.one(sql`select wallet_account, changed_by from order_payout_history where order_no = ${made.orderNo}`),
    ).toEqual({ walletAccount: payee, changedBy: officer.userNo })
  })

  it('may be corrected twice in one instant, and every account that it had is kept', async () => {
    const made = await p.failed('payee_invalid')
    expect((await correct(made.loanCode)).code).toBe(0)
    expect((await correct(made.loanCode)).code).toBe(0)
    const kept = await p.db.read(tx =>
      tx.rows(
        sql<{
          walletAccount: string
        }>`select wallet_account from order_payout_history where order_no = ${made.orderNo} order by changed_time`,
      ),
    )
    expect(kept.map(row => row.walletAccount)).toEqual([payee, otherPayee])
  })

  it('keeps the account out of the audit log', async () => {
    const made = await p.failed('payee_invalid')
    await correct(made.loanCode)
    const [line] = await auditOf(made.loanCode)
    expect(line).toMatchObject({
      action: 'payout.correctPayee',
      before: { walletAccount: '25********31' },
      after: { walletAccount: '25********41' },
    })
    expect(JSON.stringify(line)).not.toContain(otherPayee)
  })

  it('does not recreate for an account of another name, one nobody asked about, or the same account', async () => {
    const made = await p.failed('payee_invalid')
    expect(await recreate(made.loanCode)).toMatchObject({
      code: 40901,
      msg: 'The payee was not changed: retry instead',
    })
    p.holders.set(otherPayee, 'Somebody Else')
    expect(await correct(made.loanCode)).toMatchObject({ data: { verifyResult: 'failed' } })
    expect(await recreate(made.loanCode)).toMatchObject({
      code: 40901,
      msg: 'The payee account has not passed verification',
    })
    p.holders.set(otherPayee, null)
    p.clock.advance(1000)
    expect(await correct(made.loanCode)).toMatchObject({ data: { verifyResult: 'failed', holderName: null } })
    expect(await recreate(made.loanCode)).toMatchObject({ code: 40901 })
  })

  it('is not followed by a retry to the old account', async () => {
    const made = await p.failed()
    await correct(made.loanCode)
    const { data } = await p.call(loan.retry, { loanCodes: [made.loanCode] }, { as: officer })
    expect(data.rows[0]).toMatchObject({ code: 40901, msg: 'The payee was corrected: recreate the payout code' })
  })

  it('is refused unless the payout failed, and for a stale version', async () => {
    const open = await p.approved()
    expect(await correct(open.loanCode)).toMatchObject({ code: 40901, data: { status: 'created' } })
    const dead = await p.failed()
    expect(await p.call(loan.recreate, { loanCode: dead.loanCode, version: 0 }, { as: officer })).toMatchObject({
      code: 40902,
    })
  })

  it('goes on from a re-withdrawal that finance allowed', async () => {
    const made = await p.failed('payee_invalid')
    expect(
      await p.call(
        loan.allowReWithdraw,
        { orderNo: made.orderNo, version: await p.versionOf(made.loanCode) },
        { as: officer },
      ),
    ).toMatchObject({ code: 0 })
    expect(await p.stateOf(made)).toEqual(['failed', 're_withdrawal_allowed'])
    expect(await p.call(loan.retry, { loanCodes: [made.loanCode], accountChecked: true }, { as: officer })).toEqual(
      oneRow(40901),
    )
    await correct(made.loanCode)
    expect(await recreate(made.loanCode)).toMatchObject({ code: 0 })
    expect((await p.order(made.orderNo)).orderStatus).toBe('pending_disbursement')
  })

  it('allows re-withdrawal only where the customer can help', async () => {
    const made = await p.failed('our_balance')
    const version = (await p.order(made.orderNo)).version
    expect(await p.call(loan.allowReWithdraw, { orderNo: made.orderNo, version }, { as: officer })).toMatchObject({
      code: 40901,
      msg: 'The failure is not one the customer can correct',
    })
    expect(
      await p.call(loan.allowReWithdraw, { orderNo: made.orderNo, version: version + 7 }, { as: officer }),
    ).toMatchObject({ code: 40902 })
  })
})

describe('verify', () => {
  it('says whose account it is, on the code and on the order', async () => {
    const made = await p.failed('other', { verify: 'not_verified' })
    const far = await p.approved({ verify: 'not_verified', subtype: 'airtel' })
    const done = await p.succeeded()
    p.holders.set(payee, 'NAKATO GRACE')
    const { data } = await p.call(
      loan.verify,
      { loanCodes: [made.loanCode, far.loanCode, done.loanCode] },
      { as: officer },
    )
    expect(data.rows.map(row => row.code)).toEqual([0, 0, 40901])
    expect(await p.code(made.loanCode)).toMatchObject({ verifyResult: 'passed', holderName: 'NAKATO GRACE' })
    expect((await p.order(made.orderNo)).payoutVerify).toBe('passed')
    expect((await p.code(far.loanCode)).verifyResult).toBe('unavailable')
  })

  it('reports a name that is not the payee', async () => {
    const made = await p.failed()
    p.holders.set(payee, 'Peter Okello')
    await p.call(loan.verify, { loanCodes: [made.loanCode] }, { as: officer })
    expect(await p.code(made.loanCode)).toMatchObject({ verifyResult: 'failed', holderName: 'Peter Okello' })
    expect((await p.order(made.orderNo)).payoutVerify).toBe('failed')
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
    })
  const waiting = async () => {
    await p.db.withTx(tx => tx.exec(sql`update channel set paused = true`))
    const made = await p.approved()
    await p.run()
    await p.db.withTx(tx => tx.exec(sql`update channel set paused = false`))
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
    ['short', {}, 'The account holds only 0'],
    ['of another network', { channel: 'airtel_money' }, 'This account cannot pay this payout'],
    ['of another merchant', { merchant: 'M2' }, 'This account cannot pay this payout'],
    ['for collection only', { role: 'collection' }, 'This account cannot pay this payout'],
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
      msg: 'Asked just now, try again in 30 s',
    })
    p.clock.advance(31_000)
    p.queries.push(paid())
    expect(await p.call(loan.query, { loanCode: made.loanCode }, { as: officer })).toMatchObject({
      data: { loanCodeStatus: 'success', answer: 'paid, serial number MP1', nextQueryTime: null },
    })
    expect(await p.stateOf(made)).toEqual(['success', 'funds_disbursed'])
    expect(await p.call(loan.query, { loanCode: made.loanCode }, { as: officer })).toMatchObject({ code: 40901 })
  })

  it('fails a payout that the network definitely refused', async () => {
    const made = await p.approved()
    await p.run()
    p.queries.push(refused('payee_invalid'))
    expect(await p.call(loan.query, { loanCode: made.loanCode }, { as: officer, language: 'sw' })).toMatchObject({
      data: { loanCodeStatus: 'failed', answer: 'imeshindwa: refused payee_invalid' },
    })
  })
})

it('outsiders have rights of their own', async () => {
  const made = await p.failed('other', { merchant: 'M2' })
  expect(await p.call(loan.cancel, { loanCodes: [made.loanCode], reason: 'test' }, { as: outsider })).toEqual(oneRow(0))
})
