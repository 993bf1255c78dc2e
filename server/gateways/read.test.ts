import { describe, expect, it, test } from 'vitest'
import { fields, jsonFields, moneyOf, own, shillings, text } from './read.ts'

describe('amounts', () => {
  test.each([
    ['120000', '120000.00'],
    ['120000.5', '120000.50'],
    ['120000.00', '120000.00'],
    [120000, '120000.00'],
  ])('%j is %s', (theirs, ours) => {
    expect(moneyOf(theirs)).toBe(ours)
  })

  test.each(['', '-1', '1,000', '1.234', ' 5', null, {}])('%j is no amount', value => {
    expect(moneyOf(value)).toBeUndefined()
  })

  it('are sent as whole shillings only', () => {
    expect(shillings('120000.00')).toBe('120000')
    for (const amount of ['0.00', '0.50', '120000.01', '-5.00']) expect(() => shillings(amount)).toThrow(RangeError)
  })
})

describe('what a network wrote', () => {
  it('is read by the tables alone', () => {
    expect(own({ TS: 1 }, 'TS')).toBe(1)
    expect(own({ TS: 1 }, 'toString')).toBeUndefined()
  })

  test.each([null, undefined, 7, 'x', []])('%j has no fields', body => {
    expect(fields(body)).toEqual({})
  })

  it('is text or nothing', () => {
    expect([text('x'), text(7), text(''), text({}), text(true)]).toEqual(['x', '7', undefined, undefined, undefined])
  })

  it('is an object or nothing', () => {
    expect(jsonFields('{"a":1}')).toEqual({ a: 1 })
    expect(jsonFields('[1]')).toEqual({})
    expect(jsonFields('{"a":')).toBeUndefined()
  })
})
