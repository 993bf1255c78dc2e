import type { ListState } from '../../client/url-state.ts'
import { countCap, pageSizes } from '../../contract/endpoint.ts'
import { useText } from '../../element/i18n.ts'
import { Flex, IconButton } from '../../ui/basics.ts'
import { Select } from '../../ui/choose/select.tsx'
import { Icon } from '../../ui/icons.tsx'
import type { Ways } from './use-pages.ts'

type Props = {
  state: ListState
  /** What is shown; undefined while it loads. */
  page: ({ list: readonly unknown[]; total: number } & Ways) | undefined
  change: (by: Partial<ListState>) => void
  turn: (by: 1 | -1, ways: Ways) => void
  /** Shows the keys of the list. */
  onHelp: () => void
}

/** Below the table: its keys, rows per page, which page it is, and the way to its neighbours. */
export const ListPages = ({ state, page, change, turn, onHelp }: Props) => {
  const t = useText()
  const { total = 0, next } = page ?? {}
  const pages = Math.max(state.pageNum, Math.ceil(total / state.pageSize), 1)
  /** Without cursors from the server a full page means that there may be a next one. */
  const isLast = next === undefined ? (page?.list.length ?? 0) < state.pageSize : next === null
  const arrow = (by: 1 | -1, off: boolean) => (
    <IconButton
      size="1"
      variant="ghost"
      color="gray"
      aria-label={t(by === 1 ? 'common.nextPage' : 'common.previousPage')}
      disabled={off}
      onClick={() => turn(by, page ?? {})}
    >
      <Icon name={by === 1 ? 'chevronRight' : 'chevronLeft'} />
    </IconButton>
  )
  return (
    <Flex align="center" justify="end" gap="3" className="mk-pages">
      <Flex mr="auto" pl="1">
        <IconButton
          size="1"
          variant="ghost"
          color="gray"
          aria-label={t('list.keys')}
          title={t('list.keys')}
          aria-haspopup="dialog"
          onClick={onHelp}
        >
          <Icon name="keyboard" />
        </IconButton>
      </Flex>
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
      {arrow(-1, state.pageNum <= 1)}
      <span className="mk-page" aria-live="polite">
        {t('common.pageOf', { page: state.pageNum, pages: total >= countCap ? `${pages}+` : pages })}
      </span>
      {arrow(1, isLast)}
    </Flex>
  )
}
