import { expect, it } from 'vitest'
import { fixtureTerms } from '../../server/testing/kit.ts'
import { billsAt, left, leftOf, statusOf } from './bills.ts'
import { openCalendar } from './calendar.ts'
import { money, percent, ratio, shares } from './sums.ts'
import { foresee } from './trial.ts'

const loan = { terms: fixtureTerms, amount: 20_000_000, payoutDate: '2026-03-02', spared: [] as string[] }
const none = { records: [], writtenOff: 0, payout: 19_000_000, lastValueDate: null }
const ask = { repayType: 'partial' as const, today: '2026-03-12', shortfallLimit: 0, principalLimit: 0 }

it('rounds halves up, and leaves remainders to the last share', () => {
  expect([ratio(5n, 2n), ratio(4n, 3n), ratio(150n, 1n, 100), percent(12_345, '1.5')]).toEqual([3, 1, 200, 185])
  expect(shares(1_000, 3, 1)).toEqual([333, 333, 334])
  expect(money(-5)).toBe('-0.05')
})

it('charges every day of being late once, up to the cap, and the damages after their days', () => {
  const due = (day: string) => {
    const [first] = billsAt(loan, [], day)
    return first && [money(first.due.lateFee), money(first.due.liquidatedDamages)]
  }
  expect(due('2026-03-09')).toEqual(['0.00', '0.00'])
  expect(due('2026-03-10')).toEqual(['1725.00', '0.00'])
  expect(due('2026-03-17')).toEqual(['13800.00', '5750.00'])
  expect(due('2026-09-01')).toEqual(['57500.00', '5750.00'])
  expect(billsAt({ ...loan, spared: ['2026-03-10'] }, [], '2026-03-10')[0]?.due.lateFee).toBe(0)
})

it('lets money count from the day on which it came, as if it had been there then', () => {
  const early = foresee(loan, none, { ...ask, valueDate: '2026-03-09', amounts: [11_500_000] })
  expect(early.after.map(bill => [statusOf(bill), money(bill.due.lateFee)])).toEqual([
    ['paid', '0.00'],
    ['pending', '0.00'],
  ])
  const late = foresee(loan, none, { ...ask, valueDate: '2026-03-12', amounts: [11_500_000] })
  expect(late.after.map(statusOf)).toEqual(['partial', 'pending'])
  expect(money(left(late.after[0] as (typeof late.after)[0]).principal)).toBe('5175.00')
  expect(leftOf(late.after) - leftOf(early.after)).toBe(3 * 172_500)
})

it('moves one clock for all who sleep, with every day-end on the way', async () => {
  const moves: string[] = []
  const start = Date.parse('2026-03-02T07:00:00Z')
  const move = async (at: number, day: string | null) =>
    void moves.push(`${new Date(at).toISOString().slice(5, 16)} ${day ?? ''}`)
  const calendar = openCalendar({ start, move })
  const hour = 3_600_000
  const order: string[] = []
  await Promise.all([
    calendar.live(async () => {
      await calendar.sleep(30 * hour)
      order.push('long')
    }),
    calendar.live(async () => {
      await calendar.sleep(hour)
      order.push('short')
    }),
  ])
  expect(order).toEqual(['short', 'long'])
  expect(moves).toEqual(['03-02T08:00 ', '03-02T21:05 2026-03-03', '03-03T13:00 '])
})
