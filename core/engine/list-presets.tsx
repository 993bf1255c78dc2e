import type { ListState } from '../client/url-state.ts'
import { useText } from '../element/i18n.ts'
import { Button, Flex } from '../ui/basics.ts'
import type { Listed, ListScreen } from './screen.ts'

type Props = {
  presets: NonNullable<ListScreen<Listed>['presets']>
  filters: ListState['filters']
  change: (by: Partial<ListState>) => void
}

/** Chips that set several filters at once; the one in force is pressed. */
export const ListPresets = ({ presets, filters, change }: Props) => {
  const t = useText()
  return (
    <Flex gap="1" wrap="wrap" className="mk-preset-line" role="group" aria-label={t('common.presets')}>
      {presets.map(preset => {
        const on = JSON.stringify(preset.filters) === JSON.stringify(filters)
        return (
          <Button
            key={preset.label}
            size="1"
            variant={on ? 'solid' : 'soft'}
            color={on ? undefined : 'gray'}
            aria-pressed={on}
            onClick={() =>
              change({
                filters: preset.filters as ListState['filters'],
                pageNum: 1,
                ...(preset.sort ? { sort: preset.sort } : {}),
              })
            }
          >
            {t(preset.label)}
          </Button>
        )
      })}
    </Flex>
  )
}
