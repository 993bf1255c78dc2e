import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { caretAfter, digitsBefore, formatMoney, formatTyped, parseMoneyInput } from './amount.ts'

describe('an amount that is being typed', () => {
  it.each([
    ['', ''],
    ['1', '1'],
    ['1234', '1,234'],
    ['1,2345', '12,345'],
    ['1234.', '1,234.'],
    ['1234.5', '1,234.5'],
    ['1234.567', '1,234.56'],
    ['1.2.3', '1.23'],
    ['UGX 1 240 000', '1,240,000'],
    ['12a3', '123'],
  ])('%j is shown as %j', (typed, shown) => {
    expect(formatTyped(typed)).toBe(shown)
  })

  it('is the same amount as it was', () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 999_999_999 }), cents => {
        const text = (cents / 100).toFixed(2)
        expect(parseMoneyInput(formatTyped(text))).toBe(text)
        expect(formatTyped(formatMoney(text))).toBe(formatMoney(text))
      }),
    )
  })
})

describe('the caret', () => {
  it.each([
    ['12345', 2, 2],
    ['1,2345', 3, 2],
    ['19,234', 0, 0],
    ['1234.56', 7, 8],
  ])('in %j at %i stands at %i when the separators have moved', (typed, at, moved) => {
    expect(caretAfter(formatTyped(typed), digitsBefore(typed, at))).toBe(moved)
  })

  it('stays behind as many digits as before', () => {
    fc.assert(
      fc.property(fc.stringMatching(/^\d{1,12}$/), fc.nat(12), (typed, place) => {
        const at = Math.min(place, typed.length)
        const shown = formatTyped(typed)
        expect(digitsBefore(shown, caretAfter(shown, digitsBefore(typed, at)))).toBe(at)
      }),
    )
  })
})
