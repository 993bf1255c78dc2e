import type { ReactNode } from 'react'
import { useText } from '../element/i18n.ts'
import { Checkbox, Skeleton } from '../ui/basics.ts'
import { CopyIcon } from '../ui/copy-icon.tsx'
import { Icon } from '../ui/icons.tsx'
import type { DrawnColumn, Row } from './columns.ts'
import { alignsRight, KeyText, Value } from './value.tsx'

type Props = {
  columns: readonly DrawnColumn[]
  rows: readonly Row[] | undefined
  rowKey: string
  label: string
  sort: string
  onSort: (sort: string) => void
  open?: string
  onOpen?: (row: Row) => void
  chosen?: ReadonlySet<string>
  onChoose?: (keys: ReadonlySet<string>) => void
  actions?: (row: Row) => ReactNode
  /** What stands instead of rows when there are none. */
  instead?: ReactNode
  from?: string
}

const skeletonRows = 10

const SortHeader = ({
  column,
  sort,
  onSort,
}: {
  column: DrawnColumn
  sort: string
  onSort: (sort: string) => void
}) => {
  const down = sort === `-${column.id}`
  const up = sort === column.id
  return (
    <button type="button" className="mk-sort" onClick={() => onSort(down ? column.id : `-${column.id}`)}>
      {column.header}
      <Icon name={up ? 'chevronUp' : down ? 'chevronDown' : 'sort'} size={11} />
    </button>
  )
}

/** A table of rows: sticky head and key column, amounts to the right, one line per row. */
export const Table = (p: Props) => {
  const t = useText()
  const all = p.rows?.map(row => String(row[p.rowKey])) ?? []
  const chosen = p.chosen ?? new Set<string>()
  const every = all.length > 0 && all.every(key => chosen.has(key))
  const choose = (keys: readonly string[], on: boolean) => {
    const next = new Set(chosen)
    for (const key of keys) {
      if (on) next.add(key)
      else next.delete(key)
    }
    p.onChoose?.(next)
  }
  const order = (column: DrawnColumn) =>
    p.sort === column.id ? 'ascending' : p.sort === `-${column.id}` ? 'descending' : undefined
  const cell = (row: Row, column: DrawnColumn) => {
    if (column.cell) return column.cell(row)
    const value = row[column.id]
    if (column.id === p.rowKey && p.onOpen && value)
      return column.id === 'orderNo' ? (
        <KeyText name="orderNo" value={String(value)} from={p.from} />
      ) : (
        <span className="mk-key">
          <button type="button" className="mk-link" onClick={() => p.onOpen?.(row)}>
            {String(value)}
          </button>
          <CopyIcon value={String(value)} />
        </span>
      )
    return <Value name={column.id} meta={column.meta} value={value} row={row} from={p.from} />
  }
  return (
    <div
      className="mk-table"
      role="region"
      aria-label={p.label}
      tabIndex={0}
      data-choosing={p.onChoose ? true : undefined}
    >
      <table aria-busy={p.rows === undefined}>
        <thead>
          <tr>
            {p.onChoose && (
              <th className="mk-tick">
                <Checkbox
                  size="1"
                  aria-label={t('common.choosePage')}
                  checked={every ? true : all.some(key => chosen.has(key)) ? 'indeterminate' : false}
                  onCheckedChange={on => choose(all, on === true)}
                />
              </th>
            )}
            {p.columns.map(column => (
              <th
                key={column.id}
                scope="col"
                aria-sort={order(column)}
                className={alignsRight(column.meta) ? 'mk-right' : undefined}
                style={column.width ? { minWidth: column.width } : undefined}
              >
                {column.sortable ? <SortHeader column={column} sort={p.sort} onSort={p.onSort} /> : column.header}
              </th>
            ))}
            {p.actions && <th className="mk-actions">{t('common.actions')}</th>}
          </tr>
        </thead>
        <tbody>
          {p.rows === undefined &&
            !p.instead &&
            Array.from({ length: skeletonRows }, (_, index) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: the rows are all alike and never move
              <tr key={index}>
                {p.onChoose && <td className="mk-tick" />}
                {p.columns.map(column => (
                  <td key={column.id}>
                    <Skeleton width="80%" height="12px" />
                  </td>
                ))}
                {p.actions && <td />}
              </tr>
            ))}
          {p.rows?.map(row => {
            const key = String(row[p.rowKey])
            return (
              <tr
                key={key}
                data-open={p.open === key || undefined}
                data-chosen={chosen.has(key) || undefined}
                onDoubleClick={() => p.onOpen?.(row)}
              >
                {p.onChoose && (
                  <td className="mk-tick">
                    <Checkbox
                      size="1"
                      aria-label={t('common.chooseRow', { key })}
                      checked={chosen.has(key)}
                      onCheckedChange={on => choose([key], on === true)}
                    />
                  </td>
                )}
                {p.columns.map(column => (
                  <td key={column.id} className={alignsRight(column.meta) ? 'mk-right' : undefined}>
                    {cell(row, column)}
                  </td>
                ))}
                {p.actions && <td className="mk-actions">{p.actions(row)}</td>}
              </tr>
            )
          })}
        </tbody>
      </table>
      {p.instead}
    </div>
  )
}
