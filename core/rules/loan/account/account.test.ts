import { describe, expect, it } from 'vitest'
import { add } from '../../money.ts'
import { addDays } from '../../time.ts'
import { type Bare, bills, contract, fee, happens, paidOut, pays, start } from '../fixtures/loans.ts'
import { overdueCharges } from './charges.ts'
import { inOrder, type LoanEvent } from './events.ts'
import { overdueDueAdvance } from './order.ts'
import { type Account, openAccount, refusalOf, replay, stateOf, undo } from './replay.ts'
import { owed, statusOf } from './state.ts'

describe('paying out', () => {
  it('in two parts lays the second on the bills to come', () => {
    const twice = happens(paidOut(), '2026-02-10', { type: 'disburse', amount: '1000.00' })
    expect(bills(stateOf(twice))).toEqual([
      '2026-02-01 1000.00 30.00 pending',
      '2026-03-01 1500.00 40.00 pending',
      '2026-04-01 1500.00 40.00 pending',
    ])
    expect(stateOf(twice).disbursed).toBe('4000.00')
    expect(() => happens(paidOut(), '2026-04-01', { type: 'disburse', amount: '1.00' })).toThrow(RangeError)
  })

  it('charges the second part from its day where days count', () => {
    const by = contract({}, { method: 'declining', accrual: 'daily', amortization: 'equalPrincipal' })
    const state = stateOf(happens(paidOut(by), '2026-02-15', { type: 'disburse', amount: '365.00' }))
    // 2,365 for the 28 days of February is 21.77; 365 for the first 14 of them is 1.68
    expect(state.bills[1]?.due.interest).toBe('20.09')
  })

  it('asks for a down payment at once, or takes it', () => {
    const down = (auto: boolean) =>
      stateOf(paidOut(contract({ downPayment: { percent: '25', auto } }, { rate: { percent: '0', per: 'year' } })))
    expect(bills(down(false))[0]).toBe('2026-01-01 750.00 0.00 pending')
    expect(bills(down(true))[0]).toBe('2026-01-01 750.00 0.00 paid')
    expect(down(true).transactions.map(line => `${line.kind ?? line.type} ${line.amount} ${line.balance}`)).toEqual([
      'disburse 3000.00 3000.00',
      'downPayment 750.00 2250.00',
    ])
  })
})

describe('charges', () => {
  it('belong to the bill they fall due with, the first day to the first, after the last to a line of their own', () => {
    const at = (dueDate: string) => stateOf(happens(paidOut(), '2026-01-05', fee('7.00', dueDate))).charges[0]?.billNo
    expect([at('2026-01-01'), at('2026-02-01'), at('2026-02-02'), at('2026-04-01'), at('2026-04-02')]).toEqual([
      'installment-1',
      'installment-1',
      'installment-2',
      'installment-3',
      'afterMaturity-4',
    ])
  })

  it('share the line after maturity, which lasts until the latest', () => {
    const both = happens(
      happens(paidOut(), '2026-05-01', fee('7.00', '2026-05-20')),
      '2026-05-02',
      fee('8.00', '2026-05-10'),
    )
    const line = stateOf(both).bills.at(-1)
    expect([stateOf(both).bills.length, line?.dueDate, line?.due.serviceFee, line?.from]).toEqual([
      4,
      '2026-05-20',
      '15.00',
      '2026-04-01',
    ])
  })

  it('may be a percentage of the loan, or of each installment', () => {
    const priced = (when: { on: 'installment' } | { on: 'date'; dueDate: string } | { on: 'upfront' }) =>
      stateOf(
        happens(paidOut(), start, {
          type: 'charge',
          chargeNo: 'p',
          component: 'managementFee',
          price: { percent: '10', of: ['principal', 'interest'] },
          when,
        }),
      )
    expect(priced({ on: 'installment' }).charges.map(each => each.amount)).toEqual(['103.00', '103.00', '103.00'])
    expect(priced({ on: 'date', dueDate: '2026-02-10' }).charges.map(each => each.amount)).toEqual(['309.00'])
    const upfront = priced({ on: 'upfront' })
    expect([upfront.upfront.map(each => each.amount), owed(upfront)]).toEqual([['309.00'], '3090.00'])
  })

  it('are forgiven from their own date or from the day of the waiver', () => {
    const waived = (counts: 'charge' | 'date') => {
      const charged = happens(paidOut(), '2026-01-02', fee('100.00', '2026-02-01'))
      const forgiven = happens(charged, '2026-01-20', {
        type: 'waiveCharge',
        chargeNo: 'c-2026-02-01',
        amount: '95.00',
        counts,
      })
      const late = stateOf(pays(forgiven, '2026-01-18', '15.00'))
      return [
        late.transactions.find(line => line.type === 'repay')?.split.serviceFee,
        late.charges[0]?.waived,
        owed(late),
      ]
    }
    expect(waived('charge')).toEqual(['5.00', '95.00', '3080.00'])
    expect(waived('date')).toEqual(['15.00', '85.00', '3090.00'])
  })

  it('for being late arise once a bill, after the grace days', () => {
    const price = { component: 'lateFee' as const, percent: '5', of: ['principal' as const], graceDays: 2 }
    const state = stateOf(pays(paidOut(), '2026-01-20', '530.00'))
    expect(overdueCharges(state, price, '2026-02-03')).toEqual([])
    const found = overdueCharges(state, price, '2026-02-04')
    expect(found).toEqual([
      { chargeNo: 'late-installment-1', component: 'lateFee', amount: '25.00', dueDate: '2026-02-01' },
    ])
    const posted = happens(paidOut(), '2026-02-04', {
      type: 'charge',
      chargeNo: 'late-installment-1',
      component: 'lateFee',
      price: { amount: '25.00' },
      when: { on: 'date', dueDate: '2026-02-01' },
    })
    expect(overdueCharges(stateOf(posted), price, '2026-02-20')).toEqual([])
  })
})

describe('a change of the schedule', () => {
  const change = (what: Partial<LoanEvent>, of = contract(), account = paidOut(of)) =>
    bills(
      stateOf(happens(account, '2026-01-10', { type: 'reschedule', from: '2026-03-01', ...what } as Bare<LoanEvent>)),
    )

  it('moves dates, adds installments, rests and prices anew', () => {
    // 47 days of 3,000 at 12 %, then a month
    expect(change({ dueDate: '2026-03-20' } as Partial<LoanEvent>).slice(1)).toEqual([
      '2026-03-20 1000.00 46.36 pending',
      '2026-04-20 1000.00 30.00 pending',
    ])
    expect(change({ extraTerms: 2 } as Partial<LoanEvent>).map(each => each.slice(0, 17))).toEqual([
      '2026-02-01 1000.0',
      '2026-03-01 500.00',
      '2026-04-01 500.00',
      '2026-05-01 500.00',
      '2026-06-01 500.00',
    ])
    expect(change({ principalGrace: 1 } as Partial<LoanEvent>).map(each => each.split(' ')[1])).toEqual([
      '1000.00',
      '0.00',
      '1000.00',
      '1000.00',
    ])
    expect(change({ interestGrace: 1 } as Partial<LoanEvent>).map(each => each.split(' ')[2])).toEqual([
      '30.00',
      '0.00',
      '60.00',
    ])
    expect(change({ ratePercent: '24' } as Partial<LoanEvent>).map(each => each.split(' ')[2])).toEqual([
      '30.00',
      '60.00',
      '60.00',
    ])
  })

  it('keeps to its due dates and to bills that no money has reached', () => {
    expect(() => change({ from: '2026-03-02' } as Partial<LoanEvent>)).toThrow(RangeError)
    const touched = pays(paidOut(), '2026-01-05', '1100.00')
    expect(() => change({ dueDate: '2026-03-20' } as Partial<LoanEvent>, contract(), touched)).toThrow(RangeError)
  })

  it('makes everything unpaid due anew', () => {
    const late = pays(paidOut(), '2026-02-10', '530.00')
    const state = stateOf(
      happens(late, '2026-03-15', {
        type: 'reage',
        start: '2026-04-10',
        count: 2,
        frequency: { every: 2, unit: 'weeks' },
      }),
    )
    expect(bills(state)).toEqual([
      '2026-02-01 500.00 30.00 paid',
      '2026-03-01 0.00 0.00 paid',
      '2026-04-01 0.00 0.00 paid',
      '2026-04-10 1250.00 30.00 pending',
      '2026-04-24 1250.00 30.00 pending',
    ])
    expect(state.transactions.at(-1)?.amount).toBe('2560.00')
    expect(owed(state)).toBe('2560.00')
  })

  it('spreads what is overdue over the bills to come', () => {
    const state = stateOf(happens(paidOut(), '2026-02-15', { type: 'reamortize' }))
    expect(bills(state)).toEqual([
      '2026-02-01 0.00 0.00 paid',
      '2026-03-01 1500.00 45.00 pending',
      '2026-04-01 1500.00 45.00 pending',
    ])
    expect(() => happens(paidOut(), '2026-04-15', { type: 'reamortize' })).toThrow(RangeError)
  })
})

describe('the end of a loan', () => {
  it('is settled, overpaid, written off; or open again when money goes back', () => {
    const settled = pays(paidOut(), '2026-01-20', '3090.00')
    const over = pays(settled, '2026-01-21', '50.00')
    const back = happens(over, '2026-01-22', { type: 'chargeback', amount: '80.00' })
    const refunded = happens(over, '2026-01-22', { type: 'refundCredit', amount: '50.00' })
    const gone = happens(paidOut(), '2026-06-01', { type: 'writeOff' })
    expect(
      [openAccount(contract()), paidOut(), settled, over, back, refunded, gone].map(each => statusOf(stateOf(each))),
    ).toEqual(['approved', 'active', 'settled', 'overpaid', 'active', 'settled', 'writtenOff'])
    expect([owed(stateOf(back)), stateOf(back).overpaid, owed(stateOf(gone))]).toEqual(['30.00', '0.00', '0.00'])
  })

  it('refuses what cannot be', () => {
    const of = (account: Account, on: string, what: Bare<LoanEvent>) =>
      refusalOf(account, { id: 'new', seq: 999, on, ...what } as LoanEvent)
    const pay = { type: 'repay', kind: 'repayment', amount: '1.00' } as const
    const gone = happens(paidOut(), '2026-06-01', { type: 'writeOff' })
    expect([
      of(openAccount(contract()), start, pay),
      of(paidOut(), '2025-12-31', pay),
      of(paidOut(), start, { ...pay, amount: '0.00' }),
      of(paidOut(), start, { type: 'refundCredit', amount: '1.00' }),
      of(paidOut(), start, { type: 'waiveCharge', chargeNo: 'x', amount: '1.00', counts: 'date' }),
      of(gone, '2026-06-02', pay),
      refusalOf(gone, { ...(gone.events[0] as LoanEvent) }),
      of(paidOut(), start, pay),
    ]).toEqual([
      'notPaidOut',
      'beforePayout',
      'notPositive',
      'notOverpaid',
      'unknownCharge',
      'closed',
      'duplicate',
      null,
    ])
    const id = gone.events.find(event => event.type === 'disburse')?.id ?? ''
    expect(() => undo(gone, id, '2026-06-02')).toThrow('closed')
    expect(() => undo(paidOut(), 'nothing', start)).toThrow('unknownEvent')
    expect(
      statusOf(stateOf(undo(gone, gone.events.find(event => event.type === 'writeOff')?.id ?? '', '2026-06-03'))),
    ).toBe('active')
  })

  it('reads events by date and then as entered', () => {
    const at = (on: string, of: number): LoanEvent => ({ id: `${on}-${of}`, seq: of, on, type: 'recalculate' })
    expect(inOrder([at('2026-01-02', 1), at('2026-01-01', 3), at('2026-01-01', 2)]).map(each => each.id)).toEqual([
      '2026-01-01-2',
      '2026-01-01-3',
      '2026-01-02-1',
    ])
    const own = { id: 'charge', seq: 5, on: '2026-01-03', ...fee('7.00', '2026-02-01') }
    const waiver = {
      id: 'waiver',
      seq: 8,
      on: '2026-01-09',
      type: 'waiveCharge',
      chargeNo: own.chargeNo,
      amount: '1.00',
    } as const
    const order = (counts: 'charge' | 'date') =>
      inOrder([{ ...waiver, counts }, at('2026-01-03', 6), own]).map(each => each.id)
    expect(order('charge')).toEqual(['charge', 'waiver', '2026-01-03-6'])
    expect(order('date')).toEqual(['charge', '2026-01-03-6', 'waiver'])
  })
})

describe('money in advance', () => {
  const advanced = (future: 'next' | 'last' | 'spread') => {
    const account = paidOut(contract({ order: { ...overdueDueAdvance, future } }))
    return stateOf(pays(account, '2026-01-10', '300.00')).bills.map(bill =>
      add(bill.paid.principal, bill.paid.interest),
    )
  }
  it('goes to the next bill, to the last, or to all alike', () => {
    expect(advanced('next')).toEqual(['300.00', '0.00', '0.00'])
    expect(advanced('last')).toEqual(['0.00', '0.00', '300.00'])
    expect(advanced('spread')).toEqual(['100.00', '100.00', '100.00'])
  })

  it('takes one component of every bill where the order says so', () => {
    const order = {
      walk: 'component' as const,
      steps: [{ when: 'any' as const, components: ['interest' as const, 'principal' as const] }],
    }
    const state = stateOf(pays(paidOut(contract({ order })), '2026-01-10', '100.00'))
    expect(state.bills.map(bill => `${bill.paid.interest} ${bill.paid.principal}`)).toEqual([
      '30.00 10.00',
      '30.00 0.00',
      '30.00 0.00',
    ])
  })
})

it('replays the same history to the same state', () => {
  const account = pays(pays(paidOut(), '2026-02-03', '100.00'), addDays(start, 3), '20.00')
  expect(replay(account.contract, account.events)).toEqual(stateOf(account))
})
