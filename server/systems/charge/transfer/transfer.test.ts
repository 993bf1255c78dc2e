import { sql } from 'kysely'
import { afterAll, describe, expect, it } from 'vitest'
import { contract } from '../../../../core/contract/contract.ts'
import { text } from '../../../../core/i18n/server.ts'
import { addDays, eatDate } from '../../../../core/rules/time.ts'
import { openFixture } from '../../../../tests/contract/fixture.ts'
import { done } from '../../../testing/acts.ts'
import type { Input } from '../../../testing/facts.ts'
import { switched } from '../../../testing/proven.ts'
import { none } from '../../after-loan/payout/payout-fixture.ts'
import { accountsOf, approved, asked, failed, form, ofTransfer, proves, sent } from './transfer-made.facts.ts'

const { transfer } = contract
const fixture = await openFixture()
afterAll(() => fixture.close())
const { boss, second } = fixture
const own = await accountsOf(fixture)

const ask = (call: Parameters<typeof fixture.ask>[0], input: Input, as = boss) => fixture.ask(call, input, { as })
const transferOf = (no: string) => fixture.rowOf('transferApplication', no) as Promise<Record<string, unknown>>
const balanceOf = async (no: string) =>
  (
    await fixture.one(
      sql<{ b: string }>`select balance::text as b from ledger_balance where account_code = ${`bank:${no}`}`,
    )
  ).b
const postings = async (no: string) =>
  (
    await fixture.rows(
      sql<{
        postingCode: string
      }>`select posting_code from journal where cause = ${`transfer_apply:${no}`} order by journal_no`,
    )
  ).map(row => row.postingCode)
const setting = (key: string, value: string) =>
  fixture.exec(sql`
    insert into business_config (config_key, config_value) values (${key}, ${value}::jsonb) on conflict (config_key) do update set config_value = excluded.config_value`)

describe('what may be asked for', () => {
  it('moves whole shillings that the account has between two accounts, for a purpose that fits its lenders', async () => {
    const tried = async (more: Input) => ask(transfer.submit, await form(fixture, boss, more))
    const refused: [Input, string][] = [
      [{ toAccountNo: own.wallet }, text('en', 'errors.sameAccount')],
      [{ transferAmount: '0.00' }, text('en', 'errors.transferNothing')],
      [{ transferAmount: '10.50' }, text('en', 'validation.wholeShillings')],
      [{ toAccountNo: own.lender }, text('en', 'errors.betweenLenders')],
      [{ transferPurpose: 'between_lenders' }, text('en', 'errors.sameLender')],
    ]
    for (const [more, msg] of refused) expect(await tried(more), msg).toMatchObject({ code: 40001, msg })
    const over = await tried({ transferAmount: '900000001.00' })
    expect(over).toMatchObject({ code: 40001, msg: text('en', 'errors.transferTooMuch', { available: '900,000,000' }) })
  })

  it('leaves what other transfers are waiting for, and asks before it goes below the minimum', async () => {
    const no = await asked(fixture, {
      fromAccountNo: own.other,
      toAccountNo: own.wallet,
      transferAmount: '899000000.00',
    })
    const more = { fromAccountNo: own.other, toAccountNo: own.wallet, transferAmount: '1000001.00' }
    expect((await ask(transfer.submit, await form(fixture, boss, more))).msg).toContain('Limit exceeded')
    await fixture.exec(sql`update fund_account set min_balance = 500000 where fund_account_no = ${own.other}`)
    const low = { ...more, transferAmount: '600000.00' }
    expect(await ask(transfer.submit, await form(fixture, boss, low))).toMatchObject({ code: 40002 })
    expect((await ask(transfer.submit, await form(fixture, boss, { ...low, confirmBelowMinimum: true }))).code).toBe(0)
    await fixture.exec(sql`update fund_account set min_balance = 0 where fund_account_no = ${own.other}`)
    await done(fixture, transfer.giveUp, await ofTransfer(fixture, no, { reason: 'a test' }), second)
  })
})

describe('who approves', () => {
  it('charge 10: is never who asked, and above the second cap two different checkers', async () => {
    const no = await asked(fixture, { transferAmount: '250000000.00' }, boss)
    expect(await ask(transfer.approve, await ofTransfer(fixture, no))).toMatchObject({
      code: 40301,
      msg: text('en', 'errors.transferOwn'),
    })
    const first = await ask(transfer.approve, await ofTransfer(fixture, no), second)
    expect(first).toMatchObject({ code: 0, data: { transferStatus: 'pending', approvalCount: 1, approvalNeeded: 2 } })
    expect(await ask(transfer.approve, await ofTransfer(fixture, no), second)).toMatchObject({
      code: 40301,
      msg: text('en', 'errors.approvedBefore'),
    })
    const third = await fixture.reviewer()
    expect(await ask(transfer.approve, await ofTransfer(fixture, no), third)).toMatchObject({
      code: 0,
      data: { transferStatus: 'approved', approvalCount: 2 },
    })
    await done(fixture, transfer.auditGiveUp, await ofTransfer(fixture, no, { reason: 'a test' }), third)
  })

  it('holds the code for amounts above the first cap, the stricter of then and now', async () => {
    const junior = await fixture.reviewer({ perms: ['transfer:audit:page', 'transfer:audit', 'transfer:page'] })
    const no = await asked(fixture, { transferAmount: '40000000.00' })
    await setting('transfer.checkerCap', '"30000000"')
    expect(await ask(transfer.approve, await ofTransfer(fixture, no), junior)).toMatchObject({
      code: 40301,
      msg: text('en', 'errors.aboveCheckerCap'),
    })
    await setting('transfer.checkerCap', '"90000000"')
    expect((await ask(transfer.approve, await ofTransfer(fixture, no), junior)).code).toBe(0)
    const large = await asked(fixture, { transferAmount: '60000000.00' })
    expect((await ask(transfer.approve, await ofTransfer(fixture, large), junior)).code).toBe(0)
    await fixture.exec(sql`delete from business_config where config_key = 'transfer.checkerCap'`)
    const larger = await asked(fixture, { transferAmount: '60000000.00' })
    await setting('transfer.checkerCap', '"90000000"')
    expect((await ask(transfer.approve, await ofTransfer(fixture, larger), junior)).code).toBe(40301)
    await fixture.exec(sql`delete from business_config where config_key = 'transfer.checkerCap'`)
    for (const one of [no, large])
      await done(fixture, transfer.auditGiveUp, await ofTransfer(fixture, one, { reason: 'a test' }))
    await done(fixture, transfer.giveUp, await ofTransfer(fixture, larger, { reason: 'a test' }), second)
  })
})

describe('the money', () => {
  it('leaves once, is unknown while nobody says, and is in the other account when it was paid', async () => {
    const [from, to] = [await balanceOf(own.wallet), await balanceOf(own.other)]
    const no = await sent(fixture, none)
    expect(await transferOf(no)).toMatchObject({ transferStatus: 'paying' })
    expect((await ask(transfer.payout, await ofTransfer(fixture, no))).code).toBe(40901)
    expect(Number(await balanceOf(own.wallet))).toBe(Number(from) - 1_000_000)
    await proves(fixture, no, 'paid')
    expect(await transferOf(no)).toMatchObject({ transferStatus: 'paid', arriveTime: null })
    expect(Number(await balanceOf(own.other))).toBe(Number(to) + 1_000_000)
    expect(await postings(no)).toEqual(['P11a', 'P11b'])
  })

  it('is back after a failure, and goes again under a new reference', async () => {
    const from = await balanceOf(own.wallet)
    const no = await failed(fixture)
    expect(await balanceOf(own.wallet)).toBe(from)
    expect(await postings(no)).toEqual(['P11a', 'P11c'])
    await done(fixture, transfer.payout, await ofTransfer(fixture, no))
    await fixture.worker.drain()
    const refs = await fixture.rows(
      sql<{ ref: string }>`select gateway_ref as ref from gateway_attempt where parent_no = ${no}`,
    )
    expect(new Set(refs.map(({ ref }) => ref)).size).toBe(2)
    await proves(fixture, no, 'paid', 2)
  })

  it('charge 12: is not sent when two approved transfers exceed the balance: the second stays approved', async () => {
    const [one, other] = [await approved(fixture), await approved(fixture)]
    const balance = await balanceOf(own.wallet)
    await fixture.exec(sql`update ledger_balance set balance = 1500000 where account_code = ${`bank:${own.wallet}`}`)
    const inputs = [await ofTransfer(fixture, one), await ofTransfer(fixture, other)]
    const heard = await Promise.all(inputs.map(input => ask(transfer.payout, input)))
    expect(heard.map(({ code }) => code).sort()).toEqual([0, 40001])
    expect(heard.find(({ code }) => code !== 0)?.msg).toBe(text('en', 'errors.balanceShort', { available: '500,000' }))
    const states = [(await transferOf(one)).transferStatus, (await transferOf(other)).transferStatus]
    expect(states.sort()).toEqual(['approved', 'paying'])
    await fixture.exec(
      sql`update ledger_balance set balance = ${String(Number(balance) - 1_000_000)}::numeric where account_code = ${`bank:${own.wallet}`}`,
    )
    await fixture.worker.drain()
  })

  it('is not sent beyond what its account may send in a day, however much it holds: tomorrow it is', async () => {
    const before = await sent(fixture, none)
    const { used } = await fixture.one(sql<{ used: string }>`
      select sum(amount)::text as used from gateway_attempt where fund_account_no = ${own.wallet} and attempt_status <> 'failed'`)
    const cap = (amount: string) =>
      fixture.exec(sql`update fund_account set daily_cap = ${amount}::numeric where fund_account_no = ${own.wallet}`)
    await cap(String(Number(used) + 1_500_000))
    const both = [await approved(fixture), await approved(fixture)]
    const inputs = [await ofTransfer(fixture, both[0]!), await ofTransfer(fixture, both[1]!)]
    const heard = await Promise.all(inputs.map(input => ask(transfer.payout, input)))
    expect(heard.map(({ code }) => code).sort()).toEqual([0, 40001])
    const refused = heard.findIndex(({ code }) => code !== 0)
    expect(heard[refused]?.msg).toBe(text('en', 'errors.dailyCapReached', { available: '500,000' }))
    expect(await transferOf(both[refused]!)).toMatchObject({ transferStatus: 'approved' })
    await fixture.worker.drain()
    await fixture.pass(1440)
    expect((await ask(transfer.payout, await ofTransfer(fixture, both[refused]!))).code).toBe(0)
    await fixture.worker.drain()
    await cap('0')
    for (const no of [before, ...both]) await proves(fixture, no, 'paid')
  })

  it('of a bank is paid by hand, and two persons other than its maker confirm it', async () => {
    const no = await approved(fixture, { fromAccountNo: own.bank })
    expect((await ask(transfer.payout, await ofTransfer(fixture, no))).msg).toBe(text('en', 'errors.paidByHand'))
    const hand = await ofTransfer(fixture, no, { serialNo: 'SLIP1', evidence: await fixture.uploaded() })
    expect((await ask(transfer.sent, hand)).code).toBe(0)
    const said = { result: 'success', serialNo: 'SLIP1', statementDate: fixture.clock.now().toISOString().slice(0, 10) }
    const makers = await ofTransfer(fixture, no, { ...said, evidence: await fixture.uploaded(second) })
    expect((await ask(transfer.confirm, makers, second)).code).toBe(40301)
    for (const person of [boss, await fixture.reviewer()]) {
      const input = await ofTransfer(fixture, no, { ...said, evidence: await fixture.uploaded(person) })
      expect((await ask(transfer.confirm, input, person)).code).toBe(0)
    }
    expect(await transferOf(no)).toMatchObject({ transferStatus: 'paid', serialNo: 'SLIP1' })
  })

  it('stops where an account was disabled meanwhile', async () => {
    const no = await approved(fixture)
    await fixture.exec(
      sql`update fund_account set enabled = ${switched('disabled')} where fund_account_no = ${own.other}`,
    )
    expect(await ask(transfer.payout, await ofTransfer(fixture, no))).toMatchObject({
      code: 40901,
      msg: text('en', 'errors.accountDisabled'),
    })
    await fixture.exec(
      sql`update fund_account set enabled = ${switched('enabled')} where fund_account_no = ${own.other}`,
    )
  })

  it('charge 11: of a bank is paid at once, its arrival is open for a day, and the statement of the wallet says when it arrived', async () => {
    const no = await approved(fixture, { fromAccountNo: own.bank, toAccountNo: own.other })
    const slip = { serialNo: 'SLIP11', evidence: await fixture.uploaded() }
    expect((await ask(transfer.sent, await ofTransfer(fixture, no, slip))).code).toBe(0)
    const said = {
      result: 'success',
      serialNo: 'SLIP11',
      statementDate: fixture.clock.now().toISOString().slice(0, 10),
    }
    for (const person of [boss, await fixture.reviewer()]) {
      const input = await ofTransfer(fixture, no, { ...said, evidence: await fixture.uploaded(person) })
      expect((await ask(transfer.confirm, input, person)).code).toBe(0)
    }
    expect(await transferOf(no)).toMatchObject({ transferStatus: 'paid', arriveTime: null })
    const items = () =>
      fixture.rows(sql<object>`select recon_kind from recon_item where reference = ${no} and recon_status = 'open'`)
    await fixture.pass(1440)
    await fixture.tick('transfer.arrivals')
    expect(await items()).toEqual([])
    const arrived = `${addDays(eatDate(fixture.clock.now()), 0)} 09:30`
    await fixture.pass(1440)
    const { balance } = await fixture.one(sql<{ balance: string }>`
      select coalesce(sum(l.amount), 0)::numeric(18,2)::text as balance from journal_line l where l.account_code = ${`bank:${own.other}`}`)
    const file = `serialNo,entryTime,amount,paymentCode,runningBalance\nIN11,${arrived},1000000,${no},${balance}`
    const uploadNo = await fixture.uploaded(boss, {
      purpose: 'statement',
      fileName: 'wallet.csv',
      bytes: Buffer.from(file),
    })
    const day = arrived.slice(0, 10)
    const brought = { fundAccountNo: own.other, uploadNo, fromDate: day, toDate: day }
    expect(await ask(contract.recon.import, brought)).toMatchObject({ code: 0, data: { addedCount: 1 } })
    await fixture.worker.drain()
    await fixture.tick('transfer.arrivals')
    expect(await transferOf(no)).toMatchObject({
      arriveTime: new Date(`${arrived.replace(' ', 'T')}+03:00`).toISOString(),
    })
    expect(await items()).toEqual([])
    expect(await fixture.rows(sql<object>`select line_status from statement_line where serial_no = 'IN11'`)).toEqual([
      { lineStatus: 'matched' },
    ])
  })

  it('that no statement shows after two days is a difference, once; before that it is not', async () => {
    const no = await sent(fixture)
    await proves(fixture, no, 'paid')
    const items = () =>
      fixture.rows(sql<{ difference: string }>`select difference from recon_item where reference = ${no}`)
    await fixture.pass(1440)
    await fixture.tick('transfer.arrivals')
    expect(await items()).toEqual([])
    await fixture.pass(2 * 1440)
    await fixture.tick('transfer.arrivals')
    await fixture.tick('transfer.arrivals')
    expect(await items()).toEqual([{ difference: '-1000000.00' }])
  })
})

it('the accounts say what they have, what is promised of it and what they need', async () => {
  const { list } = (await fixture.call(transfer.accounts, {}, { as: boss })).data
  const wallet = list.find(one => one.fundAccountNo === own.wallet)
  const promised = await fixture.one(sql<{ sum: string }>`
    select coalesce(sum(transfer_amount), 0)::numeric(18,2)::text as sum from transfer_apply where from_account_no = ${own.wallet} and transfer_status in ('pending', 'approved')`)
  expect(wallet).toMatchObject({ promised: promised.sum, balance: await balanceOf(own.wallet) })
  expect(Number(wallet?.available)).toBe(Number(wallet?.balance) - Number(promised.sum))
})
