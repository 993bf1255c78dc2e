import { flushSync } from 'react-dom'
import { placed, within } from './column-moves.ts'
import { withWidths } from './column-order.ts'

type Along = 'x' | 'y'
type Drag = {
  /** What can be dragged, in its order; each says in `data-column` which column it is. The first one stays. */
  items: readonly HTMLElement[]
  along: Along
  /** Where the column is to stand then, counted without itself. */
  drop: (id: string, at: number) => void
}

/** The columns in sight with their widths, and how they change. */
export type ColumnsBy = {
  shown: readonly string[]
  widths: Readonly<Record<string, number | undefined>>
  change: (columns: readonly string[]) => void
}

/** Pixels that tell dragging from pressing; an edge is taken more exactly than a column. */
const threshold = 6
const edgeThreshold = 2
const middleOf = (element: HTMLElement, along: Along) => {
  const { left, width, top, height } = element.getBoundingClientRect()
  return along === 'x' ? left + width / 2 : top + height / 2
}

/** Follows the pointer until it is let go. Esc, or a pointer that was let go elsewhere, ends it without an outcome. */
export const follow = (
  begun: PointerEvent,
  moved: (event: PointerEvent) => void,
  end: (event: PointerEvent | null) => void,
) => {
  const on = new AbortController()
  const { signal } = on
  const own = (event: PointerEvent) => event.pointerId === begun.pointerId
  const stop = (event: PointerEvent | null) => {
    on.abort()
    end(event)
  }
  addEventListener('pointermove', event => void (own(event) && (event.buttons ? moved(event) : stop(null))), { signal })
  addEventListener('pointerup', event => void (own(event) && stop(event)), { signal })
  addEventListener('pointercancel', event => void (own(event) && stop(null)), { signal })
  const leave = (event: KeyboardEvent) => {
    if (event.key !== 'Escape') return
    event.preventDefault()
    event.stopPropagation()
    stop(null)
  }
  addEventListener('keydown', leave, { signal, capture: true })
}

/** Swallows the click that ends a drag. */
export const swallowClick = () => {
  const stop = (event: Event) => {
    event.preventDefault()
    event.stopPropagation()
  }
  addEventListener('click', stop, { capture: true, once: true })
  setTimeout(() => removeEventListener('click', stop, { capture: true }))
}

/** Drags a column along its neighbours; a line shows where it will stand. `path` is the way of the event, which is known only while it is on it. */
export const dragAlong = (begun: PointerEvent, path: readonly EventTarget[], { items, along, drop }: Drag) => {
  const at = items.findIndex(item => path.includes(item))
  const item = items[at]
  if (begun.button !== 0 || at < 1 || !item) return
  const start = along === 'x' ? begun.clientX : begun.clientY
  const others = items.filter(one => one !== item)
  let to: number | undefined
  const mark = () => {
    for (const one of items) one.style.boxShadow = ''
    item.style.opacity = to === undefined ? '' : '0.5'
    if (to === undefined) return
    const neighbour = others[to] ?? others.at(-1)
    const side = neighbour === others[to] ? 2 : -2
    if (neighbour)
      neighbour.style.boxShadow = `inset ${along === 'x' ? `${side}px 0` : `0 ${side}px`} 0 var(--accent-9)`
  }
  follow(
    begun,
    event => {
      const now = along === 'x' ? event.clientX : event.clientY
      if (to === undefined && Math.abs(now - start) < threshold) return
      const passed = others.filter(one => middleOf(one, along) < now).length
      to = Math.max(1, passed)
      mark()
    },
    event => {
      const place = to
      to = undefined
      mark()
      if (place === undefined) return
      swallowClick()
      if (event) drop(item.dataset.column as string, place)
    },
  )
}

/** Drags the edge of a column: the width follows the pointer and is reported when the pointer is released. */
const dragEdge = (
  begun: PointerEvent,
  head: HTMLElement,
  cells: readonly HTMLElement[],
  done: (width: number) => void,
) => {
  if (begun.button !== 0) return
  begun.preventDefault()
  const start = head.offsetWidth
  const drawn = [head, ...cells]
  const before = drawn.map(cell => cell.style.cssText)
  let width: number | undefined
  follow(
    begun,
    event => {
      const by = event.clientX - begun.clientX
      if (width === undefined && Math.abs(by) < edgeThreshold) return
      width = Math.max(48, start + by)
      for (const cell of drawn)
        Object.assign(cell.style, {
          width: `${width}px`,
          minWidth: `${width}px`,
          maxWidth: `${width}px`,
          overflow: 'hidden',
        })
    },
    event => {
      const drawnTo = width
      if (drawnTo === undefined) return
      swallowClick()
      for (const [index, cell] of drawn.entries()) cell.style.cssText = before[index] as string
      // Set before the next frame, so that a second drag starts from the new width.
      if (event) flushSync(() => done(drawnTo))
    },
  )
}

/** A press on the head of a table: on the edge of a column it is about its width, elsewhere about its place. */
export const dragHead = (
  begun: PointerEvent,
  path: readonly EventTarget[],
  head: HTMLElement,
  by: ColumnsBy | undefined,
) => {
  if (!by) return
  const { shown, widths, change } = by
  const [edge] = path as readonly HTMLElement[]
  const column = edge?.classList.contains('mk-grip') ? edge.parentElement : null
  const items = [...head.querySelectorAll<HTMLElement>('[data-column]')]
  if (!edge || !column)
    return dragAlong(begun, path, {
      items,
      along: 'x',
      drop: (id, at) => change(withWidths(placed(shown, id, at), widths)),
    })
  const place = [...(column.parentElement?.children ?? [])].indexOf(column) + 1
  const cells = head.parentElement?.querySelectorAll<HTMLElement>(`tr > :nth-child(${place})`) ?? []
  const widen = (width: number | undefined) =>
    change(withWidths(shown, { ...widths, [column.dataset.column as string]: width }))
  /** A double press gives it its own width back. */
  edge.ondblclick = () => widen(undefined)
  dragEdge(begun, column, [...cells], width => widen(within(width)))
}
