import type { ListState } from '../client/url-state.ts'
import { countCap, pageSizes } from '../contract/endpoint.ts'
import { useText } from '../element/i18n.ts'
import { Flex, IconButton } from '../ui/basics.ts'
import { Icon } from '../ui/icons.tsx'
import { Select } from '../ui/select.tsx'

type Props = {
  state: ListState
  /** Hits as far as they are counted, and rows of this page; undefined while they load. */
  total: number | undefined
  rows: number | undefined
  change: (by: Partial<ListState>) => void
}

/** Below the table: rows per page, which page it is, and the way to its neighbours. */
export const ListPages = ({ state, total = 0, rows = 0, change }: Props) => {
  const t = useText()
  const pages = Math.max(1, Math.ceil(total / state.pageSize))
  const turn = (by: 1 | -1, off: boolean) => (
    <IconButton
      size="1"
      variant="ghost"
      color="gray"
      aria-label={t(by === 1 ? 'common.nextPage' : 'common.previousPage')}
      disabled={off}
      onClick={() => change({ pageNum: state.pageNum + by })}
    >
      <Icon name={by === 1 ? 'chevronRight' : 'chevronLeft'} />
    </IconButton>
  )
  return (
    <Flex align="center" justify="end" gap="3" className="mk-pages">
      <Select.Root
        size="1"
        value={String(state.pageSize)}
        onValueChange={size => change({ pageSize: Number(size), pageNum: 1 })}
      >
        <Select.Trigger variant="ghost" color="gray" aria-label={t('common.pageSize')} />
        <Select.Content>
          {pageSizes.map(size => (
            <Select.Item key={size} value={String(size)}>
              {t('common.perPage', { n: size })}
            </Select.Item>
          ))}
        </Select.Content>
      </Select.Root>
      {turn(-1, state.pageNum <= 1)}
      <span className="mk-page" aria-live="polite">
        {t('common.pageOf', { page: state.pageNum, pages: total >= countCap ? `${pages}+` : pages })}
      </span>
      {turn(1, rows < state.pageSize)}
    </Flex>
  )
}
