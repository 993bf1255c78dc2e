// @vitest-environment happy-dom
import type { KeyboardEvent } from 'react'
import { expect, it, vi } from 'vitest'
import { hooked } from '../../../tests/hook.tsx'
import { rowsOf, treeOf } from '../../ui/choose/tree.ts'
import type { Moves } from './carry.ts'
import { useTreeKeys } from './use-tree-keys.ts'

const node = (value: string, parent: string | null) => ({ value, label: value, parent, leaf: false })
const tree = treeOf([node('A', null), node('B', 'A'), node('C', 'B'), node('D', null)])

const walking = (open: readonly string[], given: Partial<Moves> = {}) => {
  const calls = { unfold: vi.fn(), open: vi.fn(), focus: vi.fn(), drop: vi.fn() }
  const moves: Moves = { places: ['into'], takes: () => true, refuses: () => null, drop: calls.drop, ...given }
  const run = hooked(
    (of: ReadonlySet<string>) => useTreeKeys({ rows: rowsOf(tree, of), moves, ...calls }),
    new Set(open),
    inner => inner,
  )
  const target = document.createElement('tr')
  target.dataset.row = 'row'
  const press = (...keys: string[]) => {
    for (const key of keys)
      run.does(now =>
        now.onKeyDown({
          key,
          target,
          preventDefault: () => undefined,
          stopPropagation: () => undefined,
        } as unknown as KeyboardEvent),
      )
  }
  return { ...calls, press, now: () => run.now() }
}

it('walks with arrows, Home and End, and folds and unfolds', () => {
  const { press, now, unfold, open } = walking(['A'])
  press('ArrowDown')
  expect(now().active).toBe('B')
  press('ArrowRight')
  expect(unfold).toHaveBeenLastCalledWith('B', true)
  press('ArrowLeft')
  expect(now().active).toBe('A')
  press('ArrowLeft')
  expect(unfold).toHaveBeenLastCalledWith('A', false)
  press('End', 'Enter')
  expect(open).toHaveBeenCalledWith('D')
  press('Home', 'ArrowUp')
  expect(now().active).toBe('A')
})

it('takes a row up with the space bar and puts it down where Enter says, or nowhere', () => {
  const { press, now, drop } = walking(['A'])
  press('End', ' ', 'ArrowUp')
  expect(now().carried).toEqual({ key: 'D', target: 'B', place: 'into' })
  press('Escape', 'Enter')
  expect(now().carried).toBeNull()
  expect(drop).not.toHaveBeenCalled()
  press('End', ' ', 'ArrowUp', 'ArrowUp', 'Enter')
  expect(drop).toHaveBeenCalledWith({ key: 'D', target: 'A', place: 'into' })
})

it('puts nothing down where it is refused, and takes up nothing that stays', () => {
  const refusing = walking(['A'], { refuses: () => 'no' })
  refusing.press('End', ' ', 'ArrowUp', 'Enter')
  expect(refusing.drop).not.toHaveBeenCalled()
  const fixed = walking(['A'], { takes: () => false })
  fixed.press('End', ' ')
  expect(fixed.now().carried).toBeNull()
})
