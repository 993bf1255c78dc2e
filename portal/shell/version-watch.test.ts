import { expect, test } from 'vitest'
import { isNews, minutesLeft } from './version-watch.ts'

const known = 'a'
const now = 1_000_000

test('another version is news, the same one and an unknown one are not', () => {
  expect(isNews({ known, found: 'b', tried: null, now })).toBe(true)
  expect(isNews({ known, found: 'a', tried: null, now })).toBe(false)
  expect(isNews({ known, found: null, tried: null, now })).toBe(false)
})

test('a reload that brought the old page is asked for again after ten minutes; a third version at once', () => {
  const tried = { version: 'b', at: now }
  expect(isNews({ known, found: 'b', tried, now: now + 599_999 })).toBe(false)
  expect(isNews({ known, found: 'b', tried, now: now + 600_000 })).toBe(true)
  expect(isNews({ known, found: 'c', tried, now: now + 1 })).toBe(true)
})

test('minutes are counted whole, down from five', () => {
  expect([300_000, 299_999, 240_000, 239_999, 1, 0].map(minutesLeft)).toEqual([5, 5, 4, 4, 1, 1])
})
