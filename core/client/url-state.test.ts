import fc from 'fast-check'
import { expect, test } from 'vitest'
import { fromEntries, type ListState, stateFrom, toEntries } from './url-state.ts'

const start: ListState = { filters: { box: 'todo' }, sort: '-applyTime', pageNum: 1, pageSize: 20 }

test('a state goes through an address unchanged', () => {
  const value = fc.oneof(
    fc.string({ minLength: 1 }),
    fc.integer(),
    fc.boolean(),
    fc.array(fc.string({ minLength: 1 }), { minLength: 1 }),
    fc.tuple(fc.option(fc.string()), fc.option(fc.string())),
  )
  fc.assert(
    fc.property(
      fc.dictionary(fc.stringMatching(/^[a-z]{5,9}$/), value),
      fc.integer({ min: 1, max: 900 }),
      fc.constantFrom(10, 20, 50),
      (filters, pageNum, pageSize) => {
        fc.pre(!['pageNum', 'columns', 'density', 'view'].some(name => name in filters))
        const shape = { columns: ['orderNo', 'dueDate'], density: 'compact', view: 'VW1' } as const
        const state = { filters, sort: '-loanAmount', pageNum, pageSize, open: 'LO1', ...shape }
        const address = new URLSearchParams(toEntries(state)).toString()
        expect(stateFrom(fromEntries(new URLSearchParams(address)) ?? {}, start)).toEqual(state)
      },
    ),
  )
})

test('numbers typed as text stay text', () => {
  const address = new URLSearchParams(toEntries({ ...start, filters: { orderNo: '261120' } }))
  expect(address.get('orderNo')).toBe('"261120"')
  expect(fromEntries(address)).toMatchObject({ orderNo: '261120' })
})

test.each(['"LO1"', ' "LO1"', '\t"LO1" ', '""', '" ', 'true', ' [1]', 'null'])(
  'what only looks written, %j, is read as it was typed',
  text => {
    const entries = new URLSearchParams(toEntries({ ...start, filters: { orderNo: text } }))
    expect(fromEntries(entries)).toMatchObject({ orderNo: text })
  },
)

test('an address without entries leaves the list its own start', () => {
  expect(fromEntries(new URLSearchParams(''))).toBeUndefined()
})

test('columns and density of an address that make no sense are those of the screen', () => {
  expect(stateFrom({ columns: 7, density: 'huge' }, start)).toEqual({ ...start, filters: {} })
})
