import { useLayoutEffect, useRef, useState } from 'react'
import { useText } from '../../core/element/i18n.ts'
import { VisuallyHidden } from '../../core/ui/basics.ts'
import { type Queue, TileBody, useTileWords } from './tile.tsx'
import { movedTo } from './tile-order.ts'

const steps: Readonly<Record<string, number>> = { ArrowLeft: -1, ArrowUp: -1, ArrowRight: 1, ArrowDown: 1 }

type TileProps = {
  queue: Queue
  at: number
  queues: readonly Queue[]
  dragged: string | null
  setDragged: (key: string | null) => void
  setFocused: (key: string | null) => void
  move: (queue: Queue, to: number) => void
}

const Tile = ({ queue, at, queues, dragged, setDragged, setFocused, move }: TileProps) => (
  <button
    type="button"
    className="mk-tile"
    data-key={queue.key}
    data-dragged={dragged === queue.key || undefined}
    draggable
    aria-keyshortcuts={Object.keys(steps).join(' ')}
    onFocus={() => setFocused(queue.key)}
    onKeyDown={event => {
      const step = steps[event.key]
      if (!step) return
      event.preventDefault()
      move(queue, at + step)
    }}
    onDragStart={event => {
      event.dataTransfer.effectAllowed = 'move'
      event.dataTransfer.setData('text/plain', queue.key)
      setFocused(null)
      setDragged(queue.key)
    }}
    onDragOver={event => {
      if (dragged) event.preventDefault()
    }}
    onDrop={event => {
      event.preventDefault()
      const from = queues.find(one => one.key === dragged)
      if (from) move(from, at)
    }}
    onDragEnd={() => setDragged(null)}
  >
    <TileBody queue={queue} />
  </button>
)

/** Tiles that are put in another order, with the mouse or the arrow keys; each move counts at once. */
export const TileSorter = ({
  queues,
  onMove,
}: {
  queues: readonly Queue[]
  onMove: (keys: readonly string[]) => void
}) => {
  const t = useText()
  const { name } = useTileWords()
  const list = useRef<HTMLUListElement>(null)
  const [dragged, setDragged] = useState<string | null>(null)
  const [focused, setFocused] = useState<string | null>(null)
  const [said, setSaid] = useState('')
  const keys = queues.map(queue => queue.key)
  const order = keys.join()
  // biome-ignore lint/correctness/useExhaustiveDependencies: a tile that was moved in the page has lost the focus
  useLayoutEffect(() => {
    if (focused) list.current?.querySelector<HTMLElement>(`[data-key="${focused}"]`)?.focus()
  }, [order])
  const move = (queue: Queue, to: number) => {
    const next = movedTo(keys, queue.key, to)
    if (next.join() === order) return
    onMove(next)
    setSaid(t('home.place', { name: name(queue), at: next.indexOf(queue.key) + 1, n: next.length }))
  }
  return (
    <>
      <ul className="mk-tiles" ref={list} aria-label={t('home.reorder')}>
        {queues.map((queue, at) => (
          <li key={queue.key}>
            <Tile
              queue={queue}
              at={at}
              dragged={dragged}
              setDragged={setDragged}
              setFocused={setFocused}
              queues={queues}
              move={move}
            />
          </li>
        ))}
      </ul>
      <VisuallyHidden role="status">{said}</VisuallyHidden>
    </>
  )
}
