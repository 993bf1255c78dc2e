import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { contract } from '../../../../core/contract/contract.ts'
import { text } from '../../../../core/i18n/server.ts'
import { add, type Money, sub } from '../../../../core/rules/money.ts'
import { openFixture } from '../../../../tests/contract/fixture.ts'
import { done } from '../../../testing/acts.ts'
import { none } from '../payout/payout-fixture.ts'

const { balance } = contract
const fixture = await openFixture()
afterAll(() => fixture.close())
const { boss } = fixture

const booked = async (): Promise<Money> =>
  (await fixture.one(sql<{ balance: Money }>`select balance from ledger_balance where account_code = 'bank:FA1'`))
    .balance
const minutesAgo = (minutes: number) => new Date(fixture.clock.now().getTime() - minutes * 60_000).toISOString()
const enter = (lastBalance: string, entryDate = minutesAgo(0), as = boss) =>
  fixture.ask(balance.enter, { fundAccountNo: 'FA1', lastBalance, entryDate }, { as })
const entered = async (lastBalance: string, entryDate?: string) =>
  fixture.must(await enter(lastBalance, entryDate)) as {
    balanceEntryNo: string
    difference: string
    backfilled: boolean
  }
const rowNow = async () =>
  (await fixture.call(balance.page, { pageNum: 1, pageSize: 100 }, { as: boss })).data.list.find(
    row => row.fundAccountNo === 'FA1',
  )
const itemOf = async (reference: string) =>
  (
    await fixture.rows(
      sql<{ status: string; difference: string; cause: string | null }>`
        select recon_status as status, difference, recon_cause as cause from recon_item where recon_kind = 'balance_differs' and reference = ${reference}`,
    )
  )[0]

describe('a balance that somebody read', () => {
  it('is compared with the books of that moment; what they do not explain is a difference to be cleared', async () => {
    const good = await entered(await booked())
    expect(good).toMatchObject({ difference: '0.00', backfilled: false })
    expect(await itemOf(good.balanceEntryNo)).toBeUndefined()
    await fixture.pass(1)
    const off = await entered(sub(await booked(), '1200.00'))
    expect(off.difference).toBe('-1200.00')
    expect(await itemOf(off.balanceEntryNo)).toMatchObject({ status: 'open', difference: '-1200.00' })
    expect(await rowNow()).toMatchObject({ difference: '-1200.00', enteredToday: true, balanceSource: 'typed' })
  })

  it('expects what has left the books and has no outcome to be there still', async () => {
    fixture.network.sends.push(none)
    const { loanCode } = await fixture.approved()
    await fixture.tick('payout.dispatch')
    await fixture.worker.drain()
    const { amount } = await fixture.one(
      sql<{ amount: Money }>`select actual_loan_amount as amount from loan_code where loan_code = ${loanCode}`,
    )
    await fixture.pass(1)
    expect((await entered(add(await booked(), amount))).difference).toBe('0.00')
    expect((await rowNow())?.inFlightThen).toBe(amount)
  })

  it('of an earlier moment is marked, and the newest stays the last', async () => {
    await fixture.pass(60)
    await entered('5000.00')
    const late = await entered('4000.00', minutesAgo(30))
    expect(late.backfilled).toBe(true)
    expect((await rowNow())?.lastBalance).toBe('5000.00')
  })

  it.each([
    ['of a time that has not come', () => enter('1.00', minutesAgo(-5)), 'validation.notFuture'],
    ['of a moment that has one', () => enter('1.00', minutesAgo(30)), 'errors.dataExists'],
    ['with three decimals', () => enter('1.001'), 'validation.moneyFormat'],
    ['below nothing', () => enter('-1.00'), 'validation.moneyFormat'],
  ] as const)('%s is refused', async (_, ask, key) => {
    const { code, data } = await ask()
    expect(code).toBe(40001)
    expect(JSON.stringify(data)).toContain(text('en', key))
  })

  it('is not taken for an account that is off', async () => {
    await fixture.exec(sql`
      insert into fund_account (fund_account_no, account_name, account_role, lender_name, channel, account_number, enabled)
      values ('FOFF', 'Old wallet', 'payout', 'Nile Credit', 'mtn_momo', '256770001111', 'disabled')`)
    await fixture.exec(sql`insert into fund_account_merchant values ('FOFF', 'M1') on conflict do nothing`)
    const input = { fundAccountNo: 'FOFF', lastBalance: '1.00', entryDate: minutesAgo(1) }
    expect(await fixture.ask(balance.enter, input, { as: boss })).toMatchObject({
      code: 40901,
      msg: text('en', 'errors.balanceAccountOff'),
    })
  })
})

describe('a correction', () => {
  let wrong: Awaited<ReturnType<typeof entered>>
  beforeAll(async () => {
    await fixture.pass(60)
    wrong = await entered(add(await booked(), '90000.00'))
  })
  const asked = (lastBalance: string) => ({
    balanceEntryNo: wrong.balanceEntryNo,
    version: 0,
    lastBalance,
    reason: 'digits swapped',
  })

  it('of the same amount is none', async () => {
    const same = add(await booked(), '90000.00')
    expect((await fixture.ask(balance.correct, asked(same), { as: boss })).code).toBe(40001)
  })

  it('waits for a second person; then the old line stays, another takes its place, and its difference is explained', async () => {
    const right = await booked()
    const { approvalNo } = await done(fixture, balance.correct, asked(right))
    expect(await fixture.rowOf('balanceEntry', wrong.balanceEntryNo)).toMatchObject({ balanceEntryStatus: 'entered' })
    expect((await fixture.ask(balance.correct, asked('7.00'), { as: boss })).code).toBe(40901)
    await fixture.agree(String(approvalNo))
    const { list } = (await fixture.call(balance.history, { fundAccountNo: 'FA1' }, { as: boss })).data
    const [now, old] = [
      list.find(one => one.correctsNo === wrong.balanceEntryNo),
      list.find(one => one.balanceEntryNo === wrong.balanceEntryNo),
    ]
    expect(old).toMatchObject({ balanceEntryStatus: 'corrected', lastBalance: add(right, '90000.00') })
    expect(now).toMatchObject({ lastBalance: right, entryDate: old?.entryDate, balanceEntryStatus: 'entered' })
    expect(await itemOf(wrong.balanceEntryNo)).toMatchObject({ status: 'explained', cause: 'own_error' })
  })
})

describe('what the channel says', () => {
  it('is kept with the account and in its history, and is no difference of its own in the middle of payouts', async () => {
    await fixture.pass(1)
    const answer = await fixture.call(balance.fetch, { fundAccountNo: 'FA1' }, { as: boss })
    const { lastBalance } = fixture.must(answer)
    const row = await rowNow()
    expect(row).toMatchObject({ lastBalance, channelBalance: lastBalance, balanceSource: 'fetched' })
    const { list, days } = (await fixture.call(balance.history, { fundAccountNo: 'FA1' }, { as: boss })).data
    expect(await itemOf(list[0]?.balanceEntryNo ?? '')).toBeUndefined()
    expect(days).toHaveLength(30)
    expect(days.at(-1)).toMatchObject({ fetched: lastBalance, ledgerBalance: await booked() })
  })

  it('is not asked of a bank', async () => {
    await fixture.waitingForFile()
    expect((await fixture.ask(balance.fetch, { fundAccountNo: 'FA9' }, { as: boss })).code).toBe(40901)
  })
})

it('the figures of payment companies are those of their accounts', async () => {
  const { list } = (await fixture.call(balance.companies, {}, { as: boss })).data
  const wallet = list.find(one => one.channel === 'mtn_momo')
  expect(wallet?.ledgerBalance).toBe(await booked())
  expect(wallet).toMatchObject({ accounts: 1, entered: 1 })
})
