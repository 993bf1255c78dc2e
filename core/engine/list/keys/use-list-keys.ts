import { useEffect, useRef } from 'react'
import { useHost } from '../../../element/context.ts'
import { type Shortcut, shortcutOf, wayOf } from '../../drawer/shortcut.ts'

/** Handles the keys of a list while the focus is in its widget; a key without a handler is ignored. */
export const useListKeys = (act: Partial<Record<Shortcut, () => void>>) => {
  const { element } = useHost()
  const latest = useRef(act)
  latest.current = act
  useEffect(() => {
    const pressed = (event: KeyboardEvent) => {
      const shortcut = shortcutOf(event, wayOf(event))
      const run = shortcut && latest.current[shortcut]
      if (!run) return
      event.preventDefault()
      run()
    }
    element.addEventListener('keydown', pressed)
    return () => element.removeEventListener('keydown', pressed)
  }, [element])
}

const first = 'input, textarea, button, [tabindex="0"]'

/** Puts the focus on the first filter below `list`. */
export const focusFilter = (list: HTMLElement | null) =>
  list?.querySelector('search')?.querySelector<HTMLElement>(first)?.focus()
