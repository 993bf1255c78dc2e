import { lazy, Suspense, useCallback, useEffect, useMemo, useRef, useState } from 'react'
import { CallError, fieldErrors } from '../client/errors.ts'
import { refresh, useRead } from '../client/providers.tsx'
import type { ListState } from '../client/url-state.ts'
import { codes } from '../contract/codes.ts'
import { countCap } from '../contract/endpoint.ts'
import { useHost } from '../element/context.ts'
import { copyValue } from '../element/copy.ts'
import { type Translate, useText } from '../element/i18n.ts'
import { useSheet } from '../element/styles.ts'
import { Button } from '../ui/basics.ts'
import { part } from '../ui/late.ts'
import { Empty, Failed } from '../ui/states.tsx'
import { ActionBar, type Pressed, RowActions, useAllowed, usePress } from './actions.tsx'
import { ownColumns, shownColumns, widthsOf } from './column-order.ts'
import { drawn, labelOf, type Row } from './columns.ts'
import sheet from './engine.css?sheet'
import { Exports } from './exports.tsx'
import { Filters } from './filters.tsx'
import { ListPages } from './list-pages.tsx'
import { ListPresets } from './list-presets.tsx'
import { startOf, useListState } from './list-state.ts'
import { ListTools } from './list-tools.tsx'
import { Forbidden } from './refused.tsx'
import type { RowKeys } from './row-cursor.ts'
import type { Action, Listed, ListScreen } from './screen.ts'
import { FootRoom, Table } from './table.tsx'
import { useChosen } from './use-chosen.ts'
import { focusFilter, useListKeys } from './use-list-keys.ts'
import { usePages, type Ways } from './use-pages.ts'
import { useViews } from './use-views.ts'

const late = () => import('./list-late.ts')
const Ask = lazy(() => part(async () => ({ default: (await import('./ask.tsx')).Ask })))
const Imports = lazy(() => part(async () => ({ default: (await import('./imports.tsx')).Imports })))
const Views = lazy(async () => ({ default: (await late()).Views }))
const ListTotals = lazy(async () => ({ default: (await late()).ListTotals }))
const ListKeysDialog = lazy(() =>
  part(async () => ({ default: (await import('./list-keys-dialog.tsx')).ListKeysDialog })),
)
const RowDrawer = lazy(() => part(async () => ({ default: (await import('./row-drawer.tsx')).RowDrawer })))

/** What is wrong with what a list was asked for, with the name of the filter. */
const refusedBy = (t: Translate, error: Error): string => {
  const [path = '', value = ''] = Object.entries(fieldErrors(error))[0] ?? []
  const [name] = path.split('.')
  return name ? t('common.labelled', { label: labelOf(t, name), value }) : error.message
}

type Props = { screen: ListScreen<Listed>; actions: Record<'row' | 'bulk' | 'toolbar', readonly Action<never>[]> }

/** A list as its screen declares it: filters, actions, table, pages, and the drawer of the row that is open. */
export const ListView = ({ screen, actions }: Props) => {
  useSheet(sheet)
  const t = useText()
  const host = useHost()
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
  const from = host.tag
  const all = useMemo(
    () => [...drawn(t, list, screen.columns as never), ...drawn(t, list, screen.more ?? [], true)],
    [t, list, screen],
  )
  const shown = useMemo(() => shownColumns(all, rowKey, state.columns), [all, rowKey, state.columns])
  const widths = useMemo(() => widthsOf(state.columns), [state.columns])
  const columns = shown.flatMap(id => all.find(column => column.id === id) ?? [])
  const start = startOf(screen).filters
  const isFiltered = JSON.stringify(state.filters) !== JSON.stringify(start)
  const { input, turn } = usePages(state, change)
  const { data, error, loading, retry } = useRead(list, input as never, { refreshInterval: screen.refresh ?? 0 })
  const answer = data as ({ list: Row[]; total: number } & Ways) | undefined
  useEffect(() => setListShown(shown => shown || answer !== undefined), [answer])
  const [row, bulk, toolbar] = [
    useAllowed(actions.row as never),
    useAllowed(actions.bulk as never),
    useAllowed(actions.toolbar as never),
  ]
  const chosen = useChosen({ list, rowKey, state, page: answer, bulk })
  const press = usePress(setPressed)
  const { totalling } = list
  const reload = useCallback(() => {
    void retry()
    if (totalling) refresh(totalling)
  }, [retry, totalling])

  const apply = (filters: ListState['filters']) => change({ filters, pageNum: 1 })
  const columnsBy = { shown, widths, change: (columns: readonly string[]) => change({ columns }) }
  /** The page of the row, or this one with the row open, in a tab of its own. */
  const openApart = async (one: Row) => {
    const page = screen.go
      ? screen.go(one as never)
      : (await import('./list-work.ts')).ownPage(host.tag, host.part, state, String(one[rowKey]))
    if (page) host.emit('mkopo-navigate', { ...page, target: 'new' })
  }
  const openRow = (one: Row, apart = false) => {
    if (apart) return void openApart(one)
    const id = String(one[rowKey])
    if (!host.emit('mkopo-row-open', { tag: host.tag, id })) return
    if (screen.go) host.emit('mkopo-navigate', { ...screen.go(one as never), target: 'same' })
    else if (screen.detail) change({ open: id })
  }
  const opens = screen.detail !== undefined || screen.go !== undefined
  const atCursor = (run: (one: Row) => void) => () => {
    const one = answer?.list[rowKeys.current?.at() ?? -1]
    if (one) run(one)
  }
  useListKeys({
    next: () => rowKeys.current?.move(1),
    previous: () => rowKeys.current?.move(-1),
    reload,
    help: () => setHelping(true),
    ...(screen.filters ? { filter: () => focusFilter(section.current) } : {}),
    copy: atCursor(one => void copyValue(section.current as HTMLElement, String(one[rowKey]), host.props.language)),
    ...(opens ? { open: atCursor(one => openRow(one)) } : {}),
    ...(bulk.length ? { choose: atCursor(one => chosen.toggle(String(one[rowKey]))) } : {}),
  })

  const code = error instanceof CallError ? error.code : undefined
  if (code === codes.forbidden) return <Forbidden />

  const close = (changed?: boolean) => {
    setPressed(null)
    if (!changed) return
    chosen.clear()
    reload()
  }
  const total =
    answer &&
    (answer.total >= countCap ? t('common.hitsMany') : t('common.hits', { n: answer.total.toLocaleString('en') }))
  const back = (to: Partial<ListState>) => (
    <Button variant="soft" color="gray" onClick={() => change(to)}>
      {t('common.reset')}
    </Button>
  )
  const instead = error ? (
    code === codes.validation ? (
      <Failed message={refusedBy(t, error as Error)} action={back(startOf(screen))} />
    ) : (
      <Failed message={code ? (error as Error).message : t('common.noConnection')} onRetry={reload} />
    )
  ) : answer?.list.length === 0 ? (
    <Empty
      title={t('common.emptyList')}
      hint={isFiltered ? t('common.emptyFiltered') : t('common.emptyYet')}
      action={isFiltered && back({ filters: start, pageNum: 1 })}
    />
  ) : undefined

  return (
    <section
      ref={section}
      className="mk-list"
      aria-label={t.maybe(`screens.${host.tag}`)}
      data-density={state.density}
      onPointerDown={begin}
      onKeyDown={begin}
    >
      {screen.above?.(state.filters as never, apply)}
      {screen.presets && <ListPresets presets={screen.presets} filters={state.filters} change={change} />}
      {screen.filters && (
        <Filters list={list} names={screen.filters as never} value={state.filters} start={start} onApply={apply} />
      )}
      <ActionBar
        bulk={bulk}
        toolbar={toolbar}
        chosen={chosen}
        press={press}
        hits={total ?? ''}
        views={
          views.offered && (
            <Suspense fallback={null}>
              <Views screen={screen} state={state} own={ownColumns(all)} views={views} change={change} />
            </Suspense>
          )
        }
      >
        {list.importing && (
          <Suspense fallback={null}>
            <Imports importing={list.importing} reload={reload} />
          </Suspense>
        )}
        {list.exporting && (
          <Exports list={list} command={list.exporting} columns={columns} state={state} total={answer?.total} />
        )}
        <ListTools
          all={all}
          shown={shown}
          first={rowKey}
          widths={widths}
          widthNow={id => section.current?.querySelector<HTMLElement>(`th[data-column="${id}"]`)?.offsetWidth ?? 0}
          density={state.density ?? host.props.density}
          loading={loading}
          change={change}
          reload={reload}
        />
      </ActionBar>
      <Table
        columns={columns}
        rows={error && !answer ? [] : answer?.list}
        rowKey={rowKey}
        keys={rowKeys}
        label={t.maybe(`screens.${host.tag}`) ?? host.tag}
        widths={widths}
        columnsBy={columnsBy}
        sort={state.sort}
        onSort={sort => change({ sort, pageNum: 1 })}
        from={from}
        {...(state.open ? { open: state.open } : {})}
        {...(opens ? { onOpen: openRow } : {})}
        {...(bulk.length ? { chosen: chosen.keys, onChoose: chosen.choose } : {})}
        {...(row.length ? { actions: (one: Row) => <RowActions actions={row} row={one} press={press} /> } : {})}
        foot={
          totalling &&
          !instead &&
          (answer ? (
            <Suspense fallback={<FootRoom />}>
              <ListTotals
                totalling={totalling}
                state={state}
                columns={columns}
                total={answer.total}
                choosing={bulk.length > 0}
                acting={row.length > 0}
                refresh={screen.refresh ?? 0}
              />
            </Suspense>
          ) : (
            <FootRoom />
          ))
        }
        instead={instead}
      />
      <ListPages state={state} page={answer} change={change} turn={turn} onHelp={() => setHelping(true)} />
      {/* Each has a boundary of its own: what is fetched for a dialog must not take the drawer below it off the page. */}
      <Suspense fallback={null}>
        {state.open && screen.detail && answer && (
          <RowDrawer
            screen={screen}
            rows={answer.list}
            open={state.open}
            actions={row}
            press={press}
            onMove={open => change({ open })}
            onClose={() => change({ open: undefined })}
            reload={reload}
          />
        )}
      </Suspense>
      <Suspense fallback={null}>
        {pressed &&
          ('run' in pressed.action ? (
            <Ask
              key={pressed.action.label}
              action={pressed.action}
              rows={pressed.rows}
              rowKey={rowKey}
              fields={list.row}
              page={answer?.list}
              stale={reload}
              close={close}
            />
          ) : 'dialog' in pressed.action ? (
            <pressed.action.dialog rows={pressed.rows as never} close={close} />
          ) : null)}
        {helping && (
          <ListKeysDialog
            filters={screen.filters !== undefined}
            choosing={bulk.length > 0}
            opening={opens}
            drawer={screen.detail !== undefined}
            close={() => setHelping(false)}
          />
        )}
      </Suspense>
    </section>
  )
}
