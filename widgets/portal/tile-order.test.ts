import { expect, test } from 'vitest'
import { inOrder, movedTo } from './tile-order.ts'

const tiles = ['a', 'b', 'c', 'd'].map(key => ({ key }))
const keys = (order: readonly string[]) => inOrder(tiles, order).map(tile => tile.key)

test('tiles stand as they were put; new ones come behind, those that are gone leave no hole', () => {
  expect(keys([])).toEqual(['a', 'b', 'c', 'd'])
  expect(keys(['c', 'a'])).toEqual(['c', 'a', 'b', 'd'])
  expect(keys(['gone', 'd', 'c', 'b', 'a'])).toEqual(['d', 'c', 'b', 'a'])
})

test('a tile is moved one place or many, and not beyond the ends', () => {
  expect(movedTo(['a', 'b', 'c'], 'a', 1)).toEqual(['b', 'a', 'c'])
  expect(movedTo(['a', 'b', 'c'], 'c', 0)).toEqual(['c', 'a', 'b'])
  expect(movedTo(['a', 'b', 'c'], 'a', -1)).toEqual(['a', 'b', 'c'])
  expect(movedTo(['a', 'b', 'c'], 'b', 9)).toEqual(['a', 'c', 'b'])
})
