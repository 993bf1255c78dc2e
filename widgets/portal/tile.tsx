import { type ReactNode, useState } from 'react'
import { useRead } from '../../core/client/providers.tsx'
import { toEntries } from '../../core/client/url-state.ts'
import type { OutputOf } from '../../core/contract/endpoint.ts'
import { home } from '../../core/contract/portal/home.ts'
import { useHost } from '../../core/element/context.ts'
import { useText } from '../../core/element/i18n.ts'
import { minutesText } from '../../core/i18n/plain.ts'
import { formatMoney } from '../../core/rules/amount.ts'
import { Button } from '../../core/ui/basics.ts'

export type Queue = OutputOf<typeof home.mine>['queues'][number]

/** Keeps numbers with their units on one line. */
const together = (text: string) => text.replaceAll(' ', '\u00a0')

/** What a queue is called, and what there is to say of it. */
export const useTileWords = () => {
  const t = useText()
  return {
    name: ({ key }: Queue) => t.maybe(`home.queue.${key}`) ?? key,
    note: ({ amount, count, oldestMinutes }: Queue) =>
      [
        amount !== null && `UGX ${formatMoney(amount)}`,
        oldestMinutes !== null && count !== 0 && t('home.oldest', { age: together(minutesText(t, oldestMinutes)) }),
      ]
        .filter(Boolean)
        .join(' · '),
  }
}

export const TileBody = ({ queue, children }: { queue: Queue; children?: ReactNode }) => {
  const { name, note } = useTileWords()
  return (
    <>
      <span>{name(queue)}</span>
      <b>
        {queue.count ?? '—'}
        {children}
      </b>
      <small>{note(queue)}</small>
    </>
  )
}

/** A queue that could not be counted: only this one is asked for again. */
const Uncounted = ({ queue, grown }: { queue: Queue; grown: number }) => {
  const t = useText()
  const { name } = useTileWords()
  const [asked, setAsked] = useState(false)
  const { data, loading, retry } = useRead(home.mine, asked ? { queue: queue.key } : null, { background: true })
  const found = data?.queues.find(one => one.key === queue.key)
  const [busy, setBusy] = useState(false)
  if (found && found.count !== null) return <Tile queue={found} grown={grown} />
  const again = async () => {
    if (!asked) return setAsked(true)
    setBusy(true)
    await retry().catch(() => undefined)
    setBusy(false)
  }
  return (
    <div className="mk-tile" role="group" aria-label={name(queue)}>
      <span>{name(queue)}</span>
      <b>—</b>
      <small role="status">{t('home.notCounted')}</small>
      <Button
        size="1"
        variant="soft"
        color="gray"
        loading={loading || busy}
        aria-label={`${t('boot.retry')}: ${name(queue)}`}
        onClick={() => void again()}
      >
        {t('boot.retry')}
      </Button>
    </div>
  )
}

/** How much waits in a queue; opens its screen with the filters that were counted by. */
export const Tile = ({ queue, grown }: { queue: Queue; grown: number }) => {
  const t = useText()
  const host = useHost()
  if (queue.count === null) return <Uncounted queue={queue} grown={grown} />
  const query = Object.fromEntries(toEntries({ filters: queue.filters, sort: '', pageNum: 1, pageSize: 20 }))
  return (
    <a
      className="mk-tile"
      data-grown={grown > 0 || undefined}
      href={`${queue.route}?${new URLSearchParams(query)}`}
      onClick={event => {
        if (event.ctrlKey || event.metaKey) return
        event.preventDefault()
        host.emit('mkopo-navigate', { to: queue.route, query, target: 'same' })
      }}
    >
      <TileBody queue={queue}>
        {grown > 0 && (
          <>
            {' '}
            <i>{t('home.grown', { n: grown })}</i>
          </>
        )}
      </TileBody>
    </a>
  )
}
