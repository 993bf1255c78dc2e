import type { ReactNode } from 'react'
import { type Loaded, useRead } from '../../core/client/providers.tsx'
import type { Endpoint, InputOf, OutputOf } from '../../core/contract/endpoint.ts'
import { useText } from '../../core/element/i18n.ts'
import { Button } from '../../core/ui/basics.ts'

export type Figure = { label: string; value: ReactNode; tone?: 'good' | 'attention' | 'bad' }

/** The numbers above a list; they change together with it. */
export const useFigures = <E extends Endpoint>(
  endpoint: E,
  input: InputOf<E>,
  refreshInterval = 0,
): Loaded<OutputOf<E>> => useRead(endpoint, input, { background: true, follows: true, refreshInterval })

/** Says that numbers are not, or no longer, those of now; nothing where they are. */
export const FiguresFailed = ({ read: { error, retry } }: { read: Pick<Loaded<unknown>, 'error' | 'retry'> }) => {
  const t = useText()
  if (!error) return null
  return (
    <Button size="1" variant="ghost" color="red" onClick={() => void retry()}>
      {t('list.figuresFailed')}
    </Button>
  )
}

type Props = { list: readonly Figure[]; label: string; read?: Pick<Loaded<unknown>, 'error' | 'retry'> }

/** The numbers of a screen above its list; a number that is not there yet keeps its place. */
export const Figures = ({ list, label, read }: Props) => (
  <div className="mk-figures" role="group" aria-label={label} data-stale={read?.error ? true : undefined}>
    {list.map(figure => (
      <span key={figure.label} className="mk-figure" data-tone={figure.tone}>
        {figure.label}{' '}
        <b>{typeof figure.value === 'number' ? figure.value.toLocaleString('en') : (figure.value ?? '–')}</b>
      </span>
    ))}
    {read && <FiguresFailed read={read} />}
  </div>
)
