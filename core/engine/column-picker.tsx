import { useEffect, useRef, useState } from 'react'
import { useText } from '../element/i18n.ts'
import { Button, Checkbox, Flex, IconButton, Text, VisuallyHidden } from '../ui/basics.ts'
import { Icon } from '../ui/icons.tsx'
import { Popover } from '../ui/popover.tsx'
import { canMove, moved, toggled } from './column-order.ts'
import type { DrawnColumn } from './columns.ts'

type Props = {
  all: readonly DrawnColumn[]
  shown: readonly string[]
  first: string
  /** `undefined` is the choice of the screen. */
  onChange: (shown: readonly string[] | undefined) => void
}

/** A list that is sorted anew takes the focus off what was pressed; this gives it back. */
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

const Columns = ({ all, shown, first, onChange }: Props) => {
  const t = useText()
  const keep = useKeepFocus()
  const [said, setSaid] = useState('')
  const columns = [
    ...shown.flatMap(id => all.find(column => column.id === id) ?? []),
    ...all.filter(column => !shown.includes(column.id)),
  ]
  const arrow = ({ id, header }: DrawnColumn, by: 1 | -1) => (
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
        setSaid(t('common.columnAt', { name: header, n: next.indexOf(id) + 1, of: next.length }))
        onChange(next)
      }}
    >
      <Icon name={by === 1 ? 'chevronDown' : 'chevronUp'} size={12} />
    </IconButton>
  )
  return (
    <>
      <div className="mk-options">
        {columns.map(column => (
          <Flex key={column.id} align="center" gap="1">
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
              <Flex gap="2" pr="2">
                {arrow(column, -1)}
                {arrow(column, 1)}
              </Flex>
            )}
          </Flex>
        ))}
      </div>
      <VisuallyHidden aria-live="polite">{said}</VisuallyHidden>
    </>
  )
}

/** Which columns the table shows, and in which order; the key column always stays first. */
export const ColumnPicker = (props: Props) => {
  const t = useText()
  return (
    <Popover.Root>
      <Popover.Trigger>
        <IconButton size="1" variant="ghost" color="gray" aria-label={t('common.columns')} title={t('common.columns')}>
          <Icon name="columns" />
        </IconButton>
      </Popover.Trigger>
      <Popover.Content size="1" width="300px" aria-label={t('common.columns')}>
        <Columns {...props} />
        <Flex justify="end" mt="2">
          <Button size="1" variant="ghost" color="gray" onClick={() => props.onChange(undefined)}>
            {t('common.reset')}
          </Button>
        </Flex>
      </Popover.Content>
    </Popover.Root>
  )
}
