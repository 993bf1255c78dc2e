import { sql } from 'kysely'
import { describe, expect, it } from 'vitest'
import { loan } from '../../../../../core/contract/after-loan/loan.ts'
import { sub } from '../../../../../core/rules/money.ts'
import { account } from '../../../../money/ledger.ts'
import { switched } from '../../../../testing/proven.ts'
import { payoutsForTests } from '../../../../testing/suites.ts'
import { otherPayee, paidOut, payee, payoutPerms, principal } from '../payout-fixture.ts'

const p = await payoutsForTests()
const officer = await p.officer({ name: 'Officer' })
const clerk = await p.person({ perms: ['something:else'] })

const otherWallet = {
  payoutType: 'wallet',
  payoutSubtype: 'mtn',
  walletAccount: otherPayee,
  cardholderName: 'Grace Nakato',
} as const

describe('rights', () => {
  const calls = async () => {
    const { orderNo, loanCode } = await p.failed()
    const v = { loanCode, version: 0 }
    return [
      [loan.page, {}],
      [loan.summary, {}],
      [loan.detail, { loanCode }],
      [loan.codesOfOrder, { orderNo }],
      [loan.cancel, { loanCodes: [loanCode], reason: 'test' }],
      [loan.retry, { loanCodes: [loanCode] }],
      [loan.userInfo, { ...v, ...otherWallet, evidence: 'UP1' }],
      [loan.recreate, v],
      [loan.allowReWithdraw, { orderNo, version: 0 }],
      [loan.verify, { loanCodes: [loanCode] }],
      [loan.markChecked, { ...v, evidence: 'UP1' }],
      [loan.channel, { loanCodes: [loanCode], fundAccountNo: 'FA1' }],
      [loan.query, { loanCode }],
      [loan.confirm, { ...v, result: 'failure', statementDate: '2026-03-02', evidence: 'UP1' }],
      [loan.cancelPaid, { ...v, reason: 'wrong person' }],
      [loan.abortCancelPaid, v],
    ] as const
  }

  it('are asked for by every call', async () => {
    for (const [endpoint, input] of await calls())
      expect(await p.call(endpoint as never, input as never, { as: clerk }), endpoint.path).toMatchObject({
        code: 40301,
      })
  })

  it('after-loan 14: do not reach codes of other merchants: they are not found, counted or changed', async () => {
    const rest = await p.person({
      perms: [...payoutPerms, 'fund:payout:confirm', 'fund:cancelPay'],
      limit: 'own_merchants',
      merchants: ['M2'],
    })
    const own = await p.failed('other', { merchant: 'M2' })
    const [, , ...named] = await calls()
    for (const [endpoint, input] of named) {
      const answer = (await p.call(endpoint as never, input as never, { as: rest })) as {
        code: number
        data: { rows?: { code: number }[] }
      }
      expect(answer.data?.rows?.[0]?.code ?? answer.code, endpoint.path).toBe(40401)
    }
    expect(await p.call(loan.page, {}, { as: rest })).toMatchObject({
      data: { total: 1, list: [{ loanCode: own.loanCode }] },
    })
    expect(await p.call(loan.summary, {}, { as: rest })).toMatchObject({
      data: { byStatus: { failed: { count: 1, amount: paidOut } } },
    })
  })

  it('are asked of the session before anything else', async () => {
    expect(await p.call(loan.page, {})).toMatchObject({ code: -10 })
  })
})

describe('the list', () => {
  it('shows a code with its order, its account, its age and what it waits for', async () => {
    const { loanCode, orderNo } = await p.approved()
    await p.run()
    await p.pass(60)
    p.clock.advance(9 * 60_000)
    const { data } = await p.call(loan.page, {}, { as: officer })
    expect(data.list[0]).toMatchObject({
      loanCode,
      orderNo,
      customerName: 'Grace Nakato',
      phone: '25********31',
      walletAccount: '25********31',
      merchantName: 'Boda Cash',
      fundAccountName: 'MTN payout',
      loanCodeStatus: 'unknown',
      unknownMinutes: 9,
      attemptNo: 1,
      orderStatus: 'remitting',
      verifyResult: 'passed',
      loanAmount: principal,
      actualLoanAmount: paidOut,
      pendingApproval: null,
      confirmStatus: null,
    })
  })

  it('finds codes by any number a person may hold, several at once', async () => {
    const first = await p.succeeded()
    const second = await p.approved()
    await p.run()
    const find = async (keyword: string) =>
      (await p.call(loan.page, { keyword }, { as: officer })).data.list.map(row => row.loanCode)
    for (const keyword of [
      first.loanCode,
      first.orderNo,
      `T${first.orderNo.slice(2)}`,
      `MP${first.orderNo}`,
      `${first.loanCode}-1`,
    ])
      expect(await find(keyword), keyword).toEqual([first.loanCode])
    expect((await find(`${first.loanCode}, ${second.orderNo}`)).sort()).toEqual(
      [first.loanCode, second.loanCode].sort(),
    )
    expect(await find('nothing')).toEqual([])
  })

  it.each([
    [{ loanCodeStatus: ['failed' as const] }, 1],
    [{ loanCodeStatus: ['created' as const, 'success' as const] }, 1],
    [{ failType: ['payee_invalid' as const] }, 1],
    [{ verifyResult: 'failed' as const }, 0],
    [{ confirmStatus: 'first_confirmed' as const }, 0],
    [
      {
        merchantNo: ['M1'],
        productNo: ['P1'],
        loanKind: 'first' as const,
        channel: 'mtn_momo' as const,
        fundAccountNo: 'FA1',
        payoutType: 'wallet' as const,
      },
      3,
    ],
    [{ unknownMinutes: [0, null] as [number, null] }, 1],
    [{ unknownMinutes: [30, null] as [number, null] }, 0],
    [
      {
        actualLoanAmount: [paidOut, paidOut] as [string, string],
        requestTime: ['2026-03-02', '2026-03-02'] as [string, string],
      },
      3,
    ],
    [{ finishTime: ['2026-03-02', null] as [string, null] }, 2],
    [{ phone: payee }, 3],
    [{ phone: otherPayee }, 0],
  ])('filters by %j', async (filters, hits) => {
    await p.succeeded()
    await p.failed('payee_invalid')
    await p.approved()
    await p.run()
    expect((await p.call(loan.page, filters, { as: officer })).data.total).toBe(hits)
  })

  it('notes who looked somebody up by phone', async () => {
    await p.call(loan.page, { phone: payee }, { as: officer })
    expect(await p.one(sql`select user_no, object_no from access_log order by access_no desc limit 1`)).toEqual({
      userNo: officer.userNo,
      objectNo: '25********31',
    })
  })

  it('sums up by status and says which account is short', async () => {
    await p.succeeded()
    await p.failed()
    await p.db.withTx(tx => tx.exec(sql`update channel set pause_status = ${switched('paused')}`))
    for (let i = 0; i < 5; i++) await p.approved()
    await p.run()
    const { data } = await p.call(loan.summary, {}, { as: officer })
    expect(data.byStatus).toMatchObject({
      success: { count: 1, amount: paidOut },
      failed: { count: 1 },
      created: { count: 5 },
    })
    expect(data.accounts).toEqual([
      {
        fundAccountNo: 'FA1',
        accountName: 'MTN payout',
        channel: 'mtn_momo',
        balance: sub('1000000.00', paidOut),
        waiting: data.byStatus.created?.amount,
        enough: false,
      },
    ])
    expect(data.oldestUnknownMinutes).toBeNull()
  })

  it('opens one code with its sends, journals, history and the other codes of the order', async () => {
    const made = await p.failed('payee_invalid')
    await p.corrected(made.loanCode, { walletAccount: otherPayee }, officer)
    const again = await p.call(
      loan.recreate,
      { loanCode: made.loanCode, version: await p.versionOf(made.loanCode) },
      { as: officer },
    )
    const { data } = await p.call(loan.detail, { loanCode: made.loanCode }, { as: officer })
    expect(data.code).toMatchObject({ loanCode: made.loanCode, loanCodeStatus: 'cancelled', walletAccount: payee })
    expect(data.attempts).toMatchObject([
      { externalId: `${made.loanCode}-1`, attemptStatus: 'failed', answerMessage: 'refused payee_invalid' },
    ])
    expect(data.journals.map(journal => journal.postingCode)).toEqual(['P1a', 'P1c'])
    expect(data.journals[0]?.lines).toEqual([
      { accountCode: account.inFlight(made.loanCode), component: null, debit: paidOut, credit: '0.00' },
      { accountCode: 'bank:FA1', component: null, debit: '0.00', credit: paidOut },
    ])
    expect(data.history.map(({ event }) => event)).toEqual([
      'code.create',
      'payout.dispatch',
      'attempt.prepare',
      'attempt.send',
      'answer.fail',
      'gateway.failure',
      'code.recreate',
    ])
    expect(data.history.at(-1)).toMatchObject({ actorName: 'Officer', from: 'failed', to: 'cancelled' })
    expect(data.otherCodes).toMatchObject([
      { loanCode: again.data.loanCode, walletAccount: otherPayee, loanCodeStatus: 'created' },
    ])
    const list = (await p.call(loan.codesOfOrder, { orderNo: made.orderNo }, { as: officer })).data.list
    expect(list.map(row => row.loanCode)).toEqual([again.data.loanCode, made.loanCode])
  })

  it('hides accounts in the drawer from desensitised people', async () => {
    const { loanCode } = await p.approved()
    const masked = await p.officer({ sensitive: [] })
    expect((await p.call(loan.detail, { loanCode }, { as: masked })).data.code).toMatchObject({
      walletAccount: '25********31',
      customerName: 'Gr********to',
    })
  })
})
