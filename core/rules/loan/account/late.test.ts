import { describe, expect, it } from 'vitest'
import { add } from '../../money.ts'
import { bills, happens, paidOut, pays, recalculating } from '../fixtures/loans.ts'
import { delinquencyByBill, delinquencyOf } from './delinquency.ts'
import { debitsAndCredits, entryOf } from './entries.ts'
import { type Account, settlementOn, stateOf } from './replay.ts'
import { statusOf } from './state.ts'

describe('interest that follows what was paid', () => {
  it('ends sooner where the installment stays', () => {
    const state = stateOf(pays(paidOut(recalculating({ prepayment: 'shortenTerm' }, 6)), '2026-01-16', '1500.00'))
    expect(state.bills.length).toBeLessThan(6)
    expect(state.bills.slice(1, -1).every(bill => add(bill.due.principal, bill.due.interest) === state.level)).toBe(
      true,
    )
  })

  it('waits for the next due date where money rests until then', () => {
    const interest = (rest: 'daily' | 'period') =>
      stateOf(pays(paidOut(recalculating({ rest })), '2026-01-16', '1500.00')).bills[0]?.due.interest
    // 3,000 for 31 days, or 15 of them and 1,500 for the other 16
    expect([interest('period'), interest('daily')]).toEqual(['30.58', '22.68'])
  })

  it('charges what is overdue as days go by, once for each', () => {
    const due = (...days: string[]) =>
      stateOf(days.reduce((all, on) => happens(all, on, { type: 'recalculate' }), paidOut(recalculating()))).bills[1]
        ?.due.interest
    const quiet = due()
    expect(Number(due('2026-02-11')) - Number(quiet)).toBeCloseTo((990.36 * 0.12 * 10) / 365, 1)
    expect(due('2026-02-05', '2026-02-11', '2026-02-11')).toBe(due('2026-02-11'))
  })

  it('gets smaller only where more than the installment was paid', () => {
    const level = (amount: string) => stateOf(pays(paidOut(recalculating()), '2026-01-16', amount)).level
    expect([level('500.00'), Number(level('1500.00')) < Number(level('500.00'))]).toEqual([
      stateOf(paidOut(recalculating())).level,
      true,
    ])
    expect(bills(stateOf(pays(paidOut(recalculating({}, 1)), '2026-01-16', '2999.00'))).length).toBe(1)
  })

  it('settles with interest up to the day', () => {
    const account = paidOut(recalculating())
    // 10 days of 3,000 at 12 %
    expect(settlementOn(account, '2026-01-11')).toBe('3009.86')
    const state = stateOf(pays(account, '2026-01-11', '3009.86'))
    expect([statusOf(state), state.bills.length]).toEqual(['settled', 1])
  })
})

describe('lateness', () => {
  const ranges = [
    { name: 'S1', from: 1, to: 7 },
    { name: 'S2', from: 8 },
  ]
  const state = stateOf(paidOut())
  const of = (on: string, graceDays = 0, pauses: { from: string; to: string }[] = []) =>
    delinquencyOf(state.bills, on, { ranges, graceDays, pauses })

  it('counts from the oldest open bill, after grace, and stands still in a pause', () => {
    expect(of('2026-02-01')).toEqual({ pastDueDays: 0, delinquentDays: 0, delinquentDate: null, range: null })
    expect(of('2026-02-08')).toEqual({ pastDueDays: 7, delinquentDays: 7, delinquentDate: '2026-02-01', range: 'S1' })
    expect(of('2026-02-09').range).toBe('S2')
    expect(of('2026-02-04', 3)).toMatchObject({ pastDueDays: 3, delinquentDays: 0, delinquentDate: null, range: null })
    expect(of('2026-02-05', 3)).toMatchObject({ delinquentDays: 1, delinquentDate: '2026-02-04', range: 'S1' })
    const pause = [{ from: '2026-02-03', to: '2026-02-20' }]
    expect([
      of('2026-02-10', 0, pause).delinquentDays,
      of('2026-02-21', 0, pause).delinquentDays,
      of('2026-02-21', 0, pause).pastDueDays,
    ]).toEqual([2, 3, 20])
    expect(of('2026-02-21', 0, [{ from: '2025-12-01', to: '2025-12-20' }]).delinquentDays).toBe(20)
  })

  it('adds up what is unpaid of each class, bill by bill', () => {
    expect(delinquencyByBill(state.bills, '2026-03-05', { ranges })).toEqual([
      { range: 'S1', amount: '1030.00' },
      { range: 'S2', amount: '1030.00' },
    ])
    expect(delinquencyByBill(state.bills, '2026-02-01', { ranges: [{ name: 'S0', from: 0 }] })).toEqual([])
    const paid = stateOf(pays(paidOut(), '2026-03-05', '1130.00'))
    expect(delinquencyByBill(paid.bills, '2026-03-05', { ranges })).toEqual([{ range: 'S1', amount: '930.00' }])
  })
})

describe('entries', () => {
  const last = (account: Account, chargedOff = false, fraud = false) => {
    const line = stateOf(account).transactions.at(-1)
    return line
      ? debitsAndCredits(entryOf(line, chargedOff, fraud)).map(
          ({ role, debit, credit }) => `${role} ${debit ?? '-'} ${credit ?? '-'}`,
        )
      : []
  }
  it('balance for every kind of line', () => {
    expect(last(paidOut())).toEqual(['principal 3000.00 -', 'clearing - 3000.00'])
    expect(last(pays(paidOut(), '2026-02-01', '3190.00'))).toEqual([
      'clearing 3190.00 -',
      'principal - 3000.00',
      'receivable - 90.00',
      'credit - 100.00',
    ])
    const off = happens(paidOut(), '2026-05-01', { type: 'chargeOff', fraud: true })
    expect(last(off, false, true)).toEqual([
      'principal - 3000.00',
      'receivable - 90.00',
      'fraudLoss 3000.00 -',
      'interestLoss 90.00 -',
    ])
    expect(stateOf(off).fraud).toBe(true)
    const after = pays(off, '2026-05-02', '100.00')
    expect(last(after, true)).toEqual(['clearing 100.00 -', 'recovery - 100.00'])
    expect(last(happens(off, '2026-05-02', { type: 'writeOff' }), true)).toEqual([])
    expect(
      last(happens(off, '2026-05-02', { type: 'repay', kind: 'payoutRefund', amount: '40.00' }), true, true),
    ).toEqual(['clearing 40.00 -', 'fraudLoss - 10.00', 'interestLoss - 30.00'])
  })
})
