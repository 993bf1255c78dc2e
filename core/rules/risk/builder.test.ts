import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { type Built, type BuiltRow, bareOperators, operatorsOf, readBuilt, writeBuilt } from './builder.ts'
import { check } from './expression.ts'
import { type FactKey, factKeys, riskFacts } from './facts.ts'

describe('rows', () => {
  it.each([
    ['history.maxOverdueDays > 15', 'all', 1],
    ['history.maxOverdueDays > 15 || (order.loanKind == "first" && device.accountCount >= 3)', 'any', 2],
    ['device.rooted && !device.emulator && has(history.daysSinceSettled)', 'all', 3],
    ['inList("NL-1") || !inList("NL-2")', 'any', 2],
    ['order.loanKind in ["first", "repeat"] && order.incomeShare <= 0.5', 'all', 2],
    ['order.productNo.startsWith("P") && customer.age > -1', 'all', 2],
  ])('of %s write the same again', (text, joins, count) => {
    const built = readBuilt(text)
    expect(built).toMatchObject({ joins })
    expect(built?.parts).toHaveLength(count)
    expect(writeBuilt(built as Built)).toBe(text)
  })

  it.each([
    ['history.maxOverdueDays + 1 > 15', 'what is computed'],
    ['order.amount > customer.remainingLimit', 'two facts'],
    ['device.rooted ? true : false', 'a choice'],
    ['device.rooted || (device.emulator && (customer.age < 20 || customer.age > 60))', 'two levels'],
    ['!(device.rooted || device.emulator)', 'a negated group'],
    ['customer.tribe == "x"', 'what is no rule'],
    ['', 'nothing'],
  ])('cannot say %s: %s', text => {
    expect(readBuilt(text)).toBeNull()
  })

  it('do without parentheses that change nothing', () => {
    expect(writeBuilt(readBuilt('(device.rooted) && (device.emulator && customer.age < 20)') as Built)).toBe(
      'device.rooted && device.emulator && customer.age < 20',
    )
  })
})

const word = fc.stringMatching(/^[A-Za-z0-9-]{1,12}$/)
const row: fc.Arbitrary<BuiltRow> = fc.constantFrom(...factKeys).chain((fact: FactKey) => {
  const { type } = riskFacts[fact]
  return fc.constantFrom(...operatorsOf[type]).chain(operator => {
    const value = bareOperators.includes(operator)
      ? fc.constant('')
      : type === 'int'
        ? fc.integer({ min: -1_000_000, max: 1_000_000 }).map(String)
        : type === 'double'
          ? fc.integer({ min: -300, max: 300 }).map(n => String(n / 100))
          : operator === 'in'
            ? fc.array(word, { minLength: 1, maxLength: 3 }).map(all => all.join(', '))
            : word
    return value.map(one => ({ fact, operator, value: one }))
  })
})

it('whatever rows write is a rule, and is read as rows that write the same', () => {
  const group = fc.record({ joins: fc.constantFrom('all', 'any'), rows: fc.array(row, { minLength: 2, maxLength: 3 }) })
  const built = fc.record({
    joins: fc.constantFrom('all', 'any'),
    parts: fc.array(fc.oneof(row, group), { minLength: 1, maxLength: 4 }),
  }) as fc.Arbitrary<Built>
  fc.assert(
    fc.property(built, given => {
      const text = writeBuilt(given)
      const checked = check(text)
      expect(checked.ok ? null : checked.flaw, text).toBeNull()
      const again = readBuilt(text)
      expect(again, text).not.toBeNull()
      expect(writeBuilt(again as Built).replace(/[()]/g, '')).toBe(text.replace(/[()]/g, ''))
    }),
    { numRuns: 200 },
  )
})
