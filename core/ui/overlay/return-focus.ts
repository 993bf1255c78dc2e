import { useRef } from 'react'
import { useHost } from '../../element/context.ts'

/** A menu item is gone when its dialog closes: its menu's button takes the focus instead. */
const lasting = (element: Element | null) => {
  const label = element?.closest('[role=menu]')?.getAttribute('aria-labelledby')
  const root = element?.getRootNode()
  return label && root instanceof ShadowRoot ? root.getElementById(label) : element
}

type Opener = { element: Element | null; under: Opener | null }
/** Who opened the overlay that is open, or that closes just now: another may come in its place, as one whose data has arrived. */
let last: Opener | null = null

/** Gives the focus back to what had it when an overlay without a trigger of its own opened. */
export const useReturnFocus = (open: boolean) => {
  const { shadowRoot } = useHost().element
  const opener = useRef<Opener | null>(null)
  const was = useRef(false)
  // A field may take the focus as soon as it is there, before any event says that the overlay opened.
  if (was.current !== open) {
    was.current = open
    if (open) last = opener.current = { element: lasting(shadowRoot?.activeElement ?? null), under: last }
  }
  return (event: Event) => {
    event.preventDefault()
    const { element, under } = opener.current ?? {}
    last = under ?? null
    const opened = [element, under?.element].find(one => one?.isConnected)
    if (!(opened instanceof HTMLElement)) return
    // What was done may have led to another page, which has the focus by now.
    const at = shadowRoot?.activeElement
    if (at && at !== opened && !at.closest('[role=dialog], [role=menu]')) return
    // What was done may have put the button off that asked for it.
    const back = opened.matches(':disabled') ? opened.closest<HTMLElement>('[role=dialog], [data-row]') : opened
    back?.focus({ preventScroll: true })
  }
}
