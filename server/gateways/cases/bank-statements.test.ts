import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { loan } from '../../../core/contract/after-loan/loan.ts'
import { common } from '../../../core/contract/common/common.ts'
import { bankAccountNo } from '../../systems/after-loan/bank-batch/bank-fixture.ts'
import { checkBooks } from '../../systems/after-loan/payout/payout-books.ts'
import { type Made, paidOut } from '../../systems/after-loan/payout/payout-fixture.ts'
import { type BankFixture, openBankFixture } from './bank-fixture.ts'

let fixture: BankFixture
let paid: Made
let returned: Made
let silent: Made

const rows = <T>(query: ReturnType<typeof sql<T>>) => fixture.p.db.read(tx => tx.rows(query))
type Run = { reconResult: string; unexplained: string }
const runs = () =>
  rows(sql<Run>`
    select recon_result, unexplained from recon_run where fund_account_no = ${bankAccountNo} order by recon_date`)
const linesOf = async ({ loanCode }: Made) =>
  rows(sql<{ lineKind: string; lineStatus: string; amount: string }>`
    select line_kind, line_status, amount from statement_line where reference = ${`${loanCode}-1`} order by entry_time, line_kind desc`)
const itemsOf = ({ loanCode }: Made) =>
  rows(sql<{ reconKind: string; reconStatus: string; gap: string }>`
    select recon_kind, recon_status, gap from recon_item where object_no = ${loanCode}`)

beforeAll(async () => {
  fixture = await openBankFixture()
  paid = await fixture.order('G01')
  returned = await fixture.order('G28')
  silent = await fixture.order('G25', 'silentPaid')
  await fixture.send()
  await fixture.closeDay()
})
afterAll(async () => {
  await checkBooks(fixture.p)
  await fixture.close()
})

describe('the statement of a bank', () => {
  it('shows what was paid, and the books agree with it', async () => {
    expect(await linesOf(paid)).toEqual([{ lineKind: 'payment', lineStatus: 'matched', amount: paidOut }])
    expect(await linesOf(returned)).toMatchObject([{ lineKind: 'payment', lineStatus: 'matched' }])
    expect(await runs()).toMatchObject([{ reconResult: 'balanced', unexplained: '0.00' }])
  })

  it('shows a payment that the bank never answered, which stays with the people who confirm it', async () => {
    expect(await linesOf(silent)).toMatchObject([{ lineKind: 'payment', lineStatus: 'matched' }])
    expect((await fixture.p.code(silent.loanCode)).loanCodeStatus).toBe('unknown')
    await fixture.confirm(silent)
    expect((await fixture.p.code(silent.loanCode)).loanCodeStatus).toBe('success')
    expect(await itemsOf(silent)).toEqual([])
  })

  it('G28: a payout that comes back three days later is a difference of its code, and nothing is undone by itself', async () => {
    for (let day = 2; day <= 4; day += 1) await fixture.closeDay()
    expect((await linesOf(returned)).map(({ lineKind, lineStatus }) => [lineKind, lineStatus])).toEqual([
      ['payment', 'matched'],
      ['reversal', 'new'],
    ])
    expect(await itemsOf(returned)).toMatchObject([{ reconKind: 'payout_returned', reconStatus: 'open', gap: paidOut }])
    expect(await fixture.p.stateOf(returned)).toEqual(['success', 'funds_disbursed'])
    expect((await runs()).map(one => one.unexplained)).toEqual(Array(4).fill('0.00'))
  })

  it('G28: once two people have agreed it is booked (P3) and its loan ends (P1d)', async () => {
    const { p } = fixture
    const { loanCode } = returned
    const maker = await p.person({ perms: ['fund:cancelPay', 'fund:payout:page'] })
    const checker = await p.person({ perms: ['fund:cancelPay', 'fund:cancelPay:check'] })
    const input = { loanCode, version: await p.versionOf(loanCode), reason: 'account closed' }
    const { data } = await p.call(loan.cancelPaid, input, { as: maker })
    const agreed = await p.call(common.approve, { approvalNo: data.approvalNo, version: 0 }, { as: checker })
    expect(agreed.code, agreed.msg).toBe(0)
    while ((await p.run()) > 0);
    expect(await p.stateOf(returned)).toEqual(['reversed', 'cancelled'])
    expect(await p.postings(loanCode)).toEqual(['P1a', 'P1b', 'P1d'])
    expect(await itemsOf(returned)).toMatchObject([{ reconStatus: 'explained', gap: '0.00' }])
  })

  it('the next day is balanced, and the ledger is what the bank really paid', async () => {
    await fixture.closeDay()
    expect((await runs()).at(-1)).toMatchObject({ reconResult: 'balanced', unexplained: '0.00' })
    const { ledger, truth } = await fixture.bothBalances()
    expect(ledger).toBe(truth)
  })
})
