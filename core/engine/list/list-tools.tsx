import type { Density, ListState } from '../../client/url-state.ts'
import { useText } from '../../element/i18n.ts'
import { IconButton } from '../../ui/basics.ts'
import { Icon } from '../../ui/icons.tsx'
import { withWidths } from '../table/column-order.ts'
import { ColumnPicker } from '../table/column-picker.tsx'
import type { DrawnColumn } from '../table/columns.ts'

type Props = {
  all: readonly DrawnColumn[]
  shown: readonly string[]
  first: string
  widths: Readonly<Record<string, number>>
  widthNow: (id: string) => number
  density: Density
  loading: boolean
  change: (by: Partial<ListState>) => void
  reload: () => void
}

/** How the table looks: its columns, the height of its rows; and asking again. */
export const ListTools = ({ all, shown, first, widths, widthNow, density, loading, change, reload }: Props) => {
  const t = useText()
  const compact = density === 'compact'
  const tool = { size: '1', variant: 'ghost', color: 'gray' } as const
  return (
    <>
      <ColumnPicker
        all={all}
        shown={shown}
        first={first}
        widths={widths}
        widthNow={widthNow}
        onChange={columns => change({ columns: columns && withWidths(columns, widths) })}
        onWidth={(id, width) => change({ columns: withWidths(shown, { ...widths, [id]: width }) })}
      />
      <IconButton
        {...tool}
        variant={compact ? 'soft' : 'ghost'}
        m="0"
        aria-label={t('common.compactRows')}
        title={t('common.compactRows')}
        aria-pressed={compact}
        onClick={() => change({ density: compact ? 'normal' : 'compact' })}
      >
        <Icon name="rows" />
      </IconButton>
      <IconButton
        {...tool}
        aria-label={t('common.reload')}
        title={t('common.reload')}
        aria-busy={loading}
        onClick={reload}
      >
        <Icon name="refresh" />
      </IconButton>
    </>
  )
}
