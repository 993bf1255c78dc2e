import { useText } from '../../element/i18n.ts'
import { Button, Flex, IconButton } from '../../ui/basics.ts'
import { Icon } from '../../ui/icons.tsx'
import { Popover } from '../../ui/overlay/popover.tsx'
import { ColumnChoice } from './column-choice.tsx'
import type { DrawnColumn } from './columns.ts'

/** The columns of a list as the picker shows them; `first` is the key column, which stays. */
export type PickerProps = {
  all: readonly DrawnColumn[]
  shown: readonly string[]
  first: string
  /** Widths that were chosen, in pixels, and how wide a column is by itself. */
  widths: Readonly<Record<string, number>>
  widthNow: (id: string) => number
  /** `undefined` is the choice of the screen. */
  onChange: (shown: readonly string[] | undefined) => void
  /** `undefined` is as wide as its values are. */
  onWidth: (id: string, width: number | undefined) => void
}

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
