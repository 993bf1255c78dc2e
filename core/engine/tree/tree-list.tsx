import { lazy, Suspense, useMemo, useState } from 'react'
import { CallError } from '../../client/errors.ts'
import { useMay, useRead } from '../../client/providers.tsx'
import { codes } from '../../contract/codes.ts'
import { useHost } from '../../element/context.ts'
import { useText } from '../../element/i18n.ts'
import { useSheet } from '../../element/styles.ts'
import { flat } from '../../rules/tree.ts'
import { Button, Flex } from '../../ui/basics.ts'
import { rowsOf, treeOf } from '../../ui/choose/tree.ts'
import { Empty, Failed, FailedBar, Loading } from '../../ui/states.tsx'
import engine from '../engine.css?sheet'
import { type Pressed, RowActions, useAllowed, usePress } from '../form/actions.tsx'
import { said } from '../form/refusal.ts'
import { Forbidden } from '../list/chosen/refused.tsx'
import { Filters } from '../list/filters.tsx'
import { useListState } from '../list/list-state.ts'
import { useReopened } from '../list/reopened.ts'
import { TopLine } from '../list/top-line.tsx'
import type { Listed, ListScreen } from '../screen.ts'
import { drawn, type Row } from '../table/columns.ts'
import { branchIn, type Carried, type Moves } from './carry.ts'
import { TreeTable } from './tree-table.tsx'
import type { AnyTree, TreeActions } from './tree-types.ts'

const Ask = lazy(async () => ({ default: (await import('../form/ask.tsx')).Ask }))
const RowDrawer = lazy(async () => ({ default: (await import('../drawer/row-drawer.tsx')).RowDrawer }))

type Props = { screen: AnyTree; list: Listed; actions: TreeActions }
const nothing = {}

/** The rows of the tree one after the other, and what is known of them. */
const useTreeRows = ({ tree, input, rowKey }: AnyTree) => {
  const read = useRead(tree, (input ?? {}) as never, { follows: true })
  const { data } = read
  const rows = useMemo(() => (data ? (flat((data as { list: never[] }).list) as unknown as Row[]) : undefined), [data])
  const by = useMemo(() => new Map((rows ?? []).map(row => [String(row[rowKey]), row])), [rows, rowKey])
  return { ...read, rows, by }
}

/** How rows are moved; nobody moves any while something is searched, because what is out of sight would move along. */
const useMoves = (screen: AnyTree, by: ReadonlyMap<string, Row>, drop: (carried: Carried) => void) => {
  const t = useText()
  const may = useMay()
  const { move, quiet, rowKey, parentKey } = screen
  return useMemo((): Moves | undefined => {
    if (!move || !may.call(move.command)) return undefined
    const all = rowsOf(
      treeOf(
        [...by.values()].map(row => ({
          value: String(row[rowKey]),
          label: '',
          parent: row[parentKey] as string | null,
          leaf: false,
        })),
      ),
      new Set(by.keys()),
    )
    const isQuiet = (key: string) => quiet?.(by.get(key) as never) ?? false
    return {
      places: move.places,
      takes: key => !isQuiet(key) && (move.takes?.(by.get(key) as never) ?? true),
      refuses: carried => {
        if (branchIn(all, carried.key).has(carried.target)) return t('common.carriedIntoItself')
        const reason = move.refuses(carried, by as never)
        return reason && said(t, { reason, params: {} })
      },
      drop,
    }
  }, [move, may, by, rowKey, parentKey, quiet, t, drop])
}

/** What the pressed action asks for. */
const Asked = ({
  screen,
  pressed,
  rows,
  reload,
  close,
}: {
  screen: AnyTree
  pressed: Pressed
  rows: readonly Row[]
  reload: () => void
  close: () => void
}) => {
  if ('run' in pressed.action)
    return (
      <Ask
        key={pressed.action.label}
        action={pressed.action}
        rows={pressed.rows}
        rowKey={screen.rowKey}
        fields={screen.fields}
        page={rows}
        stale={reload}
        close={close}
      />
    )
  return 'dialog' in pressed.action ? <pressed.action.dialog rows={pressed.rows as never} close={close} /> : null
}

/** What a tree shows, and what may be done with it; its parts draw it. */
const useTreeList = ({ screen, list, actions }: Props) => {
  const host = useHost()
  const t = useText()
  const { rowKey } = screen
  const asList = useMemo(
    () => ({ list, rowKey, columns: [], head: screen.head, detail: screen.detail }) as unknown as ListScreen<Listed>,
    [list, screen, rowKey],
  )
  const { state, change } = useListState(asList, undefined)
  const known = useTreeRows(screen)
  const { rows, by, retry } = known
  const [pressed, setPressed] = useState<Pressed | null>(null)
  const [dropped, setDropped] = useState<Carried | null>(null)
  const row = useAllowed(actions.row as never)
  const toolbar = useAllowed(actions.toolbar as never)
  const press = usePress(setPressed)
  useReopened(pressed, { rows, rowKey, actions: [...row, ...toolbar] }, setPressed)
  const moves = useMoves(screen, by, setDropped)
  const columns = useMemo(() => drawn(t, list, screen.columns), [t, list, screen])
  const { filters } = state
  const isHit = Object.keys(filters).length > 0 ? (one: Row) => screen.hits(one as never, filters as never) : undefined
  const openRow = (one: Row) => {
    const id = String(one[rowKey])
    if (host.emit('mkopo-row-open', { tag: host.tag, id })) change({ open: id })
  }
  return {
    ...{ screen, list, asList, state, change, ...known, columns, isHit, openRow },
    ...{ row, toolbar, press, pressed, setPressed, dropped, setDropped, moves: isHit ? undefined : moves },
    isQuiet: (one: Row) => screen.quiet?.(one as never) ?? false,
    reload: () => void retry(),
  }
}
type View = ReturnType<typeof useTreeList>

/** The rows, or why there are none. */
const Body = ({ view }: { view: View }) => {
  const t = useText()
  const host = useHost()
  const { screen, rows, error, columns, isHit, isQuiet, openRow, row, press, moves, reload } = view
  const { rowKey, parentKey } = screen
  const trouble = error
    ? { message: error instanceof CallError ? error.message : t('common.noConnection'), onRetry: reload }
    : undefined
  if (!rows) return trouble ? <Failed {...trouble} /> : <Loading rows={8} />
  const isEmpty = isHit ? !rows.some(isHit) : rows.length === 0
  return (
    <>
      {trouble && <FailedBar {...trouble} />}
      {isEmpty ? (
        <Empty
          title={t(isHit ? 'list.noneMatch' : 'common.emptyList')}
          hint={t(isHit ? 'common.emptyFiltered' : 'common.emptyYet')}
        />
      ) : (
        <TreeTable
          label={t.maybe(`screens.${host.tag}`) ?? host.tag}
          {...{ rows, rowKey, parentKey, columns, isQuiet, isHit, moves }}
          onOpen={openRow}
          actions={
            row.length ? one => (isQuiet(one) ? null : <RowActions actions={row} row={one} press={press} />) : undefined
          }
        />
      )}
    </>
  )
}

/** The drawer of the row that is open, and the dialog of what was pressed or dropped. */
const Above = ({ view }: { view: View }) => {
  const { screen, asList, rows, by, state, change, row, press, isQuiet, reload } = view
  const { pressed, setPressed, dropped, setDropped } = view
  const { open } = state
  const { move } = screen
  if (!rows) return null
  return (
    <>
      <Suspense fallback={null}>
        {open && (
          <RowDrawer
            screen={asList}
            rows={rows}
            open={open}
            actions={isQuiet(by.get(open) ?? {}) ? [] : row}
            press={press}
            onMove={key => change({ open: key })}
            onClose={() => change({ open: undefined })}
            reload={reload}
          />
        )}
      </Suspense>
      <Suspense fallback={null}>
        {pressed && (
          <Asked screen={screen} pressed={pressed} rows={rows} reload={reload} close={() => setPressed(null)} />
        )}
        {dropped && move && by.has(dropped.key) && (
          <move.dialog
            row={by.get(dropped.key) as never}
            target={by.get(dropped.target) as never}
            place={dropped.place}
            close={() => setDropped(null)}
          />
        )}
      </Suspense>
    </>
  )
}

/** A tree as its screen declares it: filters, toolbar, rows, and the drawer of the row that is open. */
export const TreeList = (props: Props) => {
  useSheet(engine)
  const t = useText()
  const host = useHost()
  const view = useTreeList(props)
  const { screen, list, state, change, rows, error, isHit, toolbar, press } = view
  if (error instanceof CallError && error.code === codes.forbidden) return <Forbidden />
  return (
    <section className="mk-list" aria-label={t.maybe(`screens.${host.tag}`)} data-density={state.density}>
      <TopLine />
      <Filters
        list={list}
        names={Object.keys(screen.filters)}
        value={state.filters}
        start={nothing}
        said={nothing}
        onApply={filters => change({ filters })}
      />
      <Flex align="center" gap="3" className="mk-bar">
        <span className="mk-hits">
          {rows && t('common.hits', { n: (isHit ? rows.filter(isHit) : rows).length.toLocaleString('en') })}
        </span>
        <Flex align="center" gap="2" ml="auto">
          {toolbar.map(action => (
            <Button key={action.label} size="1" variant="surface" onClick={() => press(action, [])}>
              {t(action.label)}
            </Button>
          ))}
        </Flex>
      </Flex>
      <Body view={view} />
      <Above view={view} />
    </section>
  )
}
