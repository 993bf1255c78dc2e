import { sql } from 'kysely'
import { afterAll, describe, expect, it } from 'vitest'
import { contract } from '../../../../core/contract/contract.ts'
import { text } from '../../../../core/i18n/server.ts'
import { add, type Money, sub } from '../../../../core/rules/money.ts'
import { openFixture } from '../../../../tests/contract/fixture.ts'
import { spendable } from '../../../money/spendable.ts'
import { done } from '../../../testing/acts.ts'
import { none } from '../payout/payout-fixture.ts'
import { asks, type Customer, customerOf, failed, ofWithdrawal, proves, rewarded, sent } from './wallet-made.facts.ts'

const { wallet } = contract
const fixture = await openFixture()
afterAll(() => fixture.close())
const { boss } = fixture

const withdrawalOf = (no: string) => fixture.rowOf('walletWithdrawal', no) as Promise<Record<string, unknown>>
const postings = async (no: string) =>
  (
    await fixture.rows(
      sql<{
        code: string
      }>`select posting_code as code from journal where cause = ${`wallet_withdrawal:${no}`} order by journal_no`,
    )
  ).map(({ code }) => code)
const inWallet = async ({ customerNo }: Customer) =>
  (await fixture.call(wallet.statement, { customerNo }, { as: boss })).data.walletBalance

describe('what a customer takes out', () => {
  it('is whole shillings of the wallet within the cap of a day', async () => {
    const customer = await customerOf(fixture)
    await rewarded(fixture, customer)
    const refused: [string, string][] = [
      ['0.00', text('en', 'errors.transferNothing')],
      ['10.50', text('en', 'validation.wholeShillings')],
      ['20001.00', text('en', 'errors.walletTooMuch', { available: '20,000' })],
    ]
    for (const [amount, msg] of refused)
      expect(await asks(fixture, customer, amount)).toMatchObject({ code: 40001, msg })
    await rewarded(fixture, customer, '600000.00')
    const msg = text('en', 'errors.walletDailyCap', { available: '500,000' })
    expect(await asks(fixture, customer, '500001.00')).toMatchObject({ code: 40001, msg })
  })

  it('goes to no wallet that a loan never reached', async () => {
    const orderNo = await fixture.queueUp('M1')
    const { customerNo } = await fixture.one(
      sql<{ customerNo: string }>`select customer_no from loan_order where order_no = ${orderNo}`,
    )
    const customer = { customerNo, merchantNo: 'M1' } as const
    await rewarded(fixture, customer)
    expect(await asks(fixture, customer)).toMatchObject({ code: 40901, msg: text('en', 'errors.walletNoPayee') })
  })

  it('is paid once for one number of the app, and never for another request under it', async () => {
    const customer = await customerOf(fixture)
    await rewarded(fixture, customer)
    const first = await asks(fixture, customer, '5000.00', { requestNo: 'SAME1' })
    const again = await asks(fixture, customer, '5000.00', { requestNo: 'SAME1' })
    expect(again.data).toEqual(first.data)
    expect((await asks(fixture, customer, '6000.00', { requestNo: 'SAME1' })).msg).toBe(
      text('en', 'errors.withdrawReused'),
    )
    expect(await inWallet(customer)).toBe('15000.00')
    await fixture.worker.drain()
  })
})

describe('the money', () => {
  it('leaves the wallet at once, is unknown while nobody says, and is booked out of the account when it was paid', async () => {
    const customer = await customerOf(fixture)
    const no = await sent(fixture, none, customer)
    expect(await inWallet(customer)).toBe('15000.00')
    expect(await withdrawalOf(no)).toMatchObject({ withdrawStatus: 'paying' })
    const input = await ofWithdrawal(fixture, no, { reason: 'x' })
    expect(await fixture.ask(wallet.cancel, input, { as: boss })).toMatchObject({
      code: 40901,
      msg: text('en', 'errors.withdrawPaying'),
    })
    await proves(fixture, no, 'paid')
    expect(await withdrawalOf(no)).toMatchObject({ withdrawStatus: 'success' })
    expect(await postings(no)).toEqual(['P12a', 'P12b'])
  })

  it('is not lent to anybody while it is on its way', async () => {
    const no = await sent(fixture, none)
    const { fundAccountNo } = await fixture.one(
      sql<{ fundAccountNo: string }>`select fund_account_no from wallet_withdrawal where withdraw_no = ${no}`,
    )
    const bank = `bank:${fundAccountNo}`
    const { balance } = await fixture.one(
      sql<{ balance: string }>`select balance from ledger_balance where account_code = ${bank}`,
    )
    const holds = (amount: string) =>
      fixture.exec(sql`update ledger_balance set balance = ${amount}::numeric where account_code = ${bank}`)
    const { loanCode } = await fixture.approved()
    const { amount } = await fixture.one(
      sql<{ amount: string }>`select actual_loan_amount as amount from loan_code where loan_code = ${loanCode}`,
    )
    const others = await fixture.db.withTx(tx => spendable(tx, fundAccountNo))
    // The account holds the loan to the shilling, if the withdrawal were not on its way.
    await holds(sub(add(amount as Money, sub(balance as Money, others)), '1.00'))
    await fixture.tick('payout.dispatch')
    await fixture.worker.drain()
    expect(await fixture.rowOf('loanCode', loanCode)).toMatchObject({
      loanCodeStatus: 'created',
      waitReason: 'short_balance',
    })
    await holds(balance)
    await fixture.tick('payout.dispatch')
    await fixture.worker.drain()
    expect(await fixture.rowOf('loanCode', loanCode)).toMatchObject({ loanCodeStatus: 'remitting' })
    await proves(fixture, no, 'paid')
  })

  it('goes again under a new reference after a failure, five times at most', async () => {
    const no = await failed(fixture)
    await fixture.exec(sql`update wallet_withdrawal set attempt_no = 4 where withdraw_no = ${no}`)
    fixture.network.sends.push({ kind: 'failure', failType: 'other', answerCode: 'X', answerMessage: 'x' })
    expect((await done(fixture, wallet.retry, { withdrawNos: [no] })).ok).toBe(1)
    await fixture.worker.drain()
    const { rows } = (await fixture.call(wallet.retry, { withdrawNos: [no] }, { as: boss })).data
    expect(rows[0]?.msg).toBe(text('en', 'errors.withdrawAttempts', { count: 5 }))
    expect(await postings(no)).toEqual(['P12a'])
  })

  it('is back in the wallet when it is cancelled, and held apart when it was paid all the same', async () => {
    const customer = await customerOf(fixture)
    const no = await failed(fixture, customer)
    await done(fixture, wallet.cancel, await ofWithdrawal(fixture, no, { reason: 'wrong number' }))
    expect(await inWallet(customer)).toBe('20000.00')
    await proves(fixture, no, 'paid')
    expect(await withdrawalOf(no)).toMatchObject({ withdrawStatus: 'cancelled' })
    const item = await fixture.one(
      sql<{ kind: string }>`select recon_kind as kind from recon_item where reference = ${`${no}-1`}`,
    )
    expect(item.kind).toBe('paid_not_expected')
  })
})

it('one order or task rewards a customer once', async () => {
  const customer = await customerOf(fixture)
  const { giveReward } = await import('./reward.ts')
  const reward = {
    ...customer,
    rewardType: 'task',
    activityType: 'Profile',
    sourceNo: 'TASK1',
    rewardAmount: '700.00',
  } as const
  const give = () =>
    fixture.db.withTx(tx => giveReward(tx, reward, { no: 'system', name: 'system', requestId: 'r', ip: null }))
  expect(await give()).toBe(await give())
  expect(await inWallet(customer)).toBe('700.00')
})
