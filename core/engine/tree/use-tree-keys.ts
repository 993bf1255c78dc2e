import { type KeyboardEvent, useState } from 'react'
import type { TreeRow } from '../../ui/choose/tree.ts'
import { type Carried, carriedBy, type Moves, turned } from './carry.ts'

type Of = {
  rows: readonly TreeRow[]
  unfold: (value: string, wanted: boolean) => void
  open: (value: string) => void
  moves: Moves | undefined
  /** Gives a row the focus. */
  focus: (value: string) => void
}

type Keys = ReadonlyMap<string, () => unknown>

/** The row with the focus, and what keys do: arrows walk and fold, Enter opens, the space bar takes a row up and puts it down. */
export const useTreeKeys = ({ rows, unfold, open, moves, focus }: Of) => {
  const [active, setActive] = useState<string>()
  const [carried, setCarried] = useState<Carried | null>(null)
  const now = rows.find(row => row.node.value === active) ?? rows[0]
  const at = now ? rows.indexOf(now) : 0
  const go = (to: number) => {
    const next = rows[Math.max(0, Math.min(rows.length - 1, to))]
    if (!next) return
    setActive(next.node.value)
    focus(next.node.value)
  }
  const fold = ({ node, open: isOpen, level }: TreeRow, wanted: boolean) => {
    if (isOpen === !wanted) return unfold(node.value, wanted)
    if (wanted) return isOpen && go(at + 1)
    const above = rows.slice(0, at).findLastIndex(row => row.level < level)
    if (above >= 0) go(above)
  }
  const letGo = () => {
    const put = carried
    setCarried(null)
    if (put && moves && !moves.refuses(put)) moves.drop(put)
  }
  const takeUp = ({ node: { value } }: TreeRow) => {
    if (moves?.takes(value)) setCarried({ key: value, target: value, place: moves.places[0] ?? 'into' })
  }
  const walking = (row: TreeRow): Keys =>
    new Map([
      ['ArrowDown', () => go(at + 1)],
      ['ArrowUp', () => go(at - 1)],
      ['ArrowRight', () => fold(row, true)],
      ['ArrowLeft', () => fold(row, false)],
      ['Home', () => go(0)],
      ['End', () => go(rows.length - 1)],
      ['Enter', () => open(row.node.value)],
      [' ', () => takeUp(row)],
    ])
  const carrying = (one: Carried, { places }: Moves): Keys =>
    new Map([
      ['ArrowDown', () => setCarried(carriedBy(rows, one, 1))],
      ['ArrowUp', () => setCarried(carriedBy(rows, one, -1))],
      ['ArrowRight', () => setCarried(turned(one, places, 1))],
      ['ArrowLeft', () => setCarried(turned(one, places, -1))],
      ['Enter', letGo],
      [' ', letGo],
      ['Escape', () => setCarried(null)],
    ])
  const onKeyDown = (event: KeyboardEvent) => {
    const isRow = (event.target as Element).matches('tr[data-row]')
    if (!now || !isRow || event.ctrlKey || event.metaKey || event.altKey) return
    const act = (carried && moves ? carrying(carried, moves) : walking(now)).get(event.key)
    if (!act) return
    event.preventDefault()
    event.stopPropagation()
    act()
  }
  return { active: now?.node.value, setActive, carried, setCarried, onKeyDown }
}
