import { useCallback, useEffect, useMemo, useRef, useState } from 'react'
import { refresh, useRead } from '../../../client/providers.tsx'
import type { ListState } from '../../../client/url-state.ts'
import { useHost } from '../../../element/context.ts'
import { useText } from '../../../element/i18n.ts'
import { type Pressed, useAllowed, usePress } from '../../form/actions.tsx'
import type { Action, Listed, ListScreen } from '../../screen.ts'
import { shownColumns, widthsOf } from '../../table/column-order.ts'
import { drawn, type Row } from '../../table/columns.ts'
import type { RowKeys } from '../../table/row-cursor.ts'
import { useViews } from '../../views/use-views.ts'
import { useChosen } from '../chosen/use-chosen.ts'
import { suspending } from '../default-range.ts'
import { presetOf } from '../list-presets.tsx'
import { startOf, useListState } from '../list-state.ts'
import { ownPage } from '../own-page.ts'
import { useReopened } from '../reopened.ts'
import { usePages, type Ways } from '../use-pages.ts'

export type ListViewProps = {
  screen: ListScreen<Listed>
  actions: Record<'row' | 'bulk' | 'toolbar', readonly Action<never>[]>
}
type Change = (state: Partial<ListState>) => void

const useColumns = ({ list, columns: named, more, rowKey }: ListScreen<Listed>, state: ListState) => {
  const t = useText()
  const all = useMemo(
    () => [...drawn(t, list, named as never), ...drawn(t, list, more ?? [], true)],
    [t, list, named, more],
  )
  const shown = useMemo(() => shownColumns(all, rowKey, state.columns), [all, rowKey, state.columns])
  const widths = useMemo(() => widthsOf(state.columns), [state.columns])
  const columns = shown.flatMap(id => all.find(column => column.id === id) ?? [])
  return { all, shown, widths, columns }
}

const useRows = ({ list, refresh: interval = 0 }: ListScreen<Listed>, state: ListState, change: Change) => {
  const { input, turn } = usePages(state, change)
  const { data, error, loading, retry } = useRead(list, input as never, {
    follows: true,
    refreshInterval: interval,
  })
  const answer = data as ({ list: Row[]; total: number } & Ways) | undefined
  const { totalling } = list
  const reload = useCallback(() => {
    void retry()
    if (totalling) refresh(totalling)
  }, [retry, totalling])

  return { answer, error, loading, reload, turn }
}

/** Opens a row: its page, its drawer, or either in a tab of its own. */
const useOpening = ({ rowKey, go, detail }: ListScreen<Listed>, state: ListState, change: Change) => {
  const host = useHost()
  /** The page of the row, or this one with the row open, in a tab of its own. */
  const openApart = (one: Row) => {
    const page = go ? go(one as never) : ownPage(host, state, String(one[rowKey]))
    if (page) host.emit('mkopo-navigate', { ...page, target: 'new' })
  }
  const openRow = (one: Row, apart = false) => {
    if (apart) return openApart(one)
    const id = String(one[rowKey])
    if (!host.emit('mkopo-row-open', { tag: host.tag, id })) return
    if (go) host.emit('mkopo-navigate', { ...go(one as never), target: 'same' })
    else if (detail) change({ open: id })
  }
  return openRow
}

/** What a list shows and what may be done with it; its parts draw it. */
export const useListView = ({ screen, actions }: ListViewProps) => {
  const [listShown, setListShown] = useState(false)
  const views = useViews(listShown)
  const { state, change, begin } = useListState(
    screen,
    views.list?.find(view => view.isDefault),
  )
  const [pressed, setPressed] = useState<Pressed | null>(null)
  const [helping, setHelping] = useState(false)
  const section = useRef<HTMLElement>(null)
  const rowKeys = useRef<RowKeys>(null)
  const { list, rowKey } = screen
  const table = useColumns(screen, state)
  const start = startOf(screen).filters
  const rows = useRows(screen, state, change)
  const { answer, reload } = rows
  useEffect(() => setListShown(shown => shown || answer !== undefined), [answer])
  const [row, bulk, toolbar] = [
    useAllowed(actions.row as never),
    useAllowed(actions.bulk as never),
    useAllowed(actions.toolbar as never),
  ]
  const chosen = useChosen({ list, rowKey, state, page: answer, bulk })
  const press = usePress(setPressed)
  useReopened(pressed, { rows: answer?.list, rowKey, actions: [...row, ...bulk, ...toolbar] }, setPressed)
  const openRow = useOpening(screen, state, change)

  /** A repeated search with equal filters still calls the server. */
  const apply = (asked: ListState['filters']) => {
    const begun = { list, start: presetOf(screen, state) ? state.filters : start }
    const filters = suspending(begun, state.filters, asked)
    if (state.pageNum === 1 && JSON.stringify(filters) === JSON.stringify(state.filters)) reload()
    else change({ filters, pageNum: 1 })
  }
  const close = (changed?: boolean) => {
    setPressed(null)
    if (changed) chosen.clear()
  }
  return {
    ...{ screen, views, state, change, begin, section, rowKeys, start, apply },
    ...table,
    ...rows,
    ...{ row, bulk, toolbar, chosen, press, pressed, close, helping, setHelping, openRow },
    /** Whether a row has a page or a drawer. */
    opens: screen.detail !== undefined || screen.go !== undefined,
    /** The action that a key gives at the row of the cursor. */
    byKey: row.find(action => action.shortcut === 'acknowledge'),
  }
}
export type ListViewState = ReturnType<typeof useListView>
