import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { loanRoutes } from '../../../../core/contract/after-loan/loan-route.ts'
import { contract } from '../../../../core/contract/contract.ts'
import { text } from '../../../../core/i18n/server.ts'
import { sweep } from '../../../invariants/sweep.ts'
import { noPayout } from '../../../money/no-gateway.ts'
import { configSuite } from '../../../testing/config-suite.ts'
import type { Person } from '../../../testing/kit.ts'
import { begunItems, switched } from '../../../testing/proven.ts'
import { none, openPayouts, type Payouts } from '../payout/payout-fixture.ts'
import { loanRouteModule } from './loan-route.ts'

const { common, loan, loanRoute } = contract
const codes = ['fund:routing:page', 'fund:routing:config', 'fund:channel:pause', 'fund:channel:update']
type Values = Record<string, unknown>

const only = (...accounts: (readonly [string, number])[]) =>
  accounts.map(([fundAccountNo, weight]) => ({ fundAccountNo, weight }))
const route = { routeName: 'Wallets', payoutType: 'wallet', targets: only(['FA1', 100]), fallback: false }

configSuite(loanRoutes, {
  modules: [loanRouteModule({ payout: { mtn_momo: noPayout } })],
  fresh: n => ({ ...route, priority: n + 1 }),
  changed: { fallback: true },
  differs: 'fallback',
})

let p: Payouts
let maker: Person
let checker: Person
/** Whether the channel answers when it is asked. */
let answering = true

beforeAll(async () => {
  const balance = () => (answering ? Promise.resolve('1.00') : noPayout.balance())
  p = await openPayouts({ running: [loanRouteModule({ payout: { mtn_momo: { ...noPayout, balance } } })] })
  maker = await p.person({ perms: codes, name: 'Maker' })
  checker = await p.person({ perms: [...codes, ...codes.map(code => `${code}:check`)], name: 'Checker' })
  await p.db.withTx(async tx => {
    await tx.exec(sql`
      insert into fund_account (fund_account_no, account_name, account_role, lender_name, channel, account_number) values
        ('FA2', 'Second wallet', 'payout', 'Nile Credit', 'mtn_momo', '256770000002'), ('FA3', 'Receipts', 'collection', 'Nile Credit', 'mtn_momo', '256770000003'),
        ('FA4', 'Airtel', 'payout', 'Nile Credit', 'airtel_money', '256750000004'), ('FA5', 'Of another', 'payout', 'Nile Credit', 'mtn_momo', '256770000005')`)
    await tx.exec(
      sql`insert into fund_account_merchant values ('FA2', 'M1'), ('FA3', 'M1'), ('FA4', 'M1'), ('FA5', 'M2')`,
    )
    await begunItems(tx)
  })
})
afterAll(async () => {
  expect(await sweep(p.db)).toEqual([])
  await p.close()
})
beforeEach(async () => {
  await p.reset()
  await p.db.withTx(async tx => {
    await tx.exec(sql`update fund_account set daily_cap = 0`)
    await tx.exec(sql`set local session_replication_role = replica`)
    await tx.exec(sql`update loan_route set deleted_time = now(), enabled = 'disabled'`)
    await tx.exec(sql`delete from state_transition where machine in (${loanRoutes.machine.id}, 'M102')`)
    await tx.exec(sql`delete from loan_route`)
  })
  await p.db.withTx(begunItems)
  for (const no of ['FA2', 'FA4', 'FA5']) await p.fund('1000000.00', no)
})

const agree = async (approvalNo: unknown) =>
  (await p.call(common.approve, { approvalNo: String(approvalNo), version: 0 }, { as: checker })).data
const save = (more: Values, as = maker) =>
  p.call(loanRoute.save, { ...route, priority: 1, ...more } as never, { as, language: 'en' })
/** A route that a second person has agreed to. */
const inForce = async (more: Values = {}) => {
  const answer = await save(more)
  const routeNo = String(answer.data.key)
  const asked = await p.call(loanRoute.state, { routeNo, enabled: true, version: 0 } as never, { as: maker })
  await agree(asked.data.approvalNo)
  return routeNo
}
const sent = async (n: number) => {
  const made = []
  for (let at = 0; at < n; at++) made.push((await p.approved()).loanCode)
  await p.run()
  return Promise.all(made.map(p.code))
}
const accountsOf = (list: readonly { fundAccountNo: string | null }[]) => list.map(one => one.fundAccountNo).sort()

describe('a route', () => {
  it.each([
    ['weights below a hundred', { targets: only(['FA1', 60], ['FA2', 30]) }, 'targets'],
    ['weights that add up to nothing', { targets: only(['FA1', 0]) }, 'targets.0.weight'],
    ['an account twice', { targets: only(['FA1', 60], ['FA1', 40]) }, 'targets'],
    ['no account', { targets: [] }, 'targets'],
    ['an account that only receives', { targets: only(['FA3', 100]) }, 'targets'],
    ['an account that there is not', { targets: only(['FA99', 100]) }, 'targets'],
    ['amounts the wrong way round', { amountMin: '200.00', amountMax: '100.00' }, 'amountMax'],
    ['a merchant that there is not', { merchantNos: ['M77'] }, 'merchantNos'],
    ['a product of another merchant', { merchantNos: ['M1'], productNos: ['P2'] }, 'productNos'],
    ['a wallet for a bank', { payoutType: 'bank', network: undefined }, 'targets'],
  ])('is refused with %s', async (_, more, field) => {
    const answer = await save(more)
    const { fields } = answer.data as unknown as { fields: readonly { path: string }[] }
    expect([answer.code, fields.map(({ path }) => path)]).toEqual([40001, expect.arrayContaining([field])])
  })

  it('is refused with the priority of another one', async () => {
    await save({})
    expect((await save({ routeName: 'Again' })).code).toBe(40001)
  })

  it('after-loan 13: changes nothing before a second person agrees', async () => {
    const { data } = await save({ targets: only(['FA2', 100]) })
    expect(accountsOf(await sent(1))).toEqual(['FA1'])
    const asked = await p.call(loanRoute.state, { routeNo: data.key, enabled: true, version: 0 } as never, {
      as: maker,
    })
    expect(accountsOf(await sent(1))).toEqual(['FA1'])
    expect(
      (await p.call(common.approve, { approvalNo: String(asked.data.approvalNo), version: 0 }, { as: maker })).code,
    ).not.toBe(0)
    await agree(asked.data.approvalNo)
    expect(accountsOf(await sent(1))).toEqual(['FA2'])
  })

  it('of all merchants is not for people of one', async () => {
    const other = await p.person({ perms: codes, nature: 'merchant', merchants: ['M2'], limit: 'own_merchants' })
    const routeNo = await inForce({ merchantNos: ['M1'] })
    expect((await save({ priority: 7 }, other)).code).toBe(40301)
    expect((await p.call(loanRoute.detail, { routeNo } as never, { as: other })).code).toBe(40401)
    expect((await p.call(loanRoute.page, { pageSize: 100 }, { as: other })).data.list).toEqual([])
    const input = { merchantNo: 'M1', payoutSubtype: 'mtn', amount: '1000.00' } as const
    expect((await p.call(loanRoute.test, input, { as: other })).code).toBe(40001)
  })
})

describe('payouts', () => {
  it('are divided by weight, each always the same way, and leave the account that they are booked on', async () => {
    await inForce({ targets: only(['FA1', 50], ['FA2', 50]) })
    const found = await sent(8)
    const of = (no: string) => found.filter(one => one.fundAccountNo === no)
    expect([of('FA1').length > 0, of('FA2').length > 0]).toEqual([true, true])
    expect(of('FA1').length + of('FA2').length).toBe(8)
    for (const no of ['FA1', 'FA2'])
      expect(Number(await p.balance(`bank:${no}`))).toBe(1_000_000 - of(no).length * 190_000)
    expect(p.sent).toHaveLength(8)
  })

  it('go to the other account of a route when one is at its cap or empty', async () => {
    await p.db.withTx(tx => tx.exec(sql`update fund_account set daily_cap = 1 where fund_account_no = 'FA1'`))
    await inForce({ targets: only(['FA1', 99], ['FA2', 1]) })
    expect(accountsOf(await sent(3))).toEqual(['FA2', 'FA2', 'FA2'])
  })

  it.each([
    [false, 'created', 'cap_reached', null],
    [true, 'remitting', null, 'FA2'],
  ] as const)('wait or take the next route as the route says: fallback %s', async (fallback, status, reason, by) => {
    await p.db.withTx(tx => tx.exec(sql`update fund_account set daily_cap = 1 where fund_account_no = 'FA1'`))
    await inForce({ fallback })
    await inForce({ routeName: 'Next', priority: 2, targets: only(['FA2', 100]) })
    const [code] = await sent(1)
    expect(code).toMatchObject({ loanCodeStatus: status, waitReason: reason })
    if (by) expect(code?.fundAccountNo).toBe(by)
    expect(p.sent).toHaveLength(by ? 1 : 0)
  })

  it.each([
    ['their amount', { amountMin: '500000.00' }],
    ['their kind of loan', { loanKind: 'repeat' }],
    ['their network', { network: 'airtel' }],
    ['their merchant', { merchantNos: ['M2'] }],
    ['their product', { productNos: ['P2'] }],
    ['their day', { effectiveDate: '2026-03-09' }],
  ])('do not take a route that is not for %s', async (what, more) => {
    await inForce({ ...more, targets: only(['FA2', 100]) })
    await inForce({ routeName: 'Next', priority: 2 })
    expect([what, accountsOf(await sent(1))]).toEqual([what, ['FA1']])
  })

  it('wait while no route takes them', async () => {
    await inForce({ merchantNos: ['M2'] })
    expect(await sent(1)).toMatchObject([{ loanCodeStatus: 'created', waitReason: 'no_route' }])
    expect(p.sent).toEqual([])
  })

  it.each([
    ['that does not serve their merchant', 'FA5'],
    ['of another network', 'FA4'],
  ])('never leave by an account %s', async (_, no) => {
    await inForce({ targets: only([no, 100]) })
    expect(await sent(1)).toMatchObject([{ loanCodeStatus: 'created', waitReason: 'no_route' }])
    expect(p.sent).toEqual([])
    expect(await p.balance(`bank:${no}`)).toBe('1000000.00')
  })

  it('stay with the account that a person chose', async () => {
    await inForce()
    const stop = (to: string) => p.db.withTx(tx => tx.exec(sql`update channel set pause_status = ${switched(to)}`))
    await stop('paused')
    const [code] = await sent(1)
    expect(code?.waitReason).toBe('channel_paused')
    await p.call(
      loan.channel,
      { loanCodes: [code!.loanCode], fundAccountNo: 'FA2' },
      {
        as: await p.officer(),
      },
    )
    await stop('open')
    await p.tick('payout.dispatch')
    await p.run()
    expect((await p.code(code!.loanCode)).fundAccountNo).toBe('FA2')
  })

  it.each([
    ['our_balance', 'FA2'],
    ['other', 'FA1'],
  ] as const)('that failed for %s are sent again by %s', async (failType, by) => {
    await inForce({ targets: only(['FA1', 100]), fallback: true })
    await inForce({ routeName: 'Next', priority: 2, targets: only(['FA2', 100]) })
    const { loanCode } = await p.failed(failType)
    await p.call(loan.retry, { loanCodes: [loanCode] }, { as: await p.officer() })
    await p.run()
    const code = await p.code(loanCode)
    expect([code.attemptNo, code.fundAccountNo]).toEqual([2, by])
  })

  it('are tried dry with the condition that fails, and a change is played over the last ones', async () => {
    const first = await inForce({ merchantNos: ['M2'], targets: only(['FA5', 100]) })
    const second = await inForce({ routeName: 'Next', priority: 2 })
    await sent(2)
    const input = { merchantNo: 'M1', payoutSubtype: 'mtn', amount: '190000.00' } as const
    const { data } = await p.call(loanRoute.test, input, { as: maker })
    expect(data).toMatchObject({ inForce: true, routeNo: second, waitReason: null })
    expect(data.list.map(one => [one.routeNo, one.routeMiss])).toEqual([
      [first, 'merchant'],
      [second, null],
    ])
    const form = { ...route, routeName: 'Next', priority: 2 } as never as Values
    const play = async (more: Values) =>
      (await p.call(loanRoute.simulate, { ...form, routeNo: second, ...more } as never, { as: maker })).data
    expect(await play({})).toEqual({ payouts: 2, changed: 0 })
    expect(await play({ targets: only(['FA2', 100]) })).toEqual({ payouts: 2, changed: 2 })
  })
})

describe('a channel', () => {
  const rowOf = async () => {
    const { data } = await p.call(loanRoute.channels, { pageSize: 10 }, { as: maker })
    return data.list.find(one => one.channel === 'mtn_momo')!
  }
  const turn = async (call: typeof loanRoute.pause | typeof loanRoute.resume, more: Values, as = maker) =>
    p.call(call, { channel: 'mtn_momo', version: (await rowOf()).version, ...more } as never, { as })

  it('sends nothing while it is paused, and counts what waits', async () => {
    expect((await turn(loanRoute.pause, { reason: 'it answers nothing' })).code).toBe(0)
    expect((await turn(loanRoute.pause, { reason: 'again' })).code).toBe(40901)
    expect(await sent(1)).toMatchObject([{ waitReason: 'channel_paused' }])
    expect(await rowOf()).toMatchObject({
      pauseStatus: 'paused',
      pausedName: 'Maker',
      waitingCodes: 1,
      waitingAmount: '190000.00',
    })
    expect(p.sent).toEqual([])
  })

  it('is resumed by another person, or with a remark by the one who paused it, once it answers', async () => {
    await turn(loanRoute.pause, { reason: 'it answers nothing' })
    expect((await turn(loanRoute.resume, {})).code).toBe(40001)
    answering = false
    for (const as of [maker, checker])
      expect(await turn(loanRoute.resume, { remark: 'it is back' }, as)).toMatchObject({ code: 40901 })
    expect((await rowOf()).pauseStatus).toBe('paused')
    answering = true
    const stranger = await p.person({ perms: codes.filter(code => code !== 'fund:channel:pause') })
    expect((await turn(loanRoute.resume, {}, stranger)).code).toBe(40301)
    expect((await turn(loanRoute.resume, {}, checker)).code).toBe(0)
    expect(await rowOf()).toMatchObject({ pauseStatus: 'open', pausedName: null, pauseReason: null })
    await turn(loanRoute.pause, { reason: 'once more' })
    expect((await turn(loanRoute.resume, { remark: 'it is back' })).code).toBe(0)
  })

  it('after-loan 13: pauses by itself after so many payouts without an outcome in a row, and one outcome breaks the row', async () => {
    const limit = { channel: 'mtn_momo', version: (await rowOf()).version, pauseAfterUnknown: 3 }
    expect((await p.call(loanRoute.limit, limit, { as: maker })).code).toBe(0)
    p.sends.push(none, none, { kind: 'success', serialNo: 'MP1' }, none)
    for (let at = 0; at < 4; at++) {
      p.clock.advance(1000)
      await sent(1)
    }
    expect((await rowOf()).pauseStatus).toBe('open')
    p.sends.push(none)
    await p.fund('1000000.00')
    p.clock.advance(1000)
    await sent(1)
    expect((await rowOf()).pauseStatus).toBe('open')
    p.sends.push(none)
    p.clock.advance(1000)
    await sent(1)
    expect(await rowOf()).toMatchObject({ pauseStatus: 'paused', pauseReason: '3 unknown', unknownCount: 5 })
    expect(await sent(1)).toMatchObject([{ waitReason: 'channel_paused' }])
  })

  it('after-loan 13: paused after five unknown in a row lets payouts by Airtel go on, and the others say that they wait for it', async () => {
    await inForce({ routeName: 'MTN', network: 'mtn', fallback: true })
    await inForce({ routeName: 'Airtel', priority: 2, targets: only(['FA4', 100]), fallback: true })
    const limit = { channel: 'mtn_momo', version: (await rowOf()).version, pauseAfterUnknown: 5 }
    expect((await p.call(loanRoute.limit, limit, { as: maker })).code).toBe(0)
    await p.fund('5000000.00')
    for (let n = 0; n < 5; n++) {
      p.sends.push(none)
      p.clock.advance(1000)
      await sent(1)
      expect((await rowOf()).pauseStatus).toBe(n < 4 ? 'open' : 'paused')
    }
    expect(await rowOf()).toMatchObject({ pauseReason: '5 unknown' })
    const before = p.sent.length
    const [waiting] = await sent(1)
    expect(waiting).toMatchObject({ loanCodeStatus: 'created', waitReason: 'channel_paused' })
    expect(text('en', 'dict.WAIT_REASON.channel_paused')).toBe('Channel paused')
    expect(p.sent).toHaveLength(before)
    const { loanCode } = await p.approved({ subtype: 'airtel' })
    await p.run()
    expect(await p.code(loanCode)).toMatchObject({ fundAccountNo: 'FA4', channel: 'airtel_money' })
  })
})
