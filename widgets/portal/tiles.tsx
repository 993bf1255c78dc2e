import { useState } from 'react'
import { useHost } from '../../core/element/context.ts'
import { useText } from '../../core/element/i18n.ts'
import { Button, Skeleton } from '../../core/ui/basics.ts'
import { type Queue, Tile } from './tile.tsx'
import { inOrder } from './tile-order.ts'
import { TileSorter } from './tile-sorter.tsx'
import { useGrown } from './use-grown.ts'

const none: readonly Queue[] = []

/** A tile for each queue that waits for the caller, in the order that they chose. */
export const Tiles = ({ queues = none }: { queues?: readonly Queue[] }) => {
  const t = useText()
  const host = useHost()
  const [chosen, setChosen] = useState<readonly string[]>()
  const [sorting, setSorting] = useState(false)
  const grownOf = useGrown(queues)
  const order = chosen ?? String(host.props.tiles ?? '').split(',')
  const tiles = inOrder(queues, order)
  const keep = (keys: readonly string[]) => {
    setChosen(keys)
    host.element.dispatchEvent(new CustomEvent('mkopo-tiles', { detail: { tiles: keys } }))
  }
  return (
    <section aria-label={t('home.queues')}>
      <header>
        <h2>{t('home.queues')}</h2>
        {sorting && <span>{t('home.reorderHint')}</span>}
        {tiles.length > 1 && (
          <Button size="1" variant="ghost" color="gray" onClick={() => setSorting(!sorting)}>
            {sorting ? t('home.reorderDone') : t('home.reorder')}
          </Button>
        )}
      </header>
      {sorting ? (
        <TileSorter queues={tiles} onMove={keep} />
      ) : (
        <div className="mk-tiles">
          {tiles.map(queue => (
            <Tile key={queue.key} queue={queue} grown={grownOf(queue)} />
          ))}
          {queues === none && [1, 2, 3, 4].map(one => <Skeleton key={one} height="96px" />)}
        </div>
      )}
    </section>
  )
}
