import { lazy, Suspense, useCallback, useMemo, useState } from 'react'
import { CallError } from '../client/errors.ts'
import { useMay, useRead } from '../client/providers.tsx'
import { codes } from '../contract/codes.ts'
import { countCap, pageSizes } from '../contract/endpoint.ts'
import { useHost } from '../element/context.ts'
import { useText } from '../element/i18n.ts'
import { useSheet } from '../element/styles.ts'
import { Button, Flex, IconButton } from '../ui/basics.ts'
import { Icon } from '../ui/icons.tsx'
import { Select } from '../ui/select.tsx'
import { Empty, Failed } from '../ui/states.tsx'
import { ActionBar, type Pressed, RowActions, useAllowed, usePress } from './actions.tsx'
import { ColumnPicker } from './column-picker.tsx'
import { drawn, type Row } from './columns.ts'
import sheet from './engine.css?sheet'
import { Filters } from './filters.tsx'
import { startOf, useListState } from './list-state.ts'
import { Forbidden } from './refused.tsx'
import type { Action, Listed, ListScreen } from './screen.ts'
import { Table } from './table.tsx'
import { useToast } from './use-act.ts'

const Ask = lazy(async () => ({ default: (await import('./ask.tsx')).Ask }))
const RowDrawer = lazy(async () => ({ default: (await import('./row-drawer.tsx')).RowDrawer }))

type Props = { screen: ListScreen<Listed>; actions: Record<'row' | 'bulk' | 'toolbar', readonly Action<never>[]> }

/** A list as its screen declares it: filters, actions, table, pages, and the drawer of the row that is open. */
export const ListView = ({ screen, actions }: Props) => {
  useSheet(sheet)
  const t = useText()
  const host = useHost()
  const may = useMay()
  const toast = useToast()
  const [state, change] = useListState(screen)
  const [chosen, setChosen] = useState<ReadonlyMap<string, Row>>(new Map())
  const [pressed, setPressed] = useState<Pressed | null>(null)
  const { list, rowKey } = screen
  const from = host.tag
  const all = useMemo(
    () => [...drawn(t, list, screen.columns as never), ...drawn(t, list, screen.more ?? [], true)],
    [t, list, screen],
  )
  const [shown, setShown] = useState<readonly string[]>(() =>
    all.filter(column => !column.hidden).map(column => column.id),
  )
  const columns = all.filter(column => shown.includes(column.id))
  const start = startOf(screen).filters
  const isFiltered = JSON.stringify(state.filters) !== JSON.stringify(start)
  const input = { ...state.filters, pageNum: state.pageNum, pageSize: state.pageSize, sort: state.sort }
  const { data, error, loading, retry } = useRead(list, input as never, { refreshInterval: screen.refresh ?? 0 })
  const answer = data as { list: Row[]; total: number } | undefined
  const [row, bulk, toolbar] = [
    useAllowed(actions.row as never),
    useAllowed(actions.bulk as never),
    useAllowed(actions.toolbar as never),
  ]
  const press = usePress(setPressed)
  const reload = useCallback(() => void retry(), [retry])

  const code = error instanceof CallError ? error.code : undefined
  if (code === codes.forbidden) return <Forbidden />

  const openRow = (one: Row) => {
    const id = String(one[rowKey])
    if (!host.emit('mkopo-row-open', { tag: host.tag, id })) return
    if (screen.go) host.emit('mkopo-navigate', { ...screen.go(one as never), target: 'same' })
    else if (screen.detail) change({ open: id })
  }
  const close = (changed?: boolean) => {
    setPressed(null)
    if (!changed) return
    setChosen(new Map())
    reload()
  }
  const choose = (keys: ReadonlySet<string>) =>
    setChosen(
      new Map(
        [...keys].flatMap(key => {
          const one = answer?.list.find(candidate => String(candidate[rowKey]) === key) ?? chosen.get(key)
          return one ? [[key, one] as const] : []
        }),
      ),
    )
  const pages = Math.max(1, Math.ceil((answer?.total ?? 0) / state.pageSize))
  const total = answer && (answer.total >= countCap ? t('common.hitsMany') : t('common.hits', { n: answer.total }))
  const instead = error ? (
    <Failed message={error instanceof CallError ? error.message : t('common.noConnection')} onRetry={reload} />
  ) : answer?.list.length === 0 ? (
    <Empty
      title={t('common.emptyList')}
      hint={isFiltered ? t('common.emptyFiltered') : t('common.emptyYet')}
      action={
        isFiltered ? (
          <Button variant="soft" color="gray" onClick={() => change({ filters: start, pageNum: 1 })}>
            {t('common.reset')}
          </Button>
        ) : undefined
      }
    />
  ) : undefined

  return (
    <section className="mk-list" aria-label={t.maybe(`screens.${host.tag}`)}>
      {screen.above?.(state.filters as never)}
      {screen.presets && (
        <Flex gap="1" wrap="wrap" className="mk-preset-line" role="group" aria-label={t('common.presets')}>
          {screen.presets.map(preset => {
            const on = JSON.stringify(preset.filters) === JSON.stringify(state.filters)
            return (
              <Button
                key={preset.label}
                size="1"
                variant={on ? 'solid' : 'soft'}
                color={on ? undefined : 'gray'}
                aria-pressed={on}
                onClick={() =>
                  change({
                    filters: preset.filters as Record<string, unknown>,
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
      )}
      {screen.filters && (
        <Filters
          list={list}
          names={screen.filters as never}
          value={state.filters}
          start={start}
          onApply={filters => change({ filters, pageNum: 1 })}
        />
      )}
      <ActionBar
        bulk={bulk}
        toolbar={toolbar}
        chosen={[...chosen.values()]}
        clear={() => setChosen(new Map())}
        press={press}
        hits={total ?? ''}
      >
        <ColumnPicker all={all} shown={shown} first={rowKey} onChange={setShown} />
        <IconButton
          size="1"
          variant="ghost"
          color="gray"
          aria-label={t('common.reload')}
          title={t('common.reload')}
          loading={loading}
          onClick={() => {
            reload()
            if (!may.known) toast.info(t('common.reload'))
          }}
        >
          <Icon name="refresh" />
        </IconButton>
      </ActionBar>
      <Table
        columns={columns}
        rows={error && !answer ? [] : answer?.list}
        rowKey={rowKey}
        label={t.maybe(`screens.${host.tag}`) ?? host.tag}
        sort={state.sort}
        onSort={sort => change({ sort, pageNum: 1 })}
        from={from}
        {...(state.open ? { open: state.open } : {})}
        {...(screen.detail || screen.go ? { onOpen: openRow } : {})}
        {...(bulk.length ? { chosen: new Set(chosen.keys()), onChoose: choose } : {})}
        {...(row.length ? { actions: (one: Row) => <RowActions actions={row} row={one} press={press} /> } : {})}
        instead={instead}
      />
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
        <IconButton
          size="1"
          variant="ghost"
          color="gray"
          aria-label={t('common.previousPage')}
          disabled={state.pageNum <= 1}
          onClick={() => change({ pageNum: state.pageNum - 1 })}
        >
          <Icon name="chevronLeft" />
        </IconButton>
        <span className="mk-page" aria-live="polite">
          {t('common.pageOf', { page: state.pageNum, pages: answer && answer.total >= countCap ? `${pages}+` : pages })}
        </span>
        <IconButton
          size="1"
          variant="ghost"
          color="gray"
          aria-label={t('common.nextPage')}
          disabled={(answer?.list.length ?? 0) < state.pageSize}
          onClick={() => change({ pageNum: state.pageNum + 1 })}
        >
          <Icon name="chevronRight" />
        </IconButton>
      </Flex>
      <Suspense fallback={null}>
        {pressed &&
          ('run' in pressed.action ? (
            <Ask
              key={pressed.action.label}
              action={pressed.action}
              rows={pressed.rows}
              rowKey={rowKey}
              fields={list.row}
              close={close}
            />
          ) : 'dialog' in pressed.action ? (
            <pressed.action.dialog rows={pressed.rows as never} close={close} />
          ) : null)}
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
    </section>
  )
}
