import fc from 'fast-check'
import { expect, test } from 'vitest'
import { windowOf } from './use-window.ts'

test('what is in sight is drawn, and little more', () => {
  const size = fc.integer({ min: 0, max: 100_000 })
  fc.assert(
    fc.property(size, size, fc.integer({ min: 1, max: 60 }), (count, first, visible) => {
      const { from, to } = windowOf(count, first, visible)
      const last = Math.min(count, first + visible)
      expect(from).toBeGreaterThanOrEqual(0)
      expect(to).toBeLessThanOrEqual(count)
      expect(to - from).toBeLessThanOrEqual(visible + 20)
      if (first < count) {
        expect(from).toBeLessThanOrEqual(first)
        expect(to).toBeGreaterThanOrEqual(last)
      }
    }),
  )
})

test('a list that became shorter than where it was scrolled to shows its end', () => {
  expect(windowOf(1000, 90_000, 20)).toEqual({ from: 972, to: 1000 })
})

test('rows that are all new are drawn slice by slice, and only where they are in sight', () => {
  expect(windowOf(1_000, 500, 20, 8)).toEqual({ from: 500, to: 508 })
  expect(windowOf(1_000, 500, 20, 16)).toEqual({ from: 500, to: 516 })
  expect(windowOf(1_000, 500, 20, 24)).toEqual({ from: 500, to: 524 })
  expect(windowOf(1_000, 995, 20, 8)).toEqual({ from: 980, to: 988 })
})
