import { type KeyboardEvent, Suspense } from 'react'
import { useText } from '../../element/i18n.ts'
import { Flex, IconButton } from '../../ui/basics.ts'
import { CopyIcon } from '../../ui/copy-icon.tsx'
import { Icon } from '../../ui/icons.tsx'
import type { Leave } from '../../ui/overlay/ask-first.tsx'
import { Drawer } from '../../ui/overlay/drawer.tsx'
import { Empty, Loading } from '../../ui/states.tsx'
import { RowActions } from '../form/actions.tsx'
import type { Action, Listed, ListScreen } from '../screen.ts'
import type { Row } from '../table/columns.ts'
import { takesText, wayOf } from './shortcut.ts'

type Props = {
  screen: ListScreen<Listed>
  rows: readonly Row[]
  open: string
  actions: readonly Action<Row>[]
  press: (action: Action<Row>, rows: readonly Row[]) => void
  /** Why none of the actions can be pressed now. */
  off?: string | undefined
  onMove: (key: string) => void
  onClose: () => void
  reload: () => void
}

/** The row that is open, with previous and next inside the page of rows. */
export const RowDrawer = ({ screen, rows, open, actions, press, off, onMove, onClose, reload }: Props) => {
  const t = useText()
  const keys = rows.map(row => String(row[screen.rowKey]))
  const at = keys.indexOf(open)
  const row = rows[at]
  const onKey = ({ key, nativeEvent }: KeyboardEvent, leave: Leave) => {
    const by = key === ']' ? 1 : key === '[' ? -1 : 0
    const to = keys[at + by]
    if (by && at >= 0 && to !== undefined && !takesText(wayOf(nativeEvent))) leave(() => onMove(to))
  }
  const move = (by: 1 | -1, leave: Leave) => {
    const key = keys[at + by]
    return (
      <IconButton
        size="1"
        variant="ghost"
        color="gray"
        disabled={key === undefined}
        aria-label={t(by === 1 ? 'common.nextRecord' : 'common.previousRecord')}
        aria-keyshortcuts={by === 1 ? ']' : '['}
        onClick={() => leave(() => key && onMove(key))}
      >
        <Icon name={by === 1 ? 'chevronDown' : 'chevronUp'} />
      </IconButton>
    )
  }
  return (
    <Drawer
      open
      onClose={onClose}
      onKey={onKey}
      title={
        <span className="mk-key">
          {open}
          <CopyIcon value={open} />
        </span>
      }
      summary={row && screen.head?.(row as never)}
      controls={leave => (
        <Flex gap="3">
          {move(-1, leave)}
          {move(1, leave)}
        </Flex>
      )}
      footer={
        row && actions.length > 0 ? (
          <RowActions actions={actions} row={row} press={press} visible={3} off={off} />
        ) : undefined
      }
    >
      {row ? (
        <Suspense fallback={<Loading />}>{screen.detail?.(row as never, reload)}</Suspense>
      ) : (
        <Empty title={t('common.notOnPage')} hint={t('common.notOnPageHint')} />
      )}
    </Drawer>
  )
}
