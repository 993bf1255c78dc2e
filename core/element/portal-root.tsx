import { useCallback } from 'react'

/** Overlays live in the top layer: no z-index, overflow or transform of the host page can cover, clip or move them. */
export const PortalRoot = ({ ref }: { ref: (element: HTMLElement | null) => void }) => {
  const attach = useCallback(
    (element: HTMLDivElement | null) => {
      if (!element) return
      const sync = () => {
        const open = element.matches(':popover-open')
        if (element.childElementCount && !open) element.showPopover()
        if (!element.childElementCount && open) element.hidePopover()
      }
      const observer = new MutationObserver(sync)
      observer.observe(element, { childList: true })
      ref(element)
      return () => {
        observer.disconnect()
        ref(null)
      }
    },
    [ref],
  )
  return <div ref={attach} className="w-portal" popover="manual" />
}
