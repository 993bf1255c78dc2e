import { useLayoutEffect, useRef, useState } from 'react'

/** How many children stand on the first line of an element that wraps and hides the lines below it. */
export const useFitting = () => {
  const line = useRef<HTMLDivElement>(null)
  const [fitting, setFitting] = useState(Number.POSITIVE_INFINITY)
  // Names and badges change with every drawing, the room with the window.
  useLayoutEffect(() => {
    const box = line.current
    if (!box) return
    const look = () => {
      const { top, height } = box.getBoundingClientRect()
      const out = [...box.children].findIndex(child => child.getBoundingClientRect().top >= top + height)
      setFitting(out < 0 ? Number.POSITIVE_INFINITY : out)
    }
    look()
    const observer = new ResizeObserver(look)
    observer.observe(box)
    return () => observer.disconnect()
  })
  return { line, fitting }
}
