import { useText } from '../element/i18n.ts'
import { Button, Checkbox, Flex, IconButton, Text } from '../ui/basics.ts'
import { Icon } from '../ui/icons.tsx'
import { Popover } from '../ui/popover.tsx'
import type { DrawnColumn } from './columns.ts'

type Props = {
  all: readonly DrawnColumn[]
  shown: readonly string[]
  first: string
  onChange: (shown: string[]) => void
}

/** Which columns the table shows; the key column always stays. */
export const ColumnPicker = ({ all, shown, first, onChange }: Props) => {
  const t = useText()
  const toggle = (id: string) => onChange(shown.includes(id) ? shown.filter(one => one !== id) : [...shown, id])
  return (
    <Popover.Root>
      <Popover.Trigger>
        <IconButton size="1" variant="ghost" color="gray" aria-label={t('common.columns')} title={t('common.columns')}>
          <Icon name="columns" />
        </IconButton>
      </Popover.Trigger>
      <Popover.Content size="1" width="240px" aria-label={t('common.columns')}>
        <div className="mk-options">
          {all.map(column => (
            <label key={column.id} className="mk-option" htmlFor={`column-${column.id}`}>
              <Checkbox
                id={`column-${column.id}`}
                size="1"
                checked={shown.includes(column.id)}
                disabled={column.id === first}
                onCheckedChange={() => toggle(column.id)}
              />
              <Text size="2">{column.header}</Text>
            </label>
          ))}
        </div>
        <Flex justify="end" mt="2">
          <Button
            size="1"
            variant="ghost"
            color="gray"
            onClick={() => onChange(all.filter(column => !column.hidden).map(column => column.id))}
          >
            {t('common.reset')}
          </Button>
        </Flex>
      </Popover.Content>
    </Popover.Root>
  )
}
