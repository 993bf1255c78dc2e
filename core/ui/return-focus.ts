import { useRef } from 'react'
import { useHost } from '../element/context.ts'

/** A menu item is gone when its dialog closes: its menu's button takes the focus instead. */
const lasting = (element: Element | null) => {
  const label = element?.closest('[role=menu]')?.getAttribute('aria-labelledby')
  const root = element?.getRootNode()
  return label && root instanceof ShadowRoot ? root.getElementById(label) : element
}

/** Gives the focus back to what had it when an overlay without a trigger of its own opened. */
export const useReturnFocus = () => {
  const { shadowRoot } = useHost().element
  const opener = useRef<Element | null>(null)
  return {
    onOpenAutoFocus: () => {
      opener.current = lasting(shadowRoot?.activeElement ?? null)
    },
    onCloseAutoFocus: (event: Event) => {
      event.preventDefault()
      if (opener.current instanceof HTMLElement) opener.current.focus({ preventScroll: true })
    },
  }
}
