import { expect, it } from 'vitest'
import { field } from './fields.ts'
import { rowChanges, sheetOf } from './row-changes.ts'

const fields = { level: field.text(), low: field.int(), high: field.int(), rate: field.rate(), step: field.int() }
const row = (level: string, change: object = {}) => ({ level, low: 1, high: 2, rate: '0.1', step: 3, ...change })

it('takes rows of many fields as a sheet, and nothing else', () => {
  expect(Object.keys(sheetOf(field.rows(fields, 4).optional()) ?? {})).toEqual(Object.keys(fields))
  expect([sheetOf(field.rows({ day: field.int(), time: field.clock() }, 4)), sheetOf(field.int())]).toEqual([
    null,
    null,
  ])
})

it('names what differs by row and field, with rows that came and went', () => {
  const shape = sheetOf(field.rows(fields, 4)) ?? {}
  const before = [row('A'), row('B', { high: 9 }), row('C')]
  const after = [row('B'), row('A', { rate: '0.2' })]
  const said = rowChanges(shape, before, after).map(({ row, field, before, after }) => [row, field, before, after])
  expect(said).toEqual([
    ['A', 'rate', '0.1', '0.2'],
    ['B', 'high', 9, 2],
    ['C', 'low', 1, null],
    ['C', 'high', 2, null],
    ['C', 'rate', '0.1', null],
    ['C', 'step', 3, null],
  ])
  expect(rowChanges(shape, null, [])).toEqual([])
})
