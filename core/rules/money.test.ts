import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  add,
  cmp,
  distribute,
  eq,
  formatMoney,
  gt,
  gte,
  isNegative,
  isPositive,
  isWhole,
  isZero,
  lt,
  lte,
  max,
  min,
  money,
  mul,
  neg,
  parseMoneyInput,
  percent,
  round,
  split,
  sub,
  sum,
  toShilling,
  toWhole,
} from './money.ts'

const anyAmount = fc.bigInt({ min: -(10n ** 18n), max: 10n ** 18n }).map(cents => {
  const digits = (cents < 0n ? -cents : cents).toString().padStart(3, '0')
  return `${cents < 0n ? '-' : ''}${digits.slice(0, -2)}.${digits.slice(-2)}`
})

describe('exact arithmetic', () => {
  it.each([
    ['0.10', '0.20', '0.30', '-0.10'],
    ['120000.00', '0.01', '120000.01', '119999.99'],
    ['9999999999999999.99', '0.01', '10000000000000000.00', '9999999999999999.98'],
    ['-5.50', '5.50', '0.00', '-11.00'],
    ['5', '0.5', '5.50', '4.50'],
  ])('%s and %s', (a, b, total, difference) => {
    expect(add(a, b)).toBe(total)
    expect(sub(a, b)).toBe(difference)
  })

  it('keeps two places and never writes minus zero', () => {
    expect(neg('0.00')).toBe('0.00')
    expect(neg('-0.05')).toBe('0.05')
    expect(money('-0')).toBe('0.00')
    expect(money('7.5')).toBe('7.50')
    expect(round('-0.001')).toBe('0.00')
    expect(sum([])).toBe('0.00')
    expect(sum(['0.01', '0.02', '-0.05'])).toBe('-0.02')
  })

  it('adds and takes away without losing a cent', () => {
    fc.assert(
      fc.property(anyAmount, anyAmount, (a, b) => {
        expect(sub(add(a, b), b)).toBe(money(a))
        expect(add(a, b)).toBe(add(b, a))
        expect(add(a, neg(a))).toBe('0.00')
      }),
    )
  })

  it.each(['', 'abc', '1e3', '1.234', '1,000.00', ' 1.00', '--1', 'NaN', 'Infinity', '.5'])(
    'does not calculate with %j',
    text => {
      expect(() => add(text, '1.00')).toThrow(TypeError)
    },
  )
})

describe('comparison', () => {
  it('orders amounts by value, not as text', () => {
    expect(['9.00', '10.00', '-1.00', '100.00'].sort(cmp)).toEqual(['-1.00', '9.00', '10.00', '100.00'])
    expect([lt('9.00', '10.00'), gt('9.00', '10.00'), lte('9.00', '9'), gte('9.00', '9.00'), eq('9', '9.00')]).toEqual([
      true,
      false,
      true,
      true,
      true,
    ])
  })

  it('finds the smallest and the greatest', () => {
    expect(min('9.00', '10.00', '-1')).toBe('-1.00')
    expect(max('9', '10', '-1.00')).toBe('10.00')
  })

  it('knows signs and whole shillings', () => {
    expect([isZero('0.00'), isZero('0.01'), isNegative('-0.01'), isPositive('0.00')]).toEqual([
      true,
      false,
      true,
      false,
    ])
    expect([isWhole('1240000.00'), isWhole('1240000.50'), isWhole('-3.00'), isWhole('0.01')]).toEqual([
      true,
      false,
      true,
      false,
    ])
  })
})

describe('rounding', () => {
  it('rounds halves up by default, away from zero', () => {
    expect([round('0.005'), round('0.015'), round('0.0149'), round('-0.005'), round('2.675')]).toEqual([
      '0.01',
      '0.02',
      '0.01',
      '-0.01',
      '2.68',
    ])
  })

  it('rounds halves to even where the product says so', () => {
    const even = { unit: '0.01', mode: 'half_even' } as const
    expect([round('0.005', even), round('0.015', even), round('0.025', even), round('0.0251', even)]).toEqual([
      '0.00',
      '0.02',
      '0.02',
      '0.03',
    ])
  })

  it('rounds to whole shillings', () => {
    expect([
      toWhole('0.49'),
      toWhole('0.50'),
      toWhole('1999.99'),
      round('2.5', { unit: '1', mode: 'half_even' }),
    ]).toEqual(['0.00', '1.00', '2000.00', '2.00'])
    expect(round('33333.3333', toShilling)).toBe('33333.00')
  })

  it('takes a share of an amount and rounds once', () => {
    expect(percent('200000.00', '8')).toBe('16000.00')
    expect(percent('100.00', '0.798')).toBe('0.80')
    expect(mul('100.00', '0.00798')).toBe('0.80')
    expect(mul('9999999999999999.99', '1.0001')).toBe('10000999999999999.99')
    expect(percent('9999999999999999.99', '33.3333')).toBe('3333330000000000.00')
  })
})

describe('splitting', () => {
  it('gives the remainder to the last share', () => {
    expect(split('100.00', 3)).toEqual(['33.33', '33.33', '33.34'])
    expect(split('5000.00', 18).slice(-2)).toEqual(['277.78', '277.74'])
    expect(split('-100.00', 3)).toEqual(['-33.33', '-33.33', '-33.34'])
    expect(split('1000000.00', 30, toShilling).slice(-2)).toEqual(['33333.00', '33343.00'])
    expect(split('7.00', 1)).toEqual(['7.00'])
  })

  it('rounds down where rounding up would leave nothing for the last', () => {
    expect(split('0.05', 10)).toEqual([...Array(9).fill('0.00'), '0.05'])
    expect(distribute('0.02', ['0.005', '0.005', '0.005', '0.005'])).toEqual(['0.00', '0.00', '0.00', '0.02'])
  })

  it('refuses to split into no parts', () => {
    expect(() => split('1.00', 0)).toThrow(RangeError)
    expect(() => split('1.00', 1.5)).toThrow(RangeError)
  })

  it('always adds up, and never below zero', () => {
    fc.assert(
      fc.property(anyAmount, fc.integer({ min: 1, max: 40 }), fc.boolean(), (total, parts, even) => {
        const shares = split(total, parts, { unit: '0.01', mode: even ? 'half_even' : 'half_up' })
        expect(shares).toHaveLength(parts)
        expect(sum(shares)).toBe(money(total))
        expect(shares.every(share => isZero(share) || isNegative(share) === isNegative(total))).toBe(true)
      }),
    )
  })
})

describe('what people type and read', () => {
  it.each([
    ['1,240,000', '1240000.00'],
    [' 120000 ', '120000.00'],
    ['0', '0.00'],
    ['007', '7.00'],
    ['0.5', '0.50'],
    ['1,2,3.45', '123.45'],
  ])('reads %j as %s', (text, amount) => expect(parseMoneyInput(text)).toBe(amount))

  it.each([
    '',
    '-1',
    '-0',
    '1.234',
    '1e5',
    '1E5',
    'abc',
    '12a',
    '.5',
    '5.',
    '0x10',
    '1 000',
    '١٢',
    '1.2.3',
    '+5',
    '99999999999999999',
    'Infinity',
  ])('refuses %j', text => expect(parseMoneyInput(text)).toBeNull())

  it('reads a minus only where the field allows it', () => {
    expect(parseMoneyInput('-1,500.5', { negative: true })).toBe('-1500.50')
    expect(parseMoneyInput('--1', { negative: true })).toBeNull()
  })

  it.each([
    ['1240000.00', '1,240,000'],
    ['1240000.50', '1,240,000.50'],
    ['1240000.5', '1,240,000.50'],
    ['0.00', '0'],
    ['999.00', '999'],
    ['1000.00', '1,000'],
    ['-1240000.00', '-1,240,000'],
    ['-999.05', '-999.05'],
    ['9999999999999999.99', '9,999,999,999,999,999.99'],
  ])('shows %s as %s', (amount, text) => expect(formatMoney(amount)).toBe(text))

  it('reads back what it shows', () => {
    fc.assert(
      fc.property(
        anyAmount.filter(amount => amount.length < 19),
        amount => {
          expect(parseMoneyInput(formatMoney(amount), { negative: true })).toBe(money(amount))
        },
      ),
    )
  })
})
