import type { ListState } from '../../client/url-state.ts'
import { useText } from '../../element/i18n.ts'
import { Button, Flex } from '../../ui/basics.ts'
import type { Listed, ListScreen } from '../screen.ts'
import { Counter } from './counter.tsx'
import { startRanges } from './default-range.ts'

type Of = Pick<ListScreen<Listed>, 'list' | 'start' | 'presets'>
type Props = {
  screen: Of
  filters: ListState['filters']
  change: (by: Partial<ListState>) => void
}

const sorted = (filters: object) => JSON.stringify(Object.entries(filters).sort(([a], [b]) => (a < b ? -1 : 1)))

/** The quick filter in force; the date range that the list starts with goes with each that names none. */
export const presetOf = (of: Of, { filters }: Pick<ListState, 'filters'>) => {
  const given = sorted(filters)
  const ranges = startRanges(of)
  return of.presets?.find(
    preset => sorted(preset.filters) === given || sorted({ ...ranges, ...preset.filters }) === given,
  )
}

/** Chips that set several filters at once; the one in force is pressed. */
export const ListPresets = ({ screen, filters, change }: Props) => {
  const t = useText()
  const inForce = presetOf(screen, { filters })
  return (
    <Flex gap="1" wrap="wrap" role="group" aria-label={t('common.presets')}>
      {screen.presets?.map(preset => {
        const on = preset === inForce
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
            {preset.counted && <Counter call={screen.list} filters={preset.filters} />}
          </Button>
        )
      })}
    </Flex>
  )
}
