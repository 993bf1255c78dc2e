import type { ReactNode } from 'react'

export type Figure = { label: string; value: ReactNode; tone?: 'good' | 'attention' | 'bad' }

/** The numbers of a screen in one line above its list; a number that is not there yet keeps its place. */
export const Figures = ({ list, label }: { list: readonly Figure[]; label: string }) => (
  <div className="mk-figures" role="group" aria-label={label}>
    {list.map(figure => (
      <span key={figure.label} className="mk-figure" data-tone={figure.tone}>
        {figure.label}{' '}
        <b>{typeof figure.value === 'number' ? figure.value.toLocaleString('en') : (figure.value ?? '–')}</b>
      </span>
    ))}
  </div>
)
