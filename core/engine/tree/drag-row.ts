import { follow, swallowClick } from '../table/column-drag.ts'
import { type Carried, type Moves, placeAt } from './carry.ts'

/** Pixels that tell dragging from pressing. */
const threshold = 5
/** Milliseconds over a folded row after which it opens. */
const opensAfter = 600

type Of = {
  key: string
  moves: Moves
  show: (carried: Carried | null) => void
  /** Opens a row that what is carried rests upon. */
  rest: (key: string) => void
}

/** The row below a pointer, and the place in it. */
const under = (at: PointerEvent, root: DocumentOrShadowRoot, of: Pick<Of, 'key' | 'moves'>): Carried | null => {
  const row = root.elementFromPoint(at.clientX, at.clientY)?.closest<HTMLElement>('tr[data-row]')
  if (!row?.dataset.row) return null
  const { top, height } = row.getBoundingClientRect()
  return { key: of.key, target: row.dataset.row, place: placeAt((at.clientY - top) / height, of.moves.places) }
}

/** Drags a row of a tree with the pointer: marks where it would stand, opens what it rests upon, and drops it there. */
export const dragRow = (begun: PointerEvent, from: Element, of: Of): void => {
  if (begun.button !== 0) return
  begun.preventDefault()
  const root = from.getRootNode() as unknown as DocumentOrShadowRoot
  let carried: Carried | null = null
  let timer: ReturnType<typeof setTimeout> | undefined
  let moved = false
  const see = (next: Carried | null) => {
    if (next?.target !== carried?.target) {
      clearTimeout(timer)
      if (next) timer = setTimeout(() => of.rest(next.target), opensAfter)
    }
    carried = next
    of.show(next)
  }
  follow(
    begun,
    event => {
      if (!moved && Math.abs(event.clientY - begun.clientY) + Math.abs(event.clientX - begun.clientX) < threshold)
        return
      moved = true
      see(under(event, root, of))
    },
    event => {
      const put = carried
      clearTimeout(timer)
      of.show(null)
      if (!moved) return
      swallowClick()
      if (event && put && put.target !== of.key && !of.moves.refuses(put)) of.moves.drop(put)
    },
  )
}
