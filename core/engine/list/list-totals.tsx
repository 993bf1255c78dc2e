import { useState } from 'react'
import { useMay, useRead } from '../../client/providers.tsx'
import type { ListState } from '../../client/url-state.ts'
import { countCap, type OutputOf } from '../../contract/endpoint.ts'
import { useText } from '../../element/i18n.ts'
import { useSheet } from '../../element/styles.ts'
import { Button, Skeleton } from '../../ui/basics.ts'
import type { Listed } from '../screen.ts'
import type { DrawnColumn } from '../table/columns.ts'
import { alignsRight, Value } from '../table/value.tsx'
import sheet from './totals.css?sheet'

/** What the foot of a list knows of the list as it is shown. */
export type TotalsProps = {
  totalling: NonNullable<Listed['totalling']>
  state: ListState
  columns: readonly DrawnColumn[]
  /** Number of hits, as far as it is counted. */
  total: number
  choosing: boolean
  acting: boolean
  refresh: number
}

/** Sums over all rows of the filter, in the visible columns. Where the rows are not counted it waits for a click. */
export const ListTotals = ({ totalling, state, columns, total, choosing, acting, refresh }: TotalsProps) => {
  useSheet(sheet)
  const t = useText()
  const may = useMay()
  const filters = Object.fromEntries(Object.entries(state.filters).filter(([, value]) => value !== undefined))
  const text = JSON.stringify(filters)
  const [asked, setAsked] = useState<string>()
  const wanted = may.call(totalling) && total > 0 && (total < countCap || asked === text)
  const { data, error, loading, retry } = useRead(totalling, wanted ? ({ filters } as never) : null, {
    background: true,
    follows: true,
    keepPreviousData: false,
    refreshInterval: refresh,
  })
  const { count, sums } = (data ?? {}) as Partial<OutputOf<NonNullable<Listed['totalling']>>>
  const n = total >= countCap ? `${(countCap - 1).toLocaleString('en')}+` : total.toLocaleString('en')
  const words = error ? (
    <Button size="1" variant="ghost" color="red" onClick={() => void retry()}>
      {t('list.totalsFailed')}
    </Button>
  ) : wanted ? (
    t('list.totalOf', { n: count?.toLocaleString('en') ?? n })
  ) : (
    total > 0 && (
      <Button size="1" variant="ghost" onClick={() => setAsked(text)}>
        {t('list.addUp', { n })}
      </Button>
    )
  )
  const drawnSum = ({ id, meta }: DrawnColumn) => {
    if (!totalling.names.includes(id)) return null
    if (loading) return <Skeleton width="80%" height="12px" />
    return sums && <Value name={id} meta={meta?.kind === 'flag' ? { ...meta, kind: 'int' } : meta} value={sums[id]} />
  }
  const [first, ...rest] = columns
  if (!first || !rest.some(column => totalling.names.includes(column.id))) return null
  return (
    <tr>
      {choosing && <td className="mk-tick" />}
      <th scope="row">{words}</th>
      {rest.map(column => (
        <td key={column.id} className={alignsRight(column.meta) ? 'mk-right' : undefined}>
          {drawnSum(column)}
        </td>
      ))}
      {acting && <td className="mk-actions" />}
    </tr>
  )
}
