import { lazy, Suspense, useCallback, useEffect, useMemo, useRef, useState } from 'react'
import { CallError, fieldErrors } from '../../client/errors.ts'
import { refresh, useRead } from '../../client/providers.tsx'
import type { ListState } from '../../client/url-state.ts'
import { codes } from '../../contract/codes.ts'
import { countCap } from '../../contract/endpoint.ts'
import { useHost } from '../../element/context.ts'
import { copyValue } from '../../element/copy.ts'
import { type Translate, useText } from '../../element/i18n.ts'
import { useSheet } from '../../element/styles.ts'
import type { Key } from '../../i18n/index.ts'
import { Button } from '../../ui/basics.ts'
import { Empty, Failed, FailedBar } from '../../ui/states.tsx'
import sheet from '../engine.css?sheet'
import { Exports } from '../files/exports.tsx'
import { ActionBar, type Pressed, RowActions, useAllowed, usePress } from '../form/actions.tsx'
import { refusal } from '../form/refusal.ts'
import type { Action, Listed, ListScreen } from '../screen.ts'
import { ownColumns, shownColumns, widthsOf } from '../table/column-order.ts'
import { drawn, labelOf, type Row } from '../table/columns.ts'
import type { RowKeys } from '../table/row-cursor.ts'
import { FootRoom, Table } from '../table/table.tsx'
import { useViews } from '../views/use-views.ts'
import { Forbidden } from './chosen/refused.tsx'
import { useChosen } from './chosen/use-chosen.ts'
import { startRanges, suspending, withoutStartRanges } from './default-range.ts'
import { Filters } from './filters.tsx'
import { focusFilter, useListKeys } from './keys/use-list-keys.ts'
import { ListPages } from './list-pages.tsx'
import { ListPresets, presetOf } from './list-presets.tsx'
import { startOf, useListState } from './list-state.ts'
import { ListTools } from './list-tools.tsx'
import { useReopened } from './reopened.ts'
import { TopLine } from './top-line.tsx'
import { usePages, type Ways } from './use-pages.ts'

const late = () => import('./list-late.ts')
const Ask = lazy(async () => ({ default: (await import('../form/ask.tsx')).Ask }))
const Imports = lazy(async () => ({ default: (await import('../files/imports.tsx')).Imports }))
const Views = lazy(async () => ({ default: (await late()).Views }))
const ListTotals = lazy(async () => ({ default: (await late()).ListTotals }))
const ListKeysDialog = lazy(async () => ({ default: (await import('./keys/list-keys-dialog.tsx')).ListKeysDialog }))
const RowDrawer = lazy(async () => ({ default: (await import('../drawer/row-drawer.tsx')).RowDrawer }))

const none = {}

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
  const { data, error, loading, retry } = useRead(list, input as never, {
    follows: true,
    refreshInterval: screen.refresh ?? 0,
  })
  const answer = data as ({ list: Row[]; total: number } & Ways) | undefined
  useEffect(() => setListShown(shown => shown || answer !== undefined), [answer])
  const [row, bulk, toolbar] = [
    useAllowed(actions.row as never),
    useAllowed(actions.bulk as never),
    useAllowed(actions.toolbar as never),
  ]
  const chosen = useChosen({ list, rowKey, state, page: answer, bulk })
  const press = usePress(setPressed)
  useReopened(pressed, { rows: answer?.list, rowKey, actions: [...row, ...bulk, ...toolbar] }, setPressed)
  const { totalling } = list
  const reload = useCallback(() => {
    void retry()
    if (totalling) refresh(totalling)
  }, [retry, totalling])

  /** What is asked for again unchanged is asked of the server all the same. */
  const apply = (asked: ListState['filters']) => {
    const begun = { list, start: presetOf(screen, state) ? state.filters : start }
    const filters = suspending(begun, state.filters, asked)
    if (state.pageNum === 1 && JSON.stringify(filters) === JSON.stringify(state.filters)) reload()
    else change({ filters, pageNum: 1 })
  }
  const columnsBy = { shown, widths, change: (columns: readonly string[]) => change({ columns }) }
  /** The page of the row, or this one with the row open, in a tab of its own. */
  const openApart = async (one: Row) => {
    const page = screen.go
      ? screen.go(one as never)
      : (await import('./list-work.ts')).ownPage(host, state, String(one[rowKey]))
    if (page) host.emit('mkopo-navigate', { ...page, target: 'new' })
  }
  const openRow = (one: Row, apart = false) => {
    if (apart) return void openApart(one)
    const id = String(one[rowKey])
    if (!host.emit('mkopo-row-open', { tag: host.tag, id })) return
    if (screen.go) host.emit('mkopo-navigate', { ...screen.go(one as never), target: 'same' })
    else if (screen.detail) change({ open: id })
  }
  const byKey = row.find(action => action.shortcut === 'acknowledge')
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
    ...(byKey ? { acknowledge: atCursor(one => refusal(t, byKey, one) === null && press(byKey, [one])) } : {}),
    ...(bulk.length ? { choose: atCursor(one => chosen.toggle(String(one[rowKey]))) } : {}),
  })

  const code = error instanceof CallError ? error.code : undefined
  if (code === codes.forbidden) return <Forbidden />

  const close = (changed?: boolean) => {
    setPressed(null)
    if (changed) chosen.clear()
  }
  const total =
    answer &&
    (answer.total >= countCap ? t('common.hitsMany') : t('common.hits', { n: answer.total.toLocaleString('en') }))
  const back = (to: Partial<ListState>, label: Key = 'common.reset') => (
    <Button variant="soft" color="gray" onClick={() => change({ pageNum: 1, ...to })}>
      {t(label)}
    </Button>
  )
  const refused = code === codes.validation
  const trouble = error
    ? {
        message: refused ? refusedBy(t, error as Error) : code ? (error as Error).message : t('common.noConnection'),
        ...(refused ? { action: back(startOf(screen)) } : { onRetry: reload }),
      }
    : undefined
  const stale = trouble !== undefined && answer !== undefined
  const off = stale ? t('list.stale') : undefined
  const empty =
    state.pageNum > 1
      ? { title: t('list.emptyPage'), hint: t('list.emptyPageHint'), action: back({ pageNum: 1 }, 'list.firstPage') }
      : !isFiltered && Object.keys(startRanges(screen)).length
        ? {
            title: t('list.noneMatch'),
            hint: t('common.emptyFiltered'),
            action: back({ filters: withoutStartRanges(screen, start) }, 'common.anyTime'),
          }
        : isFiltered
          ? { title: t('list.noneMatch'), hint: t('common.emptyFiltered'), action: back({ filters: start }) }
          : { title: t('common.emptyList'), hint: t('common.emptyYet') }
  const instead =
    trouble && !answer ? <Failed {...trouble} /> : answer?.list.length === 0 ? <Empty {...empty} /> : undefined

  return (
    <section
      ref={section}
      className="mk-list"
      aria-label={t.maybe(`screens.${host.tag}`)}
      data-density={state.density}
      onPointerDown={begin}
      onKeyDown={begin}
    >
      <TopLine>
        {screen.presets && <ListPresets screen={screen} filters={state.filters} change={change} />}
        {screen.above?.(state.filters as never, apply)}
      </TopLine>
      {screen.filters && (
        <Filters
          list={list}
          names={screen.filters as never}
          value={state.filters}
          start={start}
          said={presetOf(screen, state)?.filters ?? none}
          onApply={apply}
        />
      )}
      <ActionBar
        bulk={bulk}
        toolbar={toolbar}
        chosen={chosen}
        press={press}
        hits={total ?? ''}
        off={off}
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
      {stale && <FailedBar {...trouble} />}
      <Table
        columns={columns}
        rows={error && !answer ? [] : answer?.list}
        stale={stale}
        rowKey={rowKey}
        keys={rowKeys}
        label={t.maybe(`screens.${host.tag}`) ?? host.tag}
        widths={widths}
        columnsBy={columnsBy}
        sort={state.sort}
        onSort={sort => change({ sort, pageNum: 1 })}
        {...(state.open ? { open: state.open } : {})}
        {...(opens ? { onOpen: openRow } : {})}
        {...(bulk.length ? { chosen: chosen.keys, onChoose: chosen.choose } : {})}
        {...(row.length
          ? { actions: (one: Row) => <RowActions actions={row} row={one} press={press} off={off} /> }
          : {})}
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
            off={off}
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
              left={pressed.left}
              rowKey={rowKey}
              fields={list.row}
              page={answer?.list}
              stale={reload}
              close={close}
            />
          ) : 'dialog' in pressed.action ? (
            <pressed.action.dialog rows={pressed.rows as never} left={pressed.left} close={close} />
          ) : null)}
        {helping && (
          <ListKeysDialog
            filters={screen.filters !== undefined}
            choosing={bulk.length > 0}
            opening={opens}
            drawer={screen.detail !== undefined}
            acknowledging={byKey !== undefined}
            close={() => setHelping(false)}
          />
        )}
      </Suspense>
    </section>
  )
}
