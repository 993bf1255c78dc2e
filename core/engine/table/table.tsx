import { type PointerEvent, type ReactNode, type Ref, useCallback, useImperativeHandle, useMemo, useRef } from 'react'
import { useText } from '../../element/i18n.ts'
import { Checkbox, Skeleton, VisuallyHidden } from '../../ui/basics.ts'
import { Icon } from '../../ui/icons.tsx'
import { type ColumnsBy, dragHead } from './column-drag.ts'
import type { DrawnColumn, Row } from './columns.ts'
import { type RowKeys, useRowCursor } from './row-cursor.ts'
import { TableRow } from './table-row.tsx'
import { useEdges } from './use-edges.ts'
import { useWindow } from './use-window.ts'
import { alignsRight } from './value.tsx'

type Props = {
  columns: readonly DrawnColumn[]
  /** All rows; of very many only those in sight are drawn. */
  rows: readonly Row[] | undefined
  rowKey: string
  label: string
  sort: string
  onSort: (sort: string) => void
  open?: string
  /** Opens a row; in a tab of its own where that was asked for. */
  onOpen?: (row: Row, apart: boolean) => void
  chosen?: ReadonlySet<string>
  onChoose?: (keys: ReadonlySet<string>) => void
  actions?: (row: Row) => ReactNode
  /** A row that stays at the foot. */
  foot?: ReactNode
  /** A reload failed: the last rows stay, dimmed. */
  stale?: boolean
  /** What stands instead of rows when there are none. */
  instead?: ReactNode
  /** Moves the cursor from outside. */
  keys?: Ref<RowKeys>
  /** Widths that were chosen, in pixels. */
  widths?: Readonly<Record<string, number>>
  /** Lets columns be dragged: to another place, and by their edge to another width. */
  columnsBy?: ColumnsBy
}

const skeletonRows = 10
const none: readonly Row[] = []
const noneChosen: ReadonlySet<string> = new Set()

const SortHeader = ({ column, sort, onSort }: { column: DrawnColumn } & Pick<Props, 'sort' | 'onSort'>) => {
  const down = sort === `-${column.id}`
  const up = sort === column.id
  return (
    <button type="button" className="mk-sort" onClick={() => onSort(down ? column.id : `-${column.id}`)}>
      {column.header}
      <Icon name={up ? 'chevronUp' : down ? 'chevronDown' : 'sort'} size={11} />
    </button>
  )
}

const widthOf = ({ widths }: Pick<Props, 'widths'>, { id }: DrawnColumn) => {
  const width = widths?.[id]
  return width ? { width, minWidth: width, maxWidth: width, overflow: 'hidden' } : undefined
}

const Head = ({ p, tick, place }: { p: Props; tick: ReactNode; place?: number }) => {
  const t = useText()
  const press = ({ nativeEvent, currentTarget }: PointerEvent<HTMLElement>) =>
    dragHead(nativeEvent, nativeEvent.composedPath(), currentTarget, p.columnsBy)
  const order = (column: DrawnColumn) =>
    p.sort === column.id ? 'ascending' : p.sort === `-${column.id}` ? 'descending' : undefined
  return (
    <thead {...(p.columnsBy ? { onPointerDown: press } : {})}>
      <tr aria-rowindex={place}>
        {tick && <th className="mk-tick">{tick}</th>}
        {p.columns.map(column => (
          <th
            key={column.id}
            scope="col"
            aria-sort={order(column)}
            className={alignsRight(column.meta) ? 'mk-right' : undefined}
            style={widthOf(p, column) ?? (column.width ? { minWidth: column.width } : undefined)}
            data-column={column.id}
          >
            {column.sortable ? <SortHeader column={column} sort={p.sort} onSort={p.onSort} /> : column.header}
            {p.columnsBy && <span className="mk-grip" aria-hidden="true" />}
          </th>
        ))}
        {p.actions && (
          <th className="mk-actions">
            <VisuallyHidden>{t('common.actions')}</VisuallyHidden>
          </th>
        )}
      </tr>
    </thead>
  )
}

const Skeletons = ({ p }: { p: Props }) =>
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
  ))

/** The room of the foot until it is there. */
export const FootRoom = () => (
  <tr>
    <td colSpan={999} />
  </tr>
)

/** Stands for the rows above that are not drawn; for those below stands the height of the box. */
const Gap = ({ height }: { height: number }) =>
  height > 0 && (
    <tbody aria-hidden="true" className="mk-gap">
      <tr>
        <td colSpan={999} style={{ height }} />
      </tr>
    </tbody>
  )

/** The head with its tick, which chooses the page. */
const useHead = (p: Props, all: readonly string[], windowed: boolean) => {
  const t = useText()
  const { chosen = noneChosen, onChoose } = p
  const choose = useCallback(
    (keys: readonly string[], on: boolean) => {
      const next = new Set(chosen)
      for (const key of keys) {
        if (on) next.add(key)
        else next.delete(key)
      }
      onChoose?.(next)
    },
    [chosen, onChoose],
  )
  const ticked = useMemo(() => {
    if (all.length > 0 && all.every(key => chosen.has(key))) return true
    return all.some(key => chosen.has(key)) ? 'indeterminate' : false
  }, [all, chosen])
  /** While rows scroll by, the head stays as it is. */
  const head = useMemo(() => {
    const tick = onChoose && (
      <Checkbox
        size="1"
        aria-label={t('common.choosePage')}
        checked={ticked}
        onCheckedChange={on => choose(all, on === true)}
      />
    )
    return <Head p={p} tick={tick} place={windowed ? 1 : undefined} />
  }, [p, t, onChoose, ticked, choose, all, windowed])
  return { head, choose }
}

type RowsProps = {
  p: Props
  /** Those that are drawn; `from` is the place of the first of them. */
  rows: readonly Row[]
  from: number
  keys: readonly string[]
  windowed: boolean
  choose: (keys: readonly string[], on: boolean) => void
}

const Rows = ({ p, rows, from, keys, windowed, choose }: RowsProps) => {
  const { chosen = noneChosen, onChoose } = p
  return rows.map((row, index) => {
    const key = keys[from + index] as string
    return (
      <TableRow
        key={key}
        row={row}
        rowKey={p.rowKey}
        columns={p.columns}
        widths={p.widths}
        isOpen={p.open === key}
        onOpen={p.onOpen}
        isChosen={chosen.has(key)}
        onChoose={onChoose && choose}
        actions={p.actions}
        place={windowed ? from + index + 2 : undefined}
      />
    )
  })
}

/** A table of rows: sticky head and key column, amounts to the right, one line per row. Arrows move its cursor. */
export const Table = (p: Props) => {
  const box = useRef<HTMLDivElement>(null)
  const rows = p.rows ?? none
  const all = useMemo(() => rows.map(row => String(row[p.rowKey])), [rows, p.rowKey])
  const { windowed, from, to, before, height, measure, reveal } = useWindow(rows.length, box)
  const cursor = useRowCursor(box, all, reveal)
  useEdges(box)
  useImperativeHandle(p.keys, () => cursor.keys)
  const { head, choose } = useHead(p, all, windowed)
  return (
    <div
      ref={box}
      className="mk-table"
      role="region"
      aria-label={p.label}
      tabIndex={0}
      data-choosing={p.onChoose ? true : undefined}
      data-stale={p.stale || undefined}
      onScroll={windowed ? measure : undefined}
      onFocus={cursor.onFocus}
      onBlur={cursor.onBlur}
      onKeyDown={cursor.onKeyDown}
    >
      <div style={{ minHeight: height }}>
        <table
          data-sized={Object.keys(p.widths ?? {}).length ? true : undefined}
          aria-busy={p.rows === undefined}
          aria-rowcount={windowed ? rows.length + 1 : undefined}
        >
          {head}
          <Gap height={before} />
          <tbody>
            {p.rows === undefined && !p.instead && <Skeletons p={p} />}
            <Rows p={p} rows={rows.slice(from, to)} from={from} keys={all} windowed={windowed} choose={choose} />
          </tbody>
          {p.foot && <tfoot>{p.foot}</tfoot>}
        </table>
      </div>
      {p.instead}
    </div>
  )
}
