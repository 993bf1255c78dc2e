import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { jsonExcess } from './json-limits.ts'

describe('what JSON allows too much of', () => {
  it.each([
    ['{"a":1,"a":2}', 'a'],
    ['{"a":{"b":1,"c":[{"b":1}],"b":2}}', 'b'],
    ['{"a":1,\n "\\u0061" : 2}', 'a'],
    ['[{"x":"}\\"","x":0}]', 'x'],
    ['{"__proto__":1,"__proto__":2}', '__proto__'],
  ])('a key twice in one object: %s', (text, key) => expect(jsonExcess(text)).toEqual({ key }))

  it('depth', () => {
    expect(jsonExcess('['.repeat(500_000) + ']'.repeat(500_000))).toBe('depth')
    expect(jsonExcess('['.repeat(64) + ']'.repeat(64))).toBeNull()
  })

  it('is nothing that is written from values', () => {
    fc.assert(
      fc.property(fc.jsonValue({ maxDepth: 6 }), value => {
        expect(jsonExcess(JSON.stringify(value))).toBeNull()
        expect(jsonExcess(JSON.stringify(value, null, 2))).toBeNull()
      }),
    )
  })

  it('reads a megabyte of text without trouble', () => {
    expect(jsonExcess(JSON.stringify({ a: '\\"'.repeat(250_000), b: 'x'.repeat(500_000) }))).toBeNull()
  })
})
