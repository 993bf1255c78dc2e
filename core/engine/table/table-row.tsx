import { type MouseEvent, memo, type ReactNode } from 'react'
import { useText } from '../../element/i18n.ts'
import { Badge, Checkbox } from '../../ui/basics.ts'
import { CopyIcon } from '../../ui/copy-icon.tsx'
import type { DrawnColumn, Row } from './columns.ts'
import { alignsRight, KeyText, Value } from './value.tsx'

type Props = {
  row: Row
  rowKey: string
  columns: readonly DrawnColumn[]
  isOpen: boolean
  widths?: Readonly<Record<string, number>> | undefined
  onOpen?: (row: Row, apart: boolean) => void
  isChosen: boolean
  onChoose?: ((keys: readonly string[], on: boolean) => void) | undefined
  actions?: ((row: Row) => ReactNode) | undefined
  /** Place among all rows, the head being the first; where not all are drawn. */
  place?: number
}

type Modified = { ctrlKey: boolean; metaKey: boolean; shiftKey: boolean }
const isApart = ({ ctrlKey, metaKey, shiftKey }: Modified) => ctrlKey || metaKey || shiftKey

const own = 'a, button, input, label, select, textarea, summary, [role=menu], [role=dialog]'

/** Whether a press was meant for the row, and not for something in it or in what stands above it; nor was text marked by it. */
const isForRow = ({ target, currentTarget, defaultPrevented }: MouseEvent<HTMLElement>) => {
  const root = currentTarget.getRootNode() as Document & { getSelection?: () => Selection | null }
  const marked = (root.getSelection?.() ?? document.getSelection())?.toString()
  const at = target as Element
  return !defaultPrevented && !marked && currentTarget.contains(at) && !at.closest(own)
}

const Cell = ({ column, row, rowKey, onOpen }: Pick<Props, 'row' | 'rowKey' | 'onOpen'> & { column: DrawnColumn }) => {
  if (column.cell) return column.cell(row)
  const value = row[column.id]
  if (column.id !== rowKey || !onOpen || !value)
    return <Value name={column.id} meta={column.meta} value={value} row={row} />
  if (column.id === 'orderNo') return <KeyText name="orderNo" value={String(value)} />
  return (
    <span className="mk-key">
      <a
        className="mk-link"
        href={`?open=${encodeURIComponent(String(value))}`}
        onClick={event => {
          event.preventDefault()
          onOpen(row, isApart(event))
        }}
        onAuxClick={event => {
          event.preventDefault()
          if (event.button === 1) onOpen(row, true)
        }}
      >
        {String(value)}
      </a>
      <CopyIcon value={String(value)} />
    </span>
  )
}

/** One row, redrawn only when something of it changes: its tick, its values on one line, its actions. It can have the focus, which is the cursor of the table. */
export const TableRow = memo(
  ({ row, rowKey, columns, widths, isOpen, onOpen, isChosen, onChoose, actions, place }: Props) => {
    const t = useText()
    const key = String(row[rowKey])
    const waitsAt = row.pendingApproval
      ? (columns.find(({ id }) => id.endsWith('Status')) ?? columns[0])?.id
      : undefined
    return (
      <tr
        tabIndex={-1}
        data-row={key}
        data-open={isOpen || undefined}
        data-chosen={isChosen || undefined}
        aria-rowindex={place}
        data-opens={onOpen ? true : undefined}
        onClick={event => void (onOpen && isForRow(event) && onOpen(row, isApart(event)))}
        onKeyDown={event => {
          if (event.key !== 'Enter' || event.target !== event.currentTarget || !onOpen) return
          // What opens may take the focus at once, and must not be pressed by the same key.
          event.preventDefault()
          onOpen(row, isApart(event))
        }}
      >
        {onChoose && (
          <td className="mk-tick">
            <Checkbox
              size="1"
              aria-label={t('common.chooseRow', { key })}
              checked={isChosen}
              onCheckedChange={on => onChoose([key], on === true)}
            />
          </td>
        )}
        {columns.map(column => (
          <td
            key={column.id}
            className={alignsRight(column.meta) ? 'mk-right' : undefined}
            style={widths?.[column.id] ? { maxWidth: widths[column.id] } : undefined}
          >
            <Cell column={column} row={row} rowKey={rowKey} onOpen={onOpen} />
            {column.id === waitsAt && (
              <Badge size="1" color="amber" ml="1">
                {t('common.pendingApproval')}
              </Badge>
            )}
          </td>
        ))}
        {actions && <td className="mk-actions">{actions(row)}</td>}
      </tr>
    )
  },
)
