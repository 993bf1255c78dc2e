import { expect, it } from 'vitest'
import { percentile, slopeOf } from './figures.ts'

it('names the value below which a part of all lies', () => {
  const values = Array.from({ length: 200 }, (_, index) => 200 - index)
  expect([50, 95, 99, 100].map(part => percentile(values, part))).toEqual([100, 190, 198, 200])
  expect(percentile([7], 99)).toBe(7)
  expect(percentile([], 99)).toBe(0)
})

it('knows growth from noise', () => {
  expect(slopeOf([0, 1, 2, 3].map(x => [x, 100 + 2.5 * x]))).toBeCloseTo(2.5)
  expect(
    slopeOf([
      [0, 5],
      [1, 7],
      [2, 5],
      [3, 7],
      [4, 5],
    ]),
  ).toBeCloseTo(0)
  expect(slopeOf([[2, 9]])).toBe(0)
})
