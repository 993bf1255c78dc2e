import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { loan } from '../../../core/contract/after-loan/loan.ts'
import { common } from '../../../core/contract/common/common.ts'
import type { Money } from '../../../core/rules/money.ts'
import { runInvariants } from '../../invariants/invariants.ts'
import { type Made, paidOut } from '../../systems/after-loan/payout/payout-fixture.ts'
import type { WalletChannel } from '../gateway.ts'
import { payIns } from './pay-ins.ts'
import { channels, type Fixture, openFixture, own } from './wallet-fixture.ts'

type Played = {
  debt: { orderNo: string; payCode: string }
  payouts: Record<'G22' | 'G23' | 'G24' | 'G28', Made>
  serials: Record<'R02' | 'R03' | 'R04' | 'R08', string>
  owedBefore: Money
  owedAfter: Money
}

let fixture: Fixture
const played = new Map<WalletChannel, Played>()

/** A day on which everything happens that only a statement, or no statement, shows. */
const play = async (channel: WalletChannel): Promise<Played> => {
  const pays = payIns(fixture, channel)
  const debt = await pays.debtor(o => fixture.order(channel, o))
  const made = async (code: string) => {
    const order = await fixture.order(channel, { code })
    await fixture.p.run()
    return order
  }
  const payouts = { G22: await made('G22'), G23: await made('G23'), G24: await made('G24'), G28: await made('G28') }
  await fixture.pass(60)
  const pay = async (code: string) =>
    String(
      (await pays.pay({ reference: debt.payCode, payer: pays.stranger(), amount: 10_000, case: code }))
        .financialTransactionId,
    )
  const [R02, R03, R08] = [await pay('R02'), await pay('R03'), await pay('R08')]
  const owedBefore = await pays.owed(debt.orderNo)
  const R04 = await pay('R04')
  return { debt, payouts, serials: { R02, R03, R04, R08 }, owedBefore, owedAfter: owedBefore }
}

const rows = <T>(query: ReturnType<typeof sql<T>>) => fixture.p.db.read(tx => tx.rows(query))
type Line = { serialNo: string; lineKind: string; lineStatus: string; amount: Money }
const linesOf = (channel: WalletChannel, reference: string) =>
  rows(sql<Line>`
    select serial_no, line_kind, line_status, amount from statement_line
    where fund_account_no = ${own[channel].account} and (serial_no = ${reference} or relates_to = ${reference} or reference = ${reference})
    order by entry_time, line_kind desc, line_status`)
type Item = { reconKind: string; reconStatus: string; gap: Money; remark: string | null }
const itemsOf = (objectNo: string) =>
  rows(sql<Item>`
    select recon_kind, recon_status, gap, remark from recon_item where object_no = ${objectNo} order by created_time, recon_item_no`)
type Run = {
  reconDate: string
  closingStatement: Money
  closingLedger: Money
  inFlight: Money
  openSum: Money
  unexplained: Money
  reconResult: string
}
const runsOf = (channel: WalletChannel) =>
  rows(sql<Run>`select * from recon_run where fund_account_no = ${own[channel].account} order by recon_date`)
const flowOf = async (channel: WalletChannel, serialNo: string) =>
  (
    await rows(sql<{ flowNo: string; flowStatus: string; source: string }>`
      select flow_no, flow_status, source from repay_flow where channel = ${channel} and serial_no = ${serialNo}`)
  )[0]
const attemptOf = ({ loanCode }: Made) => fixture.p.attempt(loanCode)
/** What the network calls a payout of ours on its statement. */
const referenceOf = async (channel: WalletChannel, made: Made) => {
  const { externalId, gatewayRef } = await attemptOf(made)
  return channel === 'mtn_momo' ? externalId : gatewayRef
}

beforeAll(async () => {
  fixture = await openFixture()
  for (const channel of channels) played.set(channel, await play(channel))
  await fixture.closeDay()
})
afterAll(async () => {
  const broken = await fixture.p.db.read(runInvariants)
  expect(broken.filter(({ name }) => name !== 'V16b')).toEqual([])
  await fixture.close()
})

describe.each(channels)('the statement of the first day of %s', channel => {
  const of = () => played.get(channel) as Played

  it('G22: one reference on two lines: the first is our payout, the second a difference', async () => {
    const made = of().payouts.G22
    const { serialNo } = await attemptOf(made)
    const lines = await linesOf(channel, await referenceOf(channel, made))
    expect(lines.map(({ lineStatus, amount }) => [lineStatus, amount])).toEqual([
      ['matched', paidOut],
      ['new', paidOut],
    ])
    expect(lines[0]?.serialNo).toBe(serialNo)
    expect(await itemsOf(made.loanCode)).toMatchObject([
      { reconKind: 'duplicate_line', reconStatus: 'open', gap: `-${paidOut}` },
    ])
    expect(await fixture.p.postings(made.loanCode)).toEqual(['P1a', 'P1b'])
  })

  it('G23: a success without a line is on its way for a day', async () => {
    const made = of().payouts.G23
    expect(await linesOf(channel, await referenceOf(channel, made))).toEqual([])
    expect(await itemsOf(made.loanCode)).toEqual([])
  })

  it('G24: what a payout cost is booked from its own line, to the shilling', async () => {
    const made = of().payouts.G24
    const [moved] = await fixture.moved(channel, made.orderNo)
    const lines = await linesOf(channel, await referenceOf(channel, made))
    expect(lines.map(({ lineKind, lineStatus }) => [lineKind, lineStatus])).toEqual([
      ['payment', 'matched'],
      ['fee', 'matched'],
    ])
    expect(lines[1]?.amount).toBe(moved?.fee)
    expect(await fixture.p.balance(`channel_cost:${channel}`)).toBe(moved?.fee)
  })

  it('R02: what was reported twice and stands on the statement is one flow', async () => {
    expect(await linesOf(channel, of().serials.R02)).toMatchObject([{ lineStatus: 'matched' }])
    expect((await flowOf(channel, of().serials.R02))?.source).toBe('callback')
  })

  it('R04: what only the statement shows becomes a flow, and is written off where nothing is in doubt', async () => {
    const { serials, debt, owedBefore } = of()
    expect(await linesOf(channel, serials.R04)).toMatchObject([{ lineStatus: 'matched' }])
    expect(await flowOf(channel, serials.R04)).toMatchObject({ flowStatus: 'exhausted', source: 'import' })
    expect(Number(await payIns(fixture, channel).owed(debt.orderNo))).toBeLessThan(Number(owedBefore))
  })

  it('closing statement = closing ledger + in flight + open differences', async () => {
    const runs = await runsOf(channel)
    expect(runs).toMatchObject([{ reconResult: 'differences', unexplained: '0.00' }])
  })
})

describe('the same statements once more', () => {
  const contents = () =>
    rows(sql`
      select 'statement' as kind, statement_no as no, null as status from statement union all select 'line', line_no, line_status from statement_line
      union all select 'item', recon_item_no, recon_status from recon_item union all select 'journal', journal_no::text, posting_code from journal
      union all select 'flow', flow_no, flow_status from repay_flow order by 1, 2`)

  it('change nothing (R02)', async () => {
    const before = await contents()
    const asked = await rows(
      sql<{ payload: Record<string, unknown> }>`select payload from job where queue = 'statement.fetch'`,
    )
    expect(asked).toHaveLength(2)
    await fixture.p.db.withTx(tx =>
      tx.exec(sql`update job set state = 'ready' where queue in ('statement.fetch', 'recon.run')`),
    )
    expect(await fixture.p.run()).toBeGreaterThanOrEqual(4)
    expect(await contents()).toEqual(before)
  })
})

describe.each(channels)('the statement of the second day of %s', channel => {
  const of = () => played.get(channel) as Played
  beforeAll(async () => {
    if (channel === channels[0]) await fixture.closeDay()
  })

  it('G23: by the second day the success without a line is a difference', async () => {
    const made = of().payouts.G23
    expect(await itemsOf(made.loanCode)).toMatchObject([
      { reconKind: 'ledger_only_out', reconStatus: 'open', gap: paidOut },
    ])
    expect((await fixture.p.code(made.loanCode)).loanCodeStatus).toBe('success')
  })

  it('R03: so is the receipt that never stands on a statement', async () => {
    const flow = await flowOf(channel, of().serials.R03)
    expect(await itemsOf(String(flow?.flowNo))).toMatchObject([
      { reconKind: 'ledger_only_in', reconStatus: 'open', gap: '-10000.00' },
    ])
  })

  it('R08: what the network takes back is a difference, and nothing is undone by itself', async () => {
    const flow = await flowOf(channel, of().serials.R08)
    expect(flow?.flowStatus).toBe('exhausted')
    const lines = await linesOf(channel, of().serials.R08)
    expect(lines.map(({ lineKind, lineStatus }) => [lineKind, lineStatus])).toEqual([
      ['payment', 'matched'],
      ['reversal', 'new'],
    ])
    expect(await itemsOf(String(flow?.flowNo))).toMatchObject([
      { reconKind: 'statement_only_out', reconStatus: 'open', gap: '-10000.00', remark: 'reversal' },
    ])
  })

  it('closing statement = closing ledger + in flight + open differences, on every day', async () => {
    const runs = await runsOf(channel)
    expect(runs).toHaveLength(2)
    for (const run of runs) expect(run).toMatchObject({ reconResult: 'differences', unexplained: '0.00' })
  })
})

describe.each(channels)('the statement of the fourth day of %s', channel => {
  const of = () => played.get(channel) as Played
  beforeAll(async () => {
    if (channel === channels[0]) for (let day = 3; day <= 4; day += 1) await fixture.closeDay()
  })

  it('G28: a payout that comes back is a difference of its code, and nothing is undone by itself', async () => {
    const made = of().payouts.G28
    const { serialNo } = await attemptOf(made)
    const lines = await linesOf(channel, String(serialNo))
    expect(lines.map(({ lineKind, lineStatus }) => [lineKind, lineStatus])).toEqual([
      ['payment', 'matched'],
      ['reversal', 'new'],
    ])
    expect(await itemsOf(made.loanCode)).toMatchObject([
      { reconKind: 'payout_returned', reconStatus: 'open', gap: paidOut },
    ])
    expect(await fixture.p.stateOf(made)).toEqual(['success', 'funds_disbursed'])
  })

  it('G28: once two people have agreed it is booked (P3) and its loan ends (P1d); the books are what the network shows', async () => {
    const made = of().payouts.G28
    const [maker, checker] = [
      await fixture.p.person({ perms: ['fund:cancelPay', 'fund:payout:page'] }),
      await fixture.p.person({ perms: ['fund:cancelPay', 'fund:cancelPay:check'] }),
    ]
    const { loanCode } = made
    const input = { loanCode, version: await fixture.p.versionOf(loanCode), reason: 'given back by the network' }
    const { data } = await fixture.p.call(loan.cancelPaid, input, { as: maker })
    const agreed = await fixture.p.call(common.approve, { approvalNo: data.approvalNo, version: 0 }, { as: checker })
    expect(agreed.code, agreed.msg).toBe(0)
    await fixture.settle()
    expect(await fixture.p.stateOf(made)).toEqual(['reversed', 'cancelled'])
    expect(await fixture.p.postings(loanCode)).toEqual(['P1a', 'P1b', 'P1d'])
    expect(await itemsOf(loanCode)).toMatchObject([
      { reconKind: 'payout_returned', reconStatus: 'explained', gap: '0.00' },
    ])
    const moved = (await fixture.moved(channel, made.orderNo)).map(({ kind, amount }) => [kind, amount])
    expect(moved).toEqual([
      ['payout', paidOut],
      ['return', paidOut],
    ])
    for (const run of await runsOf(channel)) expect(run).toMatchObject({ unexplained: '0.00' })
  })
})
