import { describe, expect, it } from 'vitest'
import { yardsticks } from '../../../tests/yardstick.ts'
import { checkOf, chosenBelow, firstHit, leavesOf, rowsOf, type TreeNode, treeOf } from './tree.ts'

const branch = (value: string, parent: string | null, label = value): TreeNode => ({
  value,
  label,
  parent,
  leaf: false,
})
const leaf = (value: string, parent: string | null, label = value): TreeNode => ({ value, label, parent, leaf: true })
const tree = treeOf([
  branch('D0', null, 'Head office'),
  branch('D1', 'D0', 'Review overview'),
  leaf('U1', 'D1', 'Brenda'),
  leaf('U2', 'D1', 'Isaac'),
  leaf('U3', 'D0', 'Grace'),
  branch('D9', 'hidden', 'Gulu'),
])
const shown = (open: string[], search = '') => rowsOf(tree, new Set(open), search).map(row => row.node.value)

describe('what is in sight', () => {
  it('are the roots, and what lies in open branches', () => {
    expect(shown([])).toEqual(['D0', 'D9'])
    expect(shown(['D0'])).toEqual(['D0', 'D1', 'U3', 'D9'])
    expect(shown(['D0', 'D1'])).toEqual(['D0', 'D1', 'U1', 'U2', 'U3', 'D9'])
    expect(shown(['D1'])).toEqual(['D0', 'D9'])
  })

  it('says how deep a node lies, and the how manieth of how many it is', () => {
    const rows = rowsOf(tree, new Set(['D0', 'D1']))
    expect(rows.find(row => row.node.value === 'U2')).toMatchObject({ level: 3, position: 2, size: 2 })
    expect(rows.map(row => row.open)).toEqual([true, true, undefined, undefined, undefined, undefined])
  })

  it('is what matches, with what it lies in, while something is searched', () => {
    expect(shown([], ' brenda ')).toEqual(['D0', 'D1', 'U1'])
    expect(shown([], 'review')).toEqual(['D0', 'D1'])
    expect(shown([], 'nobody')).toEqual([])
  })

  it('begins at the first match, not at what it lies in', () => {
    const place = (search: string) => firstHit(rowsOf(tree, new Set(), search), search)
    expect([' brenda ', 'review', 'head', ''].map(place)).toEqual([2, 1, 0, 0])
  })
})

describe('leaves with something below them', () => {
  const companies = treeOf([leaf('O1', null), leaf('O2', 'O1'), leaf('O3', 'O2'), leaf('O4', 'O1')])
  const marks = (chosen: string[]) => {
    const counts = chosenBelow(companies, chosen)
    return [...companies.nodes.keys()].filter(value => checkOf(companies, counts, value) === true)
  }

  it('are chosen by themselves, and never in part', () => {
    expect(marks(['O1'])).toEqual(['O1'])
    expect(marks(['O3', 'O4'])).toEqual(['O3', 'O4'])
    const counts = chosenBelow(companies, ['O3'])
    expect(['O1', 'O2'].map(value => checkOf(companies, counts, value))).toEqual([false, false])
    expect(leavesOf(companies, 'O1')).toEqual(['O1'])
  })

  it('are opened like branches', () => {
    expect(rowsOf(companies, new Set(['O1', 'O2'])).map(row => [row.node.value, row.level])).toEqual([
      ['O1', 1],
      ['O2', 2],
      ['O3', 3],
      ['O4', 2],
    ])
  })
})

describe('what is chosen', () => {
  const check = (value: string, chosen: string[]) => checkOf(tree, chosenBelow(tree, chosen), value)

  it('is a branch when all of its leaves are, and some of it when some are', () => {
    expect(check('D1', ['U1', 'U2'])).toBe(true)
    expect(check('D0', ['U1', 'U2'])).toBe('mixed')
    expect(check('D0', ['U1', 'U2', 'U3'])).toBe(true)
    expect(check('D1', ['U3'])).toBe(false)
  })

  it('is never an empty branch, nor by somebody who is not in the tree', () => {
    expect(check('D9', ['U1', 'U2', 'U3'])).toBe(false)
    expect(check('D0', ['U77'])).toBe(false)
  })

  it('has the leaves of a branch, at any depth', () => {
    expect(leavesOf(tree, 'D0').sort()).toEqual(['U1', 'U2', 'U3'])
    expect(leavesOf(tree, 'U1')).toEqual(['U1'])
    expect(leavesOf(tree, 'D9')).toEqual([])
  })
})

it('counts and lists 5,000 nodes without being felt', async () => {
  const list = Array.from(
    { length: 5_000 },
    (_, n): TreeNode =>
      n < 250 ? branch(`D${n}`, n ? `D${Math.floor((n - 1) / 6)}` : null) : leaf(`U${n}`, `D${n % 250}`),
  )
  const work = () => {
    const large = treeOf(list)
    const all = leavesOf(large, 'D0')
    const rows = rowsOf(large, new Set(list.map(node => node.value)))
    const counts = chosenBelow(large, all)
    expect({ all: all.length, rows: rows.length, check: checkOf(large, counts, 'D0') }).toEqual({
      all: 4_750,
      rows: 5_000,
      check: true,
    })
  }
  expect(await yardsticks(work)).toBeLessThan(20)
})
