import { type KeyboardEvent, type RefObject, useLayoutEffect, useRef } from 'react'

/** What the keys of a list do to its table. */
export type RowKeys = {
  /** Puts the cursor on the next row, or the one before; on the first when it was on none. */
  move: (by: 1 | -1) => void
  /** Index of the row with the cursor, or -1. */
  at: () => number
}

const rowIn = (element: Element | null | undefined) => element?.closest<HTMLElement>('tr[data-row]') ?? null
const focusedIn = (box: HTMLElement | null) => (box?.getRootNode() as Document | ShadowRoot | undefined)?.activeElement

/** The row that a key leads to. */
const target = (key: string, at: number, count: number): number | null => {
  switch (key) {
    case 'ArrowDown':
      return at + 1
    case 'ArrowUp':
      return at - 1
    case 'Home':
      return 0
    case 'End':
      return count - 1
    default:
      return null
  }
}
/**
 * The cursor of a table is the focus: on a row, or on something in it. It comes back to the row where it last was, and when its row
 * goes away the table itself keeps the focus.
 */
export const useRowCursor = (
  box: RefObject<HTMLElement | null>,
  keys: readonly string[],
  reveal: (index: number) => void,
) => {
  const last = useRef<string | null>(null)
  const wanted = useRef<string | null>(null)
  const inside = useRef(false)
  const rowOf = (key: string | null) =>
    box.current?.querySelector<HTMLElement>(`tr[data-row="${CSS.escape(key ?? '')}"]`)

  useLayoutEffect(() => {
    const row = wanted.current === null ? null : rowOf(wanted.current)
    if (row) {
      wanted.current = null
      row.focus()
    } else if (inside.current && wanted.current === null && !focusedIn(box.current)) box.current?.focus()
  })

  const at = () => keys.indexOf(rowIn(focusedIn(box.current))?.dataset.row ?? last.current ?? '')
  const go = (index: number) => {
    const key = keys[Math.max(0, Math.min(keys.length - 1, index))]
    if (key === undefined) return
    last.current = key
    wanted.current = key
    reveal(keys.indexOf(key))
    const row = rowOf(key)
    if (!row) return
    wanted.current = null
    row.focus()
  }
  const move = (by: 1 | -1) => go(at() + by)
  return {
    keys: { move, at } satisfies RowKeys,
    onFocus: (event: { target: EventTarget }) => {
      inside.current = true
      last.current = rowIn(event.target as Element)?.dataset.row ?? last.current
    },
    onBlur: () => {
      inside.current = false
    },
    onKeyDown: (event: KeyboardEvent<HTMLElement>) => {
      if (event.ctrlKey || event.metaKey || event.altKey || !event.currentTarget.contains(event.target as Node)) return
      const index = target(event.key, at(), keys.length)
      if (index === null) return
      event.preventDefault()
      go(index)
    },
  }
}
