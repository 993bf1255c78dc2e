import { type RefObject, useCallback, useEffect, useLayoutEffect, useState } from 'react'

/** So many rows are always drawn whole: find in page, print and screen readers have them all. */
const whole = 200
const beyond = 8
const step = 4

export type Window = { from: number; to: number }

/** Which of `count` rows to draw when those from `first` are in sight and `visible` fit: some more on both sides. */
export const windowOf = (count: number, first: number, visible: number): Window => {
  const start = Math.max(0, Math.min(first, count - visible))
  return { from: Math.max(0, start - beyond), to: Math.min(count, start + visible + step + beyond) }
}

/** Height of a row, as the style sheet has it for the density in force. */
const rowHeightOf = (element: Element) =>
  Number.parseFloat(getComputedStyle(element).getPropertyValue('--mk-row')) || 36

/** Columns never get narrower while other rows scroll in: what was as wide once stays so, until the box changes. */
const keepWidths = (heads: Iterable<HTMLElement>) => {
  const measured = [...heads].map(head => [head, head.offsetWidth] as const)
  for (const [head, width] of measured) head.style.minWidth = `${width}px`
}

type Measured = { rowHeight: number; head: number; first: number; visible: number }

/** Draws, of very many rows of one height, those in sight of their scrolling box. */
export const useWindow = (count: number, box: RefObject<HTMLElement | null>) => {
  const windowed = count > whole
  const [measured, setMeasured] = useState<Measured>({ rowHeight: 36, head: 33, first: 0, visible: 30 })
  const { rowHeight, head, first, visible } = measured
  const measure = useCallback(() => {
    const element = box.current
    if (!element) return
    const height = rowHeightOf(element)
    const next = {
      rowHeight: height,
      head: element.querySelector('thead')?.offsetHeight ?? 0,
      first: Math.floor(element.scrollTop / height / step) * step,
      visible: Math.ceil(element.clientHeight / height),
    }
    setMeasured(now => (JSON.stringify(now) === JSON.stringify(next) ? now : next))
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
  const { from, to } = windowed ? windowOf(count, first, visible) : { from: 0, to: count }
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
    /** Of the whole; the box never gets shorter while rows change, so it stays where it was scrolled to. */
    height: windowed ? head + count * rowHeight : undefined,
    onScroll: measure,
    reveal,
  }
}
