import { sql } from 'kysely'
import { afterAll, beforeEach, describe, expect, it } from 'vitest'
import { contract } from '../../../../core/contract/contract.ts'
import type { InputOf } from '../../../../core/contract/endpoint.ts'
import { type Money, sub } from '../../../../core/rules/money.ts'
import { addDays, eatDate } from '../../../../core/rules/time.ts'
import { ledgerInvariants } from '../../../invariants/ledger.ts'
import type { Person } from '../../../testing/kit.ts'
import { wipe } from '../../../testing/wipe.ts'
import { paidOut } from '../payout/payout-fixture.ts'
import { openRecon } from './recon-fixture.ts'

const { common, recon } = contract
const fixture = await openRecon()
const { p, rows, endsDay, items, lines, codes, out } = fixture
const perms = ['fund:recon:page', 'fund:recon:handle', 'fund:recon:handle:check']
let maker: Person
let checker: Person

beforeEach(async () => {
  await fixture.reset()
  maker = await p.person({ perms })
  checker = await p.person({ perms })
})
afterAll(() => p.close())

const green = async () => {
  expect(await fixture.broken()).toEqual([])
  const apart = ledgerInvariants.filter(({ name }) => ['V1', 'L2a', 'V6a', 'L11', 'V2'].includes(name))
  for (const { name, broken } of apart)
    expect([name, await rows(sql`select * from (${broken}) broken`)]).toEqual([name, []])
}

type Line = InputOf<typeof recon.adjust>['lines'][number]
const debit = (account: Line['account'], amount: Money): Line => ({ account, side: 'debit', amount })
const credit = (account: Line['account'], amount: Money): Line => ({ account, side: 'credit', amount })

const openItem = async () => {
  const [item] = (await items()).filter(one => one.reconStatus === 'open')
  if (!item) throw new Error('nothing is open')
  return item
}
const asks = async (given: Line[]) => {
  const { reconItemNo, version } = await openItem()
  return p.call(recon.adjust, { reconItemNo, version, lines: given, reason: 'found out' }, { as: maker })
}
/** Two people settle what is open by a posting. */
const adjusts = async (given: Line[]) => {
  const asked = await asks(given)
  expect(asked.code, asked.msg).toBe(0)
  const { approvalNo } = asked.data as { approvalNo: string }
  return p.call(common.approve, { approvalNo, version: 0 }, { as: checker })
}
/** Every day is compared once more, and its equation still holds. */
const runsAgain = async () => {
  const days = await rows(sql<{ reconDate: string }>`select recon_date from recon_run order by 1`)
  for (const { reconDate } of days)
    expect((await p.call(recon.run, { fundAccountNo: 'FA1', reconDate }, { as: maker })).code).toBe(0)
  await fixture.compare()
  expect(await rows(sql`select recon_date, unexplained from recon_run where unexplained <> 0`)).toEqual([])
  await green()
}

describe('an adjustment', () => {
  const twice = async () => {
    const made = await p.succeeded()
    const reference = `${made.loanCode}-1`
    await endsDay([out(`MP${made.orderNo}`, { reference }), out('MP-AGAIN', { reference })])
    return made
  }

  it('sets a payment apart that was made twice, and then settles it (P1e, P15)', async () => {
    const made = await twice()
    expect(await openItem()).toMatchObject({ reconKind: 'duplicate_line', gap: `-${paidOut}` })
    expect((await adjusts([debit('payout_exception', paidOut), credit('bank', paidOut)])).code).toBe(0)
    expect(await p.postings(made.loanCode)).toEqual(['P1a', 'P1b', 'P1e'])
    expect(await p.balance('payout_exception:MP-AGAIN')).toBe(paidOut)
    expect((await lines()).map(one => one.lineStatus)).toEqual(['matched', 'matched'])
    expect(await items()).toMatchObject([
      { reconKind: 'duplicate_line', reconStatus: 'adjusted', gap: '0.00', handlerNo: checker.userNo },
      { reconKind: 'paid_not_expected', reconStatus: 'open', reference: 'MP-AGAIN', gap: '0.00' },
    ])
    await runsAgain()
    expect((await adjusts([credit('payout_exception', paidOut), debit('other_expense', paidOut)])).code).toBe(0)
    expect(await p.balance('payout_exception:MP-AGAIN')).toBe('0.00')
    expect(await p.balance('other_expense')).toBe(paidOut)
    expect((await items()).map(one => one.reconStatus)).toEqual(['adjusted', 'adjusted'])
    await runsAgain()
  })

  it.each<[string, Line[]]>([
    ['does not balance', [debit('other_expense', paidOut), credit('bank', '1.00')]],
    ['is of another amount', [debit('other_expense', '5.00'), credit('bank', '5.00')]],
    ['leaves the account as it is', [debit('other_expense', paidOut), credit('other_income', paidOut)]],
    ['puts it the wrong way round', [credit('other_income', paidOut), debit('bank', paidOut)]],
    [
      'sets apart another amount than left',
      [debit('payout_exception', '5.00'), debit('other_expense', '189995.00'), credit('bank', paidOut)],
    ],
    ['is of nothing', [debit('other_expense', '0.00'), credit('bank', '0.00')]],
  ])('that %s is refused, and nothing is posted', async (_, given) => {
    await twice()
    const before = await codes()
    expect(await asks(given)).toMatchObject({ code: 40001 })
    expect(await codes()).toEqual(before)
    expect(await rows(sql`select 1 from approval`)).toEqual([])
  })

  it('is not agreed to once the statement explained the difference by itself', async () => {
    const made = await p.succeeded()
    await endsDay([])
    await endsDay([])
    expect(await openItem()).toMatchObject({ reconKind: 'ledger_only_out', gap: paidOut })
    const asked = await asks([debit('bank', paidOut), credit('other_income', paidOut)])
    await endsDay([out(`MP${made.orderNo}`)])
    const { approvalNo } = asked.data as { approvalNo: string }
    await p.call(common.approve, { approvalNo, version: 0 }, { as: checker })
    expect(await codes()).not.toContain('P15')
    expect(await items()).toMatchObject([{ reconStatus: 'explained' }])
    await green()
  })

  it('lets a booking that no statement shows and its counter-booking explain each other', async () => {
    await p.succeeded()
    await endsDay([])
    await endsDay([])
    expect((await adjusts([debit('bank', paidOut), credit('other_income', paidOut)])).code).toBe(0)
    expect(await items()).toMatchObject([{ reconKind: 'ledger_only_out', reconStatus: 'adjusted', gap: '0.00' }])
    await endsDay([])
    await runsAgain()
  })

  it('settles the balance with which statements began, and the days before stay as they were', async () => {
    await fixture.reset('1000500.00')
    ;[maker, checker] = [await p.person({ perms }), await p.person({ perms })]
    expect(await endsDay([])).toMatchObject({ openSum: '500.00', unexplained: '0.00' })
    expect((await adjusts([debit('bank', '500.00'), credit('owner_funds', '500.00')])).code).toBe(0)
    expect(await endsDay([])).toMatchObject({ reconResult: 'balanced', openSum: '0.00' })
    await runsAgain()
    expect(await rows(sql`select recon_result from recon_run order by recon_date`)).toEqual([
      { reconResult: 'differences' },
      { reconResult: 'balanced' },
    ])
  })
})

describe('an explanation', () => {
  const explains = async () => {
    const { reconItemNo, version } = await openItem()
    const said = { reconItemNo, version, reconCause: 'timing', remark: 'known to them' } as const
    return p.call(recon.explain, said, { as: maker })
  }

  it('ends a difference, and what the statement lacks stays counted until it comes', async () => {
    const made = await p.succeeded()
    await endsDay([])
    await endsDay([])
    expect((await explains()).code).toBe(0)
    expect(await items()).toMatchObject([{ reconStatus: 'explained', gap: paidOut, handlerNo: maker.userNo }])
    expect(await endsDay([])).toMatchObject({ openSum: paidOut, unexplained: '0.00' })
    expect(await endsDay([out(`MP${made.orderNo}`)])).toMatchObject({ reconResult: 'balanced' })
    expect(await items()).toMatchObject([{ reconStatus: 'explained', gap: '0.00' }])
    await runsAgain()
  })

  it('is not enough where money stands apart', async () => {
    const made = await p.succeeded()
    const reference = `${made.loanCode}-1`
    await endsDay([out(`MP${made.orderNo}`, { reference }), out('MP-AGAIN', { reference })])
    await adjusts([debit('payout_exception', paidOut), credit('bank', paidOut)])
    expect(await explains()).toMatchObject({ code: 40901 })
    await green()
  })
})

describe('people match', () => {
  const twoLines = async (amounts: [Money, Money]) => {
    await p.approved()
    await p.run()
    await endsDay(amounts.map((amount, at) => ({ serialNo: `PART${at}`, direction: 'out', amount })))
    const journals = await rows(sql<{ journalNo: number }>`select journal_no from journal where posting_code = 'P1a'`)
    return { lineNos: (await lines()).map(one => one.lineNo), journalNos: journals.map(one => one.journalNo) }
  }

  it('several lines with a booking of the same sum, and their differences are explained', async () => {
    const given = await twoLines(['100000.00', '90000.00'])
    expect((await items()).map(one => one.reconStatus)).toEqual(['open', 'open'])
    expect((await p.call(recon.match, given, { as: maker })).code).toBe(0)
    expect((await lines()).map(one => one.lineStatus)).toEqual(['matched', 'matched'])
    expect((await items()).map(one => [one.reconStatus, one.gap])).toEqual([
      ['explained', '0.00'],
      ['explained', '0.00'],
    ])
    await runsAgain()
  })

  it('nothing of another sum, nothing twice, and no booking of elsewhere', async () => {
    const given = await twoLines(['100000.00', '80000.00'])
    expect(await p.call(recon.match, given, { as: maker })).toMatchObject({ code: 40001 })
    const elsewhere = { ...given, journalNos: [999_999] }
    expect(await p.call(recon.match, elsewhere, { as: maker })).toMatchObject({ code: 40001 })
    const unknown = { ...given, lineNos: ['SL-NONE'] }
    expect(await p.call(recon.match, unknown, { as: maker })).toMatchObject({ code: 40401 })
    expect((await lines()).map(one => one.lineStatus)).toEqual(['new', 'new'])
  })
})

describe('lists and runs', () => {
  it('show what is open, with its age, its line and its run', async () => {
    await endsDay([out('MP88')])
    await endsDay([])
    const found = await p.call(recon.itemPage, { reconStatus: ['open'], ageDays: [1, 9] }, { as: maker })
    expect(found.data).toMatchObject({
      total: 1,
      list: [{ reconKind: 'statement_only_out', accountName: 'MTN payout', reference: 'MP88', ageDays: 2 }],
    })
    const page = await p.call(recon.linePage, { serialNo: 'MP88' }, { as: maker })
    expect(page.data).toMatchObject({ list: [{ lineDirection: 'out', lineStatus: 'new', amount: paidOut }] })
    const runs = await p.call(recon.runPage, {}, { as: maker })
    expect(runs.data).toMatchObject({
      list: [
        { openItems: 1, openSum: `-${paidOut}` },
        { openItems: 1, reconResult: 'differences' },
      ],
    })
  })

  it('belong to people who see every merchant of the account', async () => {
    await endsDay([out('MP88')])
    const some = await p.person({ perms, limit: 'own_merchants', merchants: ['M1'] })
    for (const list of [recon.itemPage, recon.linePage, recon.runPage])
      expect((await p.call(list, {}, { as: some })).data).toMatchObject({ total: 0 })
    const reconDate = addDays(eatDate(p.clock.now()), -1)
    expect(await p.call(recon.run, { fundAccountNo: 'FA1', reconDate }, { as: some })).toMatchObject({ code: 40401 })
    const both = await p.person({ perms, limit: 'own_merchants' })
    expect((await p.call(recon.itemPage, {}, { as: both })).data).toMatchObject({ total: 1 })
  })

  it('a day that is not over is not compared', async () => {
    const reconDate = eatDate(p.clock.now())
    expect(await p.call(recon.run, { fundAccountNo: 'FA1', reconDate }, { as: maker })).toMatchObject({ code: 40001 })
  })
})

describe('an adjustment that makes a receipt', () => {
  const paysMore = async () => {
    await endsDay([{ serialNo: 'MP-MORE', direction: 'in', amount: '5500.00', narrative: 'cash at the counter' }])
    expect(await openItem()).toMatchObject({ reconKind: 'statement_only_in', gap: '5500.00' })
  }

  it('leaves the customer’s part waiting for its order (P3) and the rest as an income (P15)', async () => {
    await paysMore()
    const given = [debit('bank', '5500.00'), credit('suspense', '5000.00'), credit('other_income', '500.00')]
    expect((await adjusts(given)).code).toBe(0)
    const [flow] = await rows(sql<{ flowNo: string; amount: string; flowStatus: string }>`
      select flow_no, amount, flow_status from repay_flow where serial_no = 'MP-MORE'`)
    expect(flow).toMatchObject({ amount: '5000.00', flowStatus: 'available' })
    expect(await p.balance(`suspense:${flow?.flowNo}`)).toBe('-5000.00')
    expect(await p.balance('other_income')).toBe('-500.00')
    expect(await items()).toMatchObject([{ reconStatus: 'adjusted', gap: '0.00' }])
    expect((await lines()).map(one => one.lineStatus)).toEqual(['matched'])
    await runsAgain()
  })

  it('may be of all of it', async () => {
    await paysMore()
    expect((await adjusts([debit('bank', '5500.00'), credit('suspense', '5500.00')])).code).toBe(0)
    expect((await codes()).filter(code => code === 'P3' || code === 'P15')).toEqual(['P3'])
    await runsAgain()
  })

  it('is refused for money out, twice, and where the number has a receipt meanwhile', async () => {
    await paysMore()
    const twice = [debit('bank', '5500.00'), credit('suspense', '5000.00'), credit('suspense', '500.00')]
    expect((await asks(twice)).code).toBe(40001)
    const asked = await asks([debit('bank', '5500.00'), credit('suspense', '5500.00')])
    const { reconItemNo, version } = await openItem()
    const booker = await p.person({ perms: ['fund:recon:page', 'repay:flow:commit'] })
    expect((await p.call(recon.book, { reconItemNo, version }, { as: booker })).code).toBe(0)
    const { approvalNo } = asked.data as { approvalNo: string }
    await p.call(common.approve, { approvalNo, version: 0 }, { as: checker })
    expect((await codes()).filter(code => code === 'P3')).toEqual(['P3'])
    await green()
  })

  it('of a payment out is refused', async () => {
    await endsDay([out('MP-OUT')])
    expect((await asks([credit('bank', paidOut), debit('suspense', paidOut)])).code).toBe(40001)
  })
})

describe('an adjustment without a difference', () => {
  const asksOwn = (given: Line[], as = maker) =>
    p.call(recon.adjustOwn, { fundAccountNo: 'FA1', lines: given as never, reason: 'monthly fee' }, { as })
  const agrees = async (asked: Awaited<ReturnType<typeof asksOwn>>, as = checker) => {
    const { approvalNo } = asked.data as { approvalNo: string }
    return p.call(common.approve, { approvalNo, version: 0 }, { as })
  }
  const charge = [debit('channel_cost', '700.00'), credit('bank', '700.00')]

  it('counts once a second person agrees: a charge as an adjustment, own funds as such', async () => {
    const before = await p.balance('bank:FA1')
    const asked = await asksOwn(charge)
    expect(asked.code, asked.msg).toBe(0)
    expect(await p.balance('bank:FA1')).toBe(before)
    expect((await agrees(asked, maker)).code).not.toBe(0)
    expect((await agrees(asked)).code).toBe(0)
    expect((await codes()).at(-1)).toBe('P15')
    expect(await p.balance('bank:FA1')).toBe(sub(before, '700.00'))
    expect((await agrees(await asksOwn([debit('bank', '9000.00'), credit('owner_funds', '9000.00')]))).code).toBe(0)
    expect((await codes()).at(-1)).toBe('P0')
    await green()
  })

  it('is matched by the statement that shows it', async () => {
    await endsDay([])
    expect((await agrees(await asksOwn(charge))).code).toBe(0)
    await endsDay([out('MP-FEE', { amount: '700.00', lineKind: 'payment' })])
    const [line] = await lines()
    const [booked] = await rows(
      sql<{ journalNo: number }>`select journal_no from journal order by journal_no desc limit 1`,
    )
    const given = { lineNos: [String(line?.lineNo)], journalNos: [Number(booked?.journalNo)] }
    expect((await p.call(recon.match, given, { as: maker })).code).toBe(0)
    await runsAgain()
  })

  it.each<[string, Line[]]>([
    ['does not balance', [debit('channel_cost', '5.00'), credit('bank', '6.00')]],
    ['leaves the account as it is', [debit('other_expense', '5.00'), credit('other_income', '5.00')]],
    ['takes out more than there is', [debit('owner_funds', '900000000.00'), credit('bank', '900000000.00')]],
    ['names money set apart', [debit('bank', '5.00'), credit('payout_exception', '5.00')]],
    ['makes a receipt', [debit('bank', '5.00'), credit('suspense', '5.00')]],
  ])('that %s is refused, and nothing waits', async (_, given) => {
    expect(await asksOwn(given)).toMatchObject({ code: 40001 })
    expect(await rows(sql`select 1 from approval`)).toEqual([])
  })

  it('asked for by two people at once waits once; without its index it would wait twice', async () => {
    const other = await p.person({ perms })
    const both = async () => (await Promise.all([asksOwn(charge), asksOwn(charge, other)])).map(one => one.code).sort()
    expect(await both()).toEqual([0, 40901])
    await p.db.withTx(tx => wipe(tx, 'approval'))
    const [kept] = await rows(sql<{ definition: string }>`
      select indexdef as definition from pg_indexes where indexname = 'approval_pending'`)
    await p.db.withTx(tx => tx.exec(sql`drop index approval_pending`))
    expect(await both()).toEqual([0, 0])
    await p.db.withTx(tx => wipe(tx, 'approval'))
    await p.db.withTx(tx => tx.exec(sql.raw(String(kept?.definition)) as never))
  })
})
