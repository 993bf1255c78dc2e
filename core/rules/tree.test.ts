import { expect, it } from 'vitest'
import { flat, nested } from './tree.ts'

const rows = [
  { no: 'B', up: 'A' },
  { no: 'A', up: null },
  { no: 'D', up: 'B' },
  { no: 'C', up: 'A' },
  { no: 'X', up: 'nobody' },
]
const treeOf = (given: typeof rows) =>
  nested(
    given,
    row => row.no,
    row => row.up,
  )

it('nests in the order given, and puts what lost its parent at the top', () => {
  const tree = treeOf(rows as never)
  expect(tree.map(node => node.no)).toEqual(['A', 'X'])
  expect(tree[0]?.childList.map(node => node.no)).toEqual(['B', 'C'])
  expect(flat(tree).map(node => node.no)).toEqual(['A', 'B', 'D', 'C', 'X'])
})

it('shows none of those that stand in a circle', () => {
  const circle = [
    { no: 'A', up: 'B' },
    { no: 'B', up: 'A' },
  ]
  expect(treeOf(circle as never)).toEqual([])
})
