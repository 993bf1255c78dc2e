import { type RefObject, useEffect } from 'react'

/** Marks a box that scrolls sideways by where it holds more than is in sight: `data-more-left`, `data-more-right`. */
export const useEdges = (box: RefObject<HTMLElement | null>) =>
  useEffect(() => {
    const element = box.current
    if (!element) return
    const look = () => {
      const { scrollLeft, scrollWidth, clientWidth } = element
      element.toggleAttribute('data-more-left', scrollLeft > 0)
      element.toggleAttribute('data-more-right', scrollLeft + clientWidth < scrollWidth - 1)
    }
    const resized = new ResizeObserver(look)
    resized.observe(element)
    for (const child of element.children) resized.observe(child.firstElementChild ?? child)
    element.addEventListener('scroll', look, { passive: true })
    return () => {
      resized.disconnect()
      element.removeEventListener('scroll', look)
    }
  }, [box])
