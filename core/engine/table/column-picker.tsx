import { useText } from '../../element/i18n.ts'
import { Button, Flex, IconButton } from '../../ui/basics.ts'
import { Icon } from '../../ui/icons.tsx'
import { Popover } from '../../ui/overlay/popover.tsx'
import { ColumnChoice } from './column-choice.tsx'
import type { PickerProps } from './picker-props.ts'

/** Which columns the table shows, and in which order; the key column always stays first. */
export const ColumnPicker = (props: PickerProps) => {
  const t = useText()
  return (
    <Popover.Root>
      <Popover.Trigger>
        <IconButton size="1" variant="ghost" color="gray" aria-label={t('common.columns')} title={t('common.columns')}>
          <Icon name="columns" />
        </IconButton>
      </Popover.Trigger>
      <Popover.Content size="1" width="340px" aria-label={t('common.columns')}>
        <ColumnChoice {...props} />
        <Flex justify="end" mt="2">
          <Button size="1" variant="ghost" color="gray" onClick={() => props.onChange(undefined)}>
            {t('common.reset')}
          </Button>
        </Flex>
      </Popover.Content>
    </Popover.Root>
  )
}
