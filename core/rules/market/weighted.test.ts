import { expect, it } from 'vitest'
import { chosenFor, likelyShare } from './weighted.ts'

const items = [
  { name: 'a', weight: 50 },
  { name: 'b', weight: 30 },
  { name: 'c', weight: 20 },
]
const at = (n: number, date = '2026-03-02') => ({ customerNo: `CU2603020000${n}`, slot: 'refused_page', date })

it('supermarket 10: shares ten thousand customers by weight, within two points', () => {
  const count = new Map<string, number>()
  for (let n = 0; n < 10_000; n++) {
    const name = chosenFor(items, at(n))?.name ?? ''
    count.set(name, (count.get(name) ?? 0) + 1)
  }
  for (const { name, weight } of items) expect(Math.abs((count.get(name) ?? 0) / 100 - weight)).toBeLessThan(2)
})

it('supermarket 10: gives a customer the same one all day, and may give another the next day', () => {
  const days = Array.from({ length: 40 }, (_, n) => `2026-03-${String(1 + (n % 28)).padStart(2, '0')}`)
  for (const date of days) expect(chosenFor(items, at(7, date))).toBe(chosenFor(items, at(7, date)))
  expect(new Set(days.map(date => chosenFor(items, at(7, date))?.name)).size).toBeGreaterThan(1)
})

it('chooses nothing of nothing', () => expect(chosenFor([], at(1))).toBeNull())

it('says between which shares the true one lies', () => {
  expect(likelyShare(0, 0)).toBeNull()
  expect(likelyShare(10, 100)).toEqual({ from: '5.52', to: '17.44' })
  expect(likelyShare(0, 10)?.from).toBe('0.00')
})
