import { expect, it } from 'vitest'
import { dueDay } from './due-day.ts'
import { singleBill } from './fixtures/samples.ts'
import { schedule } from './schedule.ts'

const christmas = new Set(['2026-12-25', '2026-12-26'])

it.each([
  ['2026-12-24', '2026-12-24', 'a Thursday'],
  ['2026-12-25', '2026-12-28', 'a holiday before a holiday before a Sunday'],
  ['2026-12-27', '2026-12-28', 'a Sunday'],
  ['2026-12-26', '2026-12-28', 'a Saturday that is a holiday'],
])('moves %s to %s: %s', (byTerms, due) => {
  expect(dueDay(byTerms, 'next_working_day', christmas)).toBe(due)
  expect(dueDay(byTerms, 'none', christmas)).toBe(byTerms)
})

it('works on other Saturdays', () => {
  expect(dueDay('2026-12-19', 'next_working_day', christmas)).toBe('2026-12-19')
})

it('charges nothing for the days between, and moves each bill by itself', () => {
  const terms = singleBill()
  const from = '2026-12-11'
  const plain = schedule(terms, '200000.00', from)
  const moved = schedule(terms, '200000.00', from, day => dueDay(day, 'next_working_day', christmas))
  expect(moved.map(({ dueDate: _, ...amounts }) => amounts)).toEqual(plain.map(({ dueDate: _, ...amounts }) => amounts))
  expect(moved.map(bill => bill.dueDate)).toEqual(
    plain.map(bill => dueDay(bill.dueDate, 'next_working_day', christmas)),
  )
})
