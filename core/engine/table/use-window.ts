import { type RefObject, useCallback, useEffect, useLayoutEffect, useState } from 'react'

/** Up to this many rows are all drawn, for find in page, print and screen readers. */
const whole = 200
const beyond = 8
const step = 4
/** New rows drawn per frame, so that no frame takes long. */
const slice = 8
/** Milliseconds of rest after which rows out of sight are drawn again. */
const restMs = 120

/** The rows that are drawn: from the first to before the last, by index. */
export type Window = { from: number; to: number }

/**
 * Which of `count` rows to draw when those from `first` are in sight and `visible` fit: some more on both sides, or the first `drawn`
 * of them.
 */
export const windowOf = (count: number, first: number, visible: number, drawn = Number.POSITIVE_INFINITY): Window => {
  const start = Math.max(0, Math.min(first, count - visible))
  const fit = visible + step
  const more = drawn > fit + slice ? beyond : 0
  return { from: Math.max(0, start - more), to: Math.min(count, start + Math.min(drawn, fit) + more) }
}

/** Height of a row, as the style sheet has it for the density in force. */
const rowHeightOf = (element: Element) =>
  Number.parseFloat(getComputedStyle(element).getPropertyValue('--mk-row')) || 36

/** Columns never get narrower while rows scroll in: they keep their widest size until the box changes. */
const keepWidths = (heads: Iterable<HTMLElement>) => {
  const measured = [...heads].map(head => [head, head.offsetWidth] as const)
  for (const [head, width] of measured) head.style.minWidth = `${width}px`
}

/** Rows that stay in sight stay; where most are others, they come slice by slice. */
const isLeap = (first: number, before: number, visible: number) => Math.abs(first - before) > visible / 2

type At = { first: number; drawn: number }

/** Draws what is in sight slice by slice, and the rows around it once nothing moves. */
const useSlices = ({ first, drawn, visible }: At & { visible: number }, setAt: (step: (now: At) => At) => void): void =>
  useEffect(() => {
    if (drawn > visible + step + slice) return
    const on = (by: number) =>
      setAt(now => (isLeap(first, now.first, visible) ? now : { first: now.first, drawn: drawn + by }))
    if (drawn < visible + step) {
      const frame = requestAnimationFrame(() => on(slice))
      return () => cancelAnimationFrame(frame)
    }
    const rest = setTimeout(on, restMs, Number.POSITIVE_INFINITY)
    return () => clearTimeout(rest)
  })

/** Draws, of very many rows of one height, those in sight of their scrolling box. */
export const useWindow = (count: number, box: RefObject<HTMLElement | null>) => {
  const windowed = count > whole
  const [rowHeight, setRowHeight] = useState(36)
  const [head, setHead] = useState(33)
  const [visible, setVisible] = useState(30)
  const [{ first, drawn }, setAt] = useState({ first: 0, drawn: Number.POSITIVE_INFINITY })
  const measure = useCallback(() => {
    const element = box.current
    if (!element) return
    const height = rowHeightOf(element)
    const fit = Math.ceil(element.clientHeight / height)
    const first = Math.floor(element.scrollTop / height / step) * step
    setRowHeight(height)
    setHead(element.querySelector('thead')?.offsetHeight ?? 0)
    setVisible(fit)
    setAt(now => (first === now.first ? now : { first, drawn: isLeap(first, now.first, fit) ? slice : now.drawn }))
  }, [box])
  useLayoutEffect(() => {
    if (!windowed) return
    measure()
    keepWidths(box.current?.querySelectorAll('th') ?? [])
  })
  useEffect(() => {
    const element = box.current
    if (!windowed || !element) return
    const resized = new ResizeObserver(() => {
      for (const head of element.querySelectorAll('th')) head.style.minWidth = ''
      measure()
    })
    resized.observe(element)
    return () => resized.disconnect()
  }, [windowed, box, measure])
  const { from, to } = windowed ? windowOf(count, first, visible, drawn) : { from: 0, to: count }
  useSlices({ first, drawn, visible }, setAt)
  /** Brings a row into the box, below its sticky head. */
  const reveal = (index: number) => {
    const element = box.current
    if (!windowed || !element) return
    const top = index * rowHeight
    const room = element.clientHeight - head - rowHeight
    element.scrollTop = Math.min(Math.max(element.scrollTop, top - room), top)
    measure()
  }
  return {
    windowed,
    from,
    to,
    before: from * rowHeight,
    /** Height of all rows. It never shrinks while rows change, so that the scroll position stays. */
    height: windowed ? head + count * rowHeight : undefined,
    measure,
    reveal,
  }
}
