import { type ReactNode, useMemo, useRef } from 'react'
import { useText } from '../../element/i18n.ts'
import { useSheet } from '../../element/styles.ts'
import { rowsOf, type TreeRow, treeOf } from '../../ui/choose/tree.ts'
import { Icon } from '../../ui/icons.tsx'
import engine from '../engine.css?sheet'
import type { DrawnColumn, Row } from '../table/columns.ts'
import { alignsRight, Value } from '../table/value.tsx'
import type { Carried, Moves } from './carry.ts'
import { dragRow } from './drag-row.ts'
import sheet from './tree-table.css?sheet'
import { useFolds } from './use-folds.ts'
import { useTreeKeys } from './use-tree-keys.ts'

export type TreeTableProps = {
  label: string
  /** Every row, neighbours in their order. */
  rows: readonly Row[]
  rowKey: string
  parentKey: string
  /** The columns; the first one holds the tree. */
  columns: readonly DrawnColumn[]
  /** Rows that are searched for: they are shown with what they lie in. */
  isHit?: ((row: Row) => boolean) | undefined
  /** Rows that stand there for their place alone. */
  isQuiet?: (row: Row) => boolean
  onOpen: (row: Row) => void
  actions?: ((row: Row) => ReactNode) | undefined
  moves?: Moves | undefined
}

type Shown = Pick<TreeTableProps, 'columns' | 'moves' | 'actions' | 'isQuiet' | 'onOpen'> & {
  row: TreeRow
  of: Row
  isActive: boolean
  carried: Carried | null
  unfold: (value: string, wanted: boolean) => void
  setActive: (value: string) => void
  setCarried: (carried: Carried | null) => void
}

const Fold = ({ row, unfold }: Pick<Shown, 'row' | 'unfold'>) => {
  const t = useText()
  if (row.open === undefined) return <span className="mk-tree-fold" data-none="" />
  const isOpen = row.open
  return (
    <button
      type="button"
      className="mk-tree-fold"
      tabIndex={-1}
      aria-label={t(isOpen ? 'common.fold' : 'common.unfold', { name: row.node.label })}
      onClick={() => unfold(row.node.value, !isOpen)}
    >
      <Icon name={isOpen ? 'chevronDown' : 'chevronRight'} size={12} />
    </button>
  )
}

/** A tree of so few nodes is open at first. */
const fewNodes = 40

const own = 'a, button, input, [role=menu], [role=dialog]'

const TreeTableRow = (props: Shown) => {
  const { row, of, columns, moves, actions, isQuiet, isActive, carried, onOpen, unfold, setActive, setCarried } = props
  const { value, label } = row.node
  const [first, ...rest] = columns
  const isTarget = carried?.target === value && carried.key !== value
  const grip = moves?.takes(value)
  return (
    <tr
      data-row={value}
      tabIndex={isActive ? 0 : -1}
      aria-level={row.level}
      aria-posinset={row.position}
      aria-setsize={row.size}
      aria-expanded={row.open}
      data-quiet={isQuiet?.(of) || undefined}
      data-carried={carried?.key === value || undefined}
      data-drop={isTarget ? carried.place : undefined}
      data-refused={isTarget && moves?.refuses(carried) !== null ? true : undefined}
      onFocus={event => event.target === event.currentTarget && setActive(value)}
      onDoubleClick={event => void (!(event.target as Element).closest(own) && onOpen(of))}
    >
      <th scope="row" style={{ paddingLeft: (row.level - 1) * 18 + 4 }}>
        <span className="mk-tree-cell">
          <Fold row={row} unfold={unfold} />
          {moves && grip && (
            <span
              className="mk-tree-grip"
              aria-hidden="true"
              onPointerDown={event =>
                dragRow(event.nativeEvent, event.currentTarget, {
                  key: value,
                  moves,
                  show: setCarried,
                  rest: key => unfold(key, true),
                })
              }
            />
          )}
          <a
            className="mk-link"
            href={`?open=${encodeURIComponent(value)}`}
            tabIndex={-1}
            onClick={event => {
              event.preventDefault()
              onOpen(of)
            }}
          >
            {first?.cell ? first.cell(of) : label}
          </a>
        </span>
      </th>
      {rest.map(column => (
        <td key={column.id} className={alignsRight(column.meta) ? 'mk-right' : undefined}>
          {column.cell ? column.cell(of) : <Value name={column.id} meta={column.meta} value={of[column.id]} row={of} />}
        </td>
      ))}
      {actions && <td className="mk-actions">{actions(of)}</td>}
    </tr>
  )
}

/** What is being carried, and where it would be put, for those who do not see it. */
const Said = ({ carried, names, moves }: { carried: Carried | null; names: (key: string) => string; moves: Moves }) => {
  const t = useText()
  if (!carried) return <p className="mk-tree-said" aria-live="assertive" />
  const refusal = carried.key === carried.target ? null : moves.refuses(carried)
  const words = {
    into: 'common.carriedInto',
    before: 'common.carriedBefore',
    after: 'common.carriedAfter',
  } as const
  const { key, target, place } = carried
  return (
    <p className="mk-tree-said" aria-live="assertive">
      {key === target
        ? t('common.carried', { name: names(key) })
        : (refusal ?? t(words[place], { name: names(key), target: names(target) }))}
    </p>
  )
}

const Head = ({ columns, acting }: Pick<TreeTableProps, 'columns'> & { acting: boolean }) => {
  const t = useText()
  return (
    <thead>
      <tr>
        {columns.map(({ id, header, meta }) => (
          <th key={id} scope="col" className={alignsRight(meta) ? 'mk-right' : undefined}>
            {header}
          </th>
        ))}
        {acting && (
          <th scope="col" className="mk-actions">
            {t('common.actions')}
          </th>
        )}
      </tr>
    </thead>
  )
}

/** The tree of the rows, and which of them are in sight. */
const useShown = ({ label, rows, rowKey, parentKey, columns, isHit }: TreeTableProps) => {
  const named = columns[0]?.id ?? rowKey
  const by = useMemo(() => new Map(rows.map(row => [String(row[rowKey]), row])), [rows, rowKey])
  const tree = useMemo(
    () =>
      treeOf(
        rows.map(row => ({
          value: String(row[rowKey]),
          label: String(row[named] ?? ''),
          parent: row[parentKey] === null ? null : String(row[parentKey]),
          leaf: false,
        })),
      ),
    [rows, rowKey, parentKey, named],
  )
  const { open, unfold } = useFolds(label, () =>
    tree.nodes.size <= fewNodes ? tree.nodes.keys() : (tree.below.get(null) ?? []).map(node => node.value),
  )
  const shown = rowsOf(tree, open, isHit ? node => isHit(by.get(node.value) as Row) : '')
  return { by, shown, unfold, nameOf: (key: string) => tree.nodes.get(key)?.label ?? key }
}

/** Rows in a tree with columns, as the tree grid of WAI-ARIA: arrows walk and fold, Enter opens, the grip or the space bar moves a row. */
export const TreeTable = (props: TreeTableProps) => {
  useSheet(engine)
  useSheet(sheet)
  const { label, columns, onOpen, actions, moves } = props
  const body = useRef<HTMLTableSectionElement>(null)
  const { by, shown, unfold, nameOf } = useShown(props)
  const openRow = (key: string) => {
    const row = by.get(key)
    if (row) onOpen(row)
  }
  const focus = (key: string) => body.current?.querySelector<HTMLElement>(`tr[data-row="${CSS.escape(key)}"]`)?.focus()
  const keys = useTreeKeys({ rows: shown, unfold, open: openRow, moves, focus })
  return (
    <>
      <div className="mk-table mk-tree-table">
        {/* biome-ignore lint/a11y/noNoninteractiveElementToInteractiveRole: a table whose rows are walked by keys is a tree grid */}
        <table role="treegrid" aria-label={label} onKeyDown={keys.onKeyDown}>
          <Head columns={columns} acting={actions !== undefined} />
          <tbody ref={body}>
            {shown.map(row => (
              <TreeTableRow
                {...props}
                key={row.node.value}
                row={row}
                of={by.get(row.node.value) as Row}
                isActive={row.node.value === keys.active}
                carried={keys.carried}
                unfold={unfold}
                setActive={keys.setActive}
                setCarried={keys.setCarried}
              />
            ))}
          </tbody>
        </table>
      </div>
      {moves && <Said carried={keys.carried} names={nameOf} moves={moves} />}
    </>
  )
}
