import { sql } from 'kysely'
import { afterAll, beforeEach, describe, expect, it } from 'vitest'
import type { Money } from '../../../../core/rules/money.ts'
import { eatDate } from '../../../../core/rules/time.ts'
import { transition } from '../../../states/transition.ts'
import { lockFlow, voidFlow } from '../flow/flow-store.ts'
import { paidOut } from '../payout/payout-fixture.ts'
import { type GivenLine, openRecon } from './recon-fixture.ts'
import { openDifference, type ReconItem } from './recon-item.ts'

const fixture = await openRecon()
const { p, actor, statements, rows, endsDay, items, lines, codes, out, typed, written } = fixture
const green = async () => expect(await fixture.broken()).toEqual([])

beforeEach(() => fixture.reset())
afterAll(() => p.close())

describe('a day of an account', () => {
  it('is balanced when every line is booked and every booking stands on a line', async () => {
    const made = await p.succeeded()
    const run = await endsDay([out(`MP${made.orderNo}`)])
    expect(run).toMatchObject({ unexplained: '0.00' })
    expect(await lines()).toMatchObject([{ lineStatus: 'matched' }])
    expect(await items()).toEqual([])
    await green()
  })

  it('whose file was cut is called incomplete, and shows what is missing', async () => {
    expect(await endsDay([], { missing: '700.00' })).toMatchObject({
      reconResult: 'incomplete_file',
      unexplained: '700.00',
    })
    await green()
  })

  it('without a statement says so, opens nothing, and is compared once the statement comes', async () => {
    p.clock.advance(86_400_000)
    await p.tick('recon.run')
    await p.run('recon.run')
    const [run] = await rows(sql<{ reconResult: string }>`select recon_result from recon_run`)
    expect(run).toEqual({ reconResult: 'no_statement' })
    expect(await items()).toEqual([])
  })
})

describe('lines out', () => {
  it('are found by our reference in any word of the narrative, before the network stated its number', async () => {
    const made = await p.approved()
    await p.run()
    await endsDay([out('MP77', { narrative: `Transfer ${made.loanCode}-1 done` })])
    expect(await lines()).toMatchObject([{ lineStatus: 'matched' }])
    expect((await p.code(made.loanCode)).loanCodeStatus).toBe('remitting')
    await green()
  })

  it('of another amount than we sent are a difference, and prove nothing', async () => {
    const made = await p.approved()
    await p.run()
    await endsDay([out('MP77', { reference: `${made.loanCode}-1`, amount: '500.00' })])
    expect(await items()).toMatchObject([{ reconKind: 'amount_differs', reconStatus: 'open', gap: '-500.00' }])
    await green()
  })

  it('that nobody knows are a difference; what failed and never moved is none', async () => {
    await p.failed()
    await endsDay([out('MP88', { payerAccount: '256770009999' })])
    expect(await items()).toMatchObject([{ reconKind: 'statement_only_out', gap: `-${paidOut}` }])
    await endsDay([])
    expect(await items()).toHaveLength(1)
    await green()
  })

  it('of a payout that failed in our books make us ask the network again', async () => {
    const made = await p.failed()
    await endsDay([out('MP88', { reference: `${made.loanCode}-1` })])
    expect(await items()).toMatchObject([{ reconKind: 'statement_only_out', reconStatus: 'open' }])
    p.queries.push({ kind: 'success', serialNo: 'MP88' })
    await p.run('attempt.ask')
    expect(await p.stateOf(made)).toEqual(['success', 'funds_disbursed'])
    await endsDay([])
    expect(await items()).toMatchObject([
      { reconKind: 'statement_only_out', reconStatus: 'explained', gap: '0.00', handlerNo: 'system' },
    ])
    await green()
  })
})

describe('fees', () => {
  const paidWith = async (fee?: Money) => {
    const made = await p.approved()
    p.sends.push({ kind: 'success', serialNo: `MP${made.orderNo}`, ...(fee ? { fee } : {}) })
    await p.run()
    return `MP${made.orderNo}`
  }
  const charged = (serialNo: string, amount: Money): GivenLine => ({
    serialNo,
    direction: 'out',
    amount,
    lineKind: 'fee',
    relatesTo: serialNo,
  })

  it('that an answer stated are not booked again', async () => {
    const serialNo = await paidWith('300.00')
    await endsDay([out(serialNo), charged(serialNo, '300.00')])
    expect((await codes()).filter(code => code === 'P16')).toHaveLength(1)
    expect(await lines()).toMatchObject([{ lineStatus: 'matched' }, { lineStatus: 'matched' }])
    await green()
  })

  it('that no answer stated are booked from their line, once', async () => {
    const serialNo = await paidWith()
    await endsDay([out(serialNo), charged(serialNo, '250.00')])
    await endsDay([])
    expect((await codes()).filter(code => code === 'P16')).toHaveLength(1)
    expect(await p.balance('channel_cost:mtn_momo')).toBe('250.00')
    await green()
  })

  it('that an answer stated differently are a difference, and nothing more is booked', async () => {
    const serialNo = await paidWith('300.00')
    await endsDay([out(serialNo), charged(serialNo, '350.00')])
    expect(await items()).toMatchObject([{ reconKind: 'amount_differs', gap: '-350.00' }])
    expect(await p.balance('channel_cost:mtn_momo')).toBe('300.00')
    await green()
  })
})

describe('what looks the same', () => {
  const stranger = '256770001111'
  const paysIn = (serialNo: string): GivenLine => ({
    serialNo,
    direction: 'in',
    amount: '5000.00',
    payerAccount: stranger,
  })

  it('is suggested and booked by nobody, and no longer suggested once there are two', async () => {
    const flow = await typed('TYPO', stranger)
    await endsDay([paysIn('RIGHT')])
    expect(await lines()).toMatchObject([{ serialNo: 'RIGHT', lineStatus: 'suggested' }])
    expect(await items()).toMatchObject([{ reconKind: 'statement_only_in', reference: 'RIGHT', gap: '5000.00' }])
    expect(await rows(sql`select flow_no from repay_flow`)).toEqual([{ flowNo: flow.flowNo }])
    await endsDay([paysIn('RIGHT2')])
    expect((await lines()).map(line => line.lineStatus)).not.toContain('suggested')
    await green()
  })

  it('is a receipt of its own when it is of another day', async () => {
    await typed('TYPO', stranger)
    await endsDay([])
    p.clock.advance(2 * 86_400_000)
    for (const day of [2, 1])
      statements.set(eatDate(new Date(p.clock.now().getTime() - day * 86_400_000)), {
        opening: fixture.closing(),
        closing: fixture.closing(),
        lines: [],
      })
    await endsDay([paysIn('LATER')])
    expect(await rows(sql`select serial_no, source from repay_flow order by created_time`)).toEqual([
      { serialNo: 'TYPO', source: 'typed' },
      { serialNo: 'LATER', source: 'import' },
    ])
    await green()
  })
})

describe('statements that overlap', () => {
  it('keep the lines that are known, and show what a later one tells otherwise', async () => {
    const made = await p.succeeded()
    const line = written(out(`MP${made.orderNo}`))
    await endsDay([line])
    const date = eatDate(new Date(p.clock.now().getTime() - 86_400_000))
    const said = statements.get(date)
    statements.set(date, {
      opening: '1000000.00',
      closing: said!.closing,
      lines: [{ ...line, amount: '1000.00' }],
    })
    await p.db.withTx(tx => tx.exec(sql`update job set state = 'ready' where queue = 'statement.fetch'`))
    await p.run('statement.fetch')
    await p.run('recon.run')
    expect(await rows(sql`select amount, line_status from statement_line`)).toEqual([
      { amount: paidOut, lineStatus: 'matched' },
    ])
    expect(await items()).toMatchObject([{ reconKind: 'amount_differs', reference: line.serialNo }])
  })

  it('refuse a number that comes twice in one file, and show both amounts', async () => {
    const line = { direction: 'in', payerAccount: '256770001111' } as const
    const run = await endsDay([
      { ...line, serialNo: 'SAME', amount: '5000.00' },
      { ...line, serialNo: 'SAME', amount: '7000.00' },
    ])
    expect(await rows(sql`select serial_no, amount from repay_flow`)).toEqual([{ serialNo: 'SAME', amount: '5000.00' }])
    expect(await items()).toMatchObject([{ reconKind: 'amount_differs', reference: 'SAME', gap: '7000.00' }])
    expect(run).toMatchObject({ unexplained: '0.00' })
    await green()
  })

  it('count every line of a number that comes again, also where people have explained the difference before', async () => {
    const difference = {
      kind: 'amount_differs',
      fundAccountNo: 'FA1',
      channel: 'mtn_momo',
      reference: 'AGAIN',
    } as const
    await p.db.withTx(tx => openDifference(tx, { ...difference, amount: '5000.00', difference: '2000.00' }, actor))
    const [known] = await items()
    await p.db.withTx(async tx => {
      const item = await tx.one(sql<ReconItem>`select * from recon_item where recon_item_no = ${known?.reconItemNo}`)
      await transition(tx, 'reconItem', item, { event: 'recon.explain', set: { closedTime: tx.now } }, actor)
    })
    const line = { direction: 'in', payerAccount: '256770001111', serialNo: 'AGAIN' } as const
    const amounts = ['5000.00', '7000.00', '9000.00']
    const run = await endsDay(amounts.map(amount => ({ ...line, amount })))
    expect((await items()).map(({ reference, gap }) => [reference, gap])).toEqual([
      ['AGAIN', '7000.00'],
      ['AGAIN 3', '9000.00'],
    ])
    expect(run).toMatchObject({ unexplained: '0.00' })
    await green()
  })
})

it('a payment that the network takes back is explained once its receipt is void', async () => {
  const flow = await typed('IN1', '256770001111')
  await endsDay([{ serialNo: 'IN1', direction: 'in', amount: '5000.00' }])
  await endsDay([{ serialNo: 'BACK1', direction: 'out', amount: '5000.00', lineKind: 'reversal', relatesTo: 'IN1' }])
  expect(await items()).toMatchObject([{ reconKind: 'statement_only_out', reconStatus: 'open' }])
  expect((await p.db.read(tx => lockFlow(tx, flow.flowNo).catch(() => flow))).flowStatus).toBe('available')
  await p.db.withTx(async tx => voidFlow(tx, await lockFlow(tx, flow.flowNo), 'taken back', actor))
  await endsDay([])
  expect(await items()).toMatchObject([{ reconStatus: 'explained', gap: '0.00' }])
  await green()
})

it('a booking that a statement shows days later is explained by it', async () => {
  const made = await p.succeeded()
  await endsDay([])
  await endsDay([])
  expect(await items()).toMatchObject([{ reconKind: 'ledger_only_out', reconStatus: 'open', gap: paidOut }])
  const run = await endsDay([out(`MP${made.orderNo}`)])
  expect((await items())[0]).toMatchObject({ reconKind: 'ledger_only_out', reconStatus: 'explained', gap: '0.00' })
  expect(run).toMatchObject({ unexplained: '0.00' })
  await green()
})
