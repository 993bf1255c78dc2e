import { expect, it } from 'vitest'
import { rowsOf, treeOf } from '../../ui/choose/tree.ts'
import { branchIn, carriedBy, placeAt, turned } from './carry.ts'

const all = ['before', 'into', 'after'] as const
const node = (value: string, parent: string | null) => ({ value, label: value, parent, leaf: false })
const tree = treeOf([node('A', null), node('B', 'A'), node('C', 'B'), node('D', 'A'), node('E', null)])
const rows = rowsOf(tree, new Set(['A', 'B']))

it('takes everything below a row along, and nothing beside it', () => {
  expect([...branchIn(rows, 'B')]).toEqual(['B', 'C'])
  expect([...branchIn(rows, 'A')]).toEqual(['A', 'B', 'C', 'D'])
  expect([...branchIn(rows, 'E')]).toEqual(['E'])
})

it('reads a height as a place, among those that mean something', () => {
  expect([0.1, 0.5, 0.9].map(share => placeAt(share, all))).toEqual(['before', 'into', 'after'])
  expect([0.1, 0.5, 0.9].map(share => placeAt(share, ['into']))).toEqual(['into', 'into', 'into'])
  expect([0.1, 0.6].map(share => placeAt(share, ['before', 'after']))).toEqual(['before', 'after'])
})

it('goes from row to row and place to place by keys, and stays at the ends', () => {
  const carried = { key: 'E', target: 'A', place: 'into' as const }
  expect(carriedBy(rows, carried, -1).target).toBe('A')
  expect(carriedBy(rows, carried, 1).target).toBe('B')
  expect(carriedBy(rows, { ...carried, target: 'E' }, 1).target).toBe('E')
  expect(turned(carried, all, 1).place).toBe('after')
  expect(turned({ ...carried, place: 'after' }, all, 1).place).toBe('before')
  expect(turned(carried, ['into'], -1).place).toBe('into')
})
