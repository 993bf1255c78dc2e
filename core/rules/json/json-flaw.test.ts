import fc from 'fast-check'
import { expect, it } from 'vitest'
import { jsonFlaw } from './json-flaw.ts'

it.each([
  ['{"a": 1,}', 1, 9],
  ['{\n  "a": 1\n  "b": 2\n}', 3, 3],
  ['[1, 2', 1, 6],
  ["{'a': 1}", 1, 2],
  ['', 1, 1],
  ['{"a": tru}', 1, 7],
  ['[01]', 1, 3],
  ['1 2', 1, 3],
  ['"line\nbreak"', 1, 1],
])('%j is wrong first in line %i, column %i', (text, line, column) => {
  expect(jsonFlaw(text)).toEqual({ line, column })
})

it('finds nothing wrong with any JSON, however it is set', () => {
  fc.assert(
    fc.property(fc.jsonValue(), fc.integer({ min: 0, max: 4 }), (value, indent) => {
      expect(jsonFlaw(JSON.stringify(value, null, indent))).toBeNull()
    }),
  )
})

it('agrees with the parser of the language on whatever is typed', () => {
  const typed = fc.string({
    unit: fc.constantFrom('{', '}', '[', ']', '"', ':', ',', '1', '-', '.', 'e', 'a', '\\', ' ', '\n', 'true', 'null'),
  })
  const parses = (text: string) => {
    try {
      JSON.parse(text)
      return true
    } catch {
      return false
    }
  }
  fc.assert(
    fc.property(typed, text => {
      expect(jsonFlaw(text) === null).toBe(parses(text))
    }),
    { numRuns: 2_000 },
  )
})
