import { useRef } from 'react'
import { useHost } from '../../element/context.ts'

/** A menu item is gone when its dialog closes: its menu's button takes the focus instead. */
const lasting = (element: Element | null) => {
  const label = element?.closest('[role=menu]')?.getAttribute('aria-labelledby')
  const root = element?.getRootNode()
  return label && root instanceof ShadowRoot ? root.getElementById(label) : element
}

/** What opened the overlay that is open, or that closes just now: another may come in its place, as one whose data has arrived. */
let last: Element | null = null

/** Gives the focus back to what had it when an overlay without a trigger of its own opened. */
export const useReturnFocus = () => {
  const { shadowRoot } = useHost().element
  const opener = useRef<Element | null>(null)
  return {
    onOpenAutoFocus: () => {
      opener.current = lasting(shadowRoot?.activeElement ?? null) ?? last
      last = opener.current
    },
    onCloseAutoFocus: (event: Event) => {
      event.preventDefault()
      last = null
      const opened = opener.current
      if (!(opened instanceof HTMLElement)) return
      // What was done may have led to another page, which has the focus by now.
      const at = shadowRoot?.activeElement
      if (at && at !== opened && !at.closest('[role=dialog], [role=menu]')) return
      // What was done may have put the button off that asked for it.
      const back = opened.matches(':disabled') ? opened.closest<HTMLElement>('[role=dialog], [data-row]') : opened
      back?.focus({ preventScroll: true })
    },
  }
}
