import { type RefObject, useCallback, useEffect, useLayoutEffect, useState } from 'react'

/** So many rows are always drawn whole: find in page, print and screen readers have them all. */
const whole = 200
const beyond = 8
const step = 4
/** Milliseconds of rest after which rows out of sight are drawn again. */
const restMs = 120

export type Window = { from: number; to: number }

/**
 * Which of `count` rows to draw when those from `first` are in sight and `visible` fit: some more on both sides, unless they all
 * `rush` by.
 */
export const windowOf = (count: number, first: number, visible: number, rush = false): Window => {
  const start = Math.max(0, Math.min(first, count - visible))
  const more = rush ? 0 : beyond
  return { from: Math.max(0, start - more), to: Math.min(count, start + visible + step + more) }
}

/** Height of a row, as the style sheet has it for the density in force. */
const rowHeightOf = (element: Element) =>
  Number.parseFloat(getComputedStyle(element).getPropertyValue('--mk-row')) || 36

/** Columns never get narrower while other rows scroll in: what was as wide once stays so, until the box changes. */
const keepWidths = (heads: Iterable<HTMLElement>) => {
  const measured = [...heads].map(head => [head, head.offsetWidth] as const)
  for (const [head, width] of measured) head.style.minWidth = `${width}px`
}

type Measured = { rowHeight: number; head: number; first: number; visible: number; rush: boolean }

/** Draws, of very many rows of one height, those in sight of their scrolling box. */
export const useWindow = (count: number, box: RefObject<HTMLElement | null>) => {
  const windowed = count > whole
  const [measured, setMeasured] = useState<Measured>({ rowHeight: 36, head: 33, first: 0, visible: 30, rush: false })
  const { rowHeight, head, first, visible, rush } = measured
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
    setMeasured(now => {
      const all = { ...next, rush: now.rush }
      return JSON.stringify(now) === JSON.stringify(all) ? now : all
    })
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
  const { from, to } = windowed ? windowOf(count, first, visible, rush) : { from: 0, to: count }
  /** Only where it is scrolled to is asked: the rest has not changed. */
  const onScroll = () => {
    const first = Math.floor((box.current?.scrollTop ?? 0) / rowHeight / step) * step
    setMeasured(now =>
      now.first === first ? now : { ...now, first, rush: Math.abs(first - now.first) > now.visible / 2 },
    )
  }
  useEffect(() => {
    if (!rush) return
    const rest = setTimeout(() => setMeasured(now => ({ ...now, rush: false })), restMs)
    return () => clearTimeout(rest)
  })
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
    onScroll,
    reveal,
  }
}
