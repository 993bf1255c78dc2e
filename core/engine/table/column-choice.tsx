import { type PointerEvent, useEffect, useRef, useState } from 'react'
import { useText } from '../../element/i18n.ts'
import { Checkbox, Flex, IconButton, Text, VisuallyHidden } from '../../ui/basics.ts'
import { Icon } from '../../ui/icons.tsx'
import { dragAlong } from './column-drag.ts'
import { canMove, moved, placed, toggled, within } from './column-moves.ts'
import type { DrawnColumn } from './columns.ts'
import type { PickerProps } from './picker-props.ts'

/** Pixels by which a press changes a width. */
const step = 20

/** Sorting a list takes the focus off the button that was pressed; this gives it back. */
const useKeepFocus = () => {
  const pressed = useRef<HTMLElement | null>(null)
  useEffect(() => {
    pressed.current?.focus()
    pressed.current = null
  })
  return (element: HTMLElement) => {
    pressed.current = element
  }
}

type ButtonProps = PickerProps & {
  column: DrawnColumn
  by: 1 | -1
  keep: (element: HTMLElement) => void
  say: (words: string) => void
}

const Arrow = ({ column: { id, header }, by, shown, onChange, keep, say }: ButtonProps) => {
  const t = useText()
  return (
    <IconButton
      size="1"
      variant="ghost"
      color="gray"
      aria-label={t(by === 1 ? 'common.moveColumnDown' : 'common.moveColumnUp', { name: header })}
      aria-disabled={!canMove(shown, id, by)}
      className="mk-move"
      onClick={event => {
        const next = moved(shown, id, by)
        if (next === shown) return
        keep(event.currentTarget)
        say(t('common.columnAt', { name: header, n: next.indexOf(id) + 1, of: next.length }))
        onChange(next)
      }}
    >
      <Icon name={by === 1 ? 'chevronDown' : 'chevronUp'} size={12} />
    </IconButton>
  )
}

const Size = ({ column: { id, header }, by, widths, widthNow, onWidth, keep, say }: ButtonProps) => {
  const t = useText()
  return (
    <IconButton
      size="1"
      variant="ghost"
      color="gray"
      aria-label={t(by === 1 ? 'common.widerColumn' : 'common.narrowerColumn', { name: header })}
      className="mk-move"
      onClick={event => {
        keep(event.currentTarget)
        const width = within((widths[id] ?? widthNow(id)) + by * step)
        say(t('common.columnWidth', { name: header, n: width }))
        onWidth(id, width)
      }}
    >
      <span aria-hidden="true">{by === 1 ? '+' : '−'}</span>
    </IconButton>
  )
}

/** The columns one below the other: chosen by a tick, moved by their arrows or by dragging, made narrower and wider. */
export const ColumnChoice = (props: PickerProps) => {
  const { all, shown, first, onChange } = props
  const keep = useKeepFocus()
  const [said, setSaid] = useState('')
  const given = { ...props, keep, say: setSaid }
  const columns = [
    ...shown.flatMap(id => all.find(column => column.id === id) ?? []),
    ...all.filter(column => !shown.includes(column.id)),
  ]
  const drag = (event: PointerEvent<HTMLElement>) => {
    const lines = [...event.currentTarget.querySelectorAll<HTMLElement>('[data-column]')]
    dragAlong(event.nativeEvent, event.nativeEvent.composedPath(), {
      items: lines,
      along: 'y',
      drop: (id, at) => onChange(placed(shown, id, at)),
    })
  }
  return (
    <>
      <div className="mk-options" onPointerDown={drag}>
        {columns.map(column => (
          <Flex key={column.id} align="center" gap="1" data-column={shown.includes(column.id) ? column.id : undefined}>
            <label className="mk-option mk-grow" htmlFor={`column-${column.id}`}>
              <Checkbox
                id={`column-${column.id}`}
                size="1"
                checked={shown.includes(column.id)}
                disabled={column.id === first}
                onCheckedChange={() => onChange(toggled(shown, column.id))}
              />
              <Text size="2">{column.header}</Text>
            </label>
            {shown.includes(column.id) && column.id !== first && (
              <Flex pr="1">
                <Size {...given} column={column} by={-1} />
                <Size {...given} column={column} by={1} />
                <Arrow {...given} column={column} by={-1} />
                <Arrow {...given} column={column} by={1} />
              </Flex>
            )}
          </Flex>
        ))}
      </div>
      <VisuallyHidden aria-live="polite">{said}</VisuallyHidden>
    </>
  )
}
