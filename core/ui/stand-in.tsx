import { type Ref, useLayoutEffect } from 'react'
import type { Overlay } from './overlay/overlay-state.ts'

/** Draws nothing: tells Radix that the overlay's button, which stands elsewhere, is its trigger. */
export const StandIn = ({ overlay, ref }: { overlay: Overlay; ref?: Ref<HTMLElement> }) => {
  useLayoutEffect(() => {
    if (typeof ref === 'function') ref(overlay.button.current)
    else if (ref) ref.current = overlay.button.current
  })
  return null
}
