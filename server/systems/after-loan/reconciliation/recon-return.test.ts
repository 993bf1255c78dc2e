import { sql } from 'kysely'
import { afterAll, beforeEach, describe, expect, it } from 'vitest'
import { loan } from '../../../../core/contract/after-loan/loan.ts'
import { common } from '../../../../core/contract/common/common.ts'
import type { Money } from '../../../../core/rules/money.ts'
import { account } from '../../../money/ledger.ts'
import { type Made, paidOut } from '../payout/payout-fixture.ts'
import { type GivenLine, openRecon } from './recon-fixture.ts'

const fixture = await openRecon()
const { p, rows, endsDay, items, lines, codes, out } = fixture
const maker = await p.person({ perms: ['fund:cancelPay', 'fund:payout:page'] })
const checker = await p.person({ perms: ['fund:cancelPay', 'fund:cancelPay:check'] })

beforeEach(() => fixture.reset())
afterAll(() => p.close())

const back = (made: Made, more: Partial<GivenLine> = {}): GivenLine => ({
  serialNo: `RET${made.orderNo}`,
  direction: 'in',
  lineKind: 'reversal',
  amount: paidOut,
  relatesTo: `MP${made.orderNo}`,
  ...more,
})
const ask = async ({ loanCode }: Made) =>
  p.call(loan.cancelPaid, { loanCode, version: await p.versionOf(loanCode), reason: 'came back' }, { as: maker })
const approve = (approvalNo: string) => p.call(common.approve, { approvalNo, version: 0 }, { as: checker })
/** Two people agree, and what follows from it is done. */
const takenBack = async (made: Made) => {
  const { data, code, msg } = await ask(made)
  if (code !== 0) throw new Error(`refused: ${code} ${msg}`)
  expect(await approve(data.approvalNo)).toMatchObject({ code: 0 })
  await fixture.compare()
}
/** A payout that stands on the statement of its day, and days that go by. */
const paidBefore = async (days: number) => {
  const made = await p.succeeded()
  await endsDay([out(`MP${made.orderNo}`)])
  for (let day = 1; day < days; day++) await endsDay([])
  return made
}

describe('a payout that comes back', () => {
  it('is a difference of its code, and nothing is undone by itself', async () => {
    const made = await paidBefore(3)
    const before = await codes()
    const run = await endsDay([back(made)])
    expect(run).toMatchObject({ reconResult: 'differences', unexplained: '0.00', openSum: paidOut })
    expect(await items()).toMatchObject([{ reconKind: 'payout_returned', reconStatus: 'open', gap: paidOut }])
    expect(await rows(sql`select object_type, object_no from recon_item`)).toEqual([
      { objectType: 'loanCode', objectNo: made.loanCode },
    ])
    expect(await p.stateOf(made)).toEqual(['success', 'funds_disbursed'])
    expect(await codes()).toEqual(before)
    expect(await fixture.broken()).toEqual([])
  })

  it('is booked and ends its loan once two people have agreed, however late it came', async () => {
    const made = await paidBefore(5)
    await endsDay([back(made)])
    await takenBack(made)
    expect(await p.stateOf(made)).toEqual(['reversed', 'cancelled'])
    expect((await codes()).filter(code => ['P3', 'P1d'].includes(code))).toEqual(['P3', 'P1d'])
    expect(await items()).toMatchObject([{ reconKind: 'payout_returned', reconStatus: 'explained', gap: '0.00' }])
    expect(await lines()).toMatchObject([{ lineStatus: 'matched' }, { lineStatus: 'matched' }])
    expect(await rows(sql`select serial_no, amount, flow_status, source, payer_account from repay_flow`)).toMatchObject(
      [{ serialNo: `RET${made.orderNo}`, amount: paidOut, flowStatus: 'exhausted', source: 'import' }],
    )
    expect(await p.balance(account.principal(made.orderNo))).toBe('0.00')
    expect(await p.balance(account.bank('FA1'))).toBe('1000000.00')
    expect(await endsDay([])).toMatchObject({ reconResult: 'balanced', unexplained: '0.00' })
    expect(await fixture.broken()).toEqual([])
  })

  it('is taken in as soon as it stands on a statement where they had agreed before', async () => {
    const made = await paidBefore(1)
    await takenBack(made)
    expect(await p.stateOf(made)).toEqual(['reversing', 'funds_disbursed'])
    expect(await endsDay([back(made)])).toMatchObject({ reconResult: 'balanced', unexplained: '0.00' })
    expect(await p.stateOf(made)).toEqual(['reversed', 'cancelled'])
    expect(await items()).toEqual([])
    expect(await fixture.broken()).toEqual([])
  })

  it('is known by our reference where the channel does not name the payment', async () => {
    const made = await paidBefore(1)
    await takenBack(made)
    await endsDay([back(made, { relatesTo: null, reference: `${made.loanCode}-1` })])
    expect(await p.stateOf(made)).toEqual(['reversed', 'cancelled'])
  })

  it.each<[string, (made: Made) => Partial<GivenLine>]>([
    ['a part of it', () => ({ amount: '100000.00' satisfies Money })],
    ['what names no payment of ours', () => ({ relatesTo: 'MP-OTHER' })],
  ])('%s ends nothing', async (_, more) => {
    const made = await paidBefore(1)
    await takenBack(made)
    await endsDay([back(made, more(made))])
    expect(await p.stateOf(made)).toEqual(['reversing', 'funds_disbursed'])
    expect(await items()).toMatchObject([{ reconKind: 'payout_returned', reconStatus: 'open' }])
    expect((await codes()).filter(code => ['P3', 'P1d'].includes(code))).toEqual([])
    expect(await fixture.broken()).toEqual([])
  })

  it('after three days is not asked for while the money is not back', async () => {
    const made = await paidBefore(5)
    expect(await ask(made)).toMatchObject({ code: 40901 })
    const other = await p.succeeded()
    await endsDay([out(`MP${other.orderNo}`), back(other)])
    expect(await ask(made)).toMatchObject({ code: 40901 })
  })

  it('on two lines is taken in once', async () => {
    const made = await paidBefore(1)
    await endsDay([back(made), back(made, { serialNo: 'RET-AGAIN' })])
    await takenBack(made)
    expect((await codes()).filter(code => ['P3', 'P1d'].includes(code))).toEqual(['P3', 'P1d'])
    expect((await items()).map(({ reconStatus }) => reconStatus).sort()).toEqual(['explained', 'open'])
    expect(await fixture.broken()).toEqual([])
  })
})
