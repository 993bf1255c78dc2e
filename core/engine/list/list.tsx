import { lazy, Suspense } from 'react'
import { useHost } from '../../element/context.ts'
import { useText } from '../../element/i18n.ts'
import { noteShown } from '../../element/neighbours.ts'
import { useSheet } from '../../element/styles.ts'
import { FailedBar } from '../../ui/states.tsx'
import sheet from '../engine.css?sheet'
import { Forbidden } from './chosen/refused.tsx'
import { Filters } from './filters.tsx'
import { ListPages } from './list-pages.tsx'
import { ListPresets, presetOf } from './list-presets.tsx'
import { TopLine } from './top-line.tsx'

import { type ListViewProps, useListView } from './view/use-list-view.ts'
import { useViewKeys } from './view/use-view-keys.ts'
import { ViewBar } from './view/view-bar.tsx'
import { ViewDialogs } from './view/view-dialogs.tsx'
import { ViewTable } from './view/view-table.tsx'
import { useTrouble } from './view/view-trouble.tsx'

const RowDrawer = lazy(async () => ({ default: (await import('../drawer/row-drawer.tsx')).RowDrawer }))

const none = {}

/** A list as its screen declares it: filters, actions, table, pages, and the drawer of the row that is open. */
export const ListView = (props: ListViewProps) => {
  useSheet(sheet)
  const t = useText()
  const host = useHost()
  const view = useListView(props)
  useViewKeys(view)
  const { isForbidden, trouble, stale, off, instead } = useTrouble(view)
  if (isForbidden) return <Forbidden />
  const { screen, state, change, begin, section, start, apply, answer, row, press, reload, turn, setHelping } = view
  const { list } = screen
  return (
    <section
      ref={section}
      className="mk-list"
      aria-label={t.maybe(`screens.${host.tag}`)}
      data-density={state.density}
      onPointerDown={begin}
      onKeyDown={begin}
      onClickCapture={() => answer && noteShown(answer.list)}
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
      <ViewBar view={view} off={off} />
      {stale && trouble && <FailedBar {...trouble} />}
      <ViewTable view={view} stale={stale} off={off} instead={instead} />
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
      <ViewDialogs view={view} />
    </section>
  )
}
