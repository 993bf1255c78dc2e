import { lazy, Suspense } from 'react'
import { countCap } from '../../../contract/endpoint.ts'
import { useHost } from '../../../element/context.ts'
import { useText } from '../../../element/i18n.ts'
import { Exports } from '../../files/exports.tsx'
import { ActionBar } from '../../form/actions.tsx'
import { ownColumns } from '../../table/column-order.ts'
import { Views } from '../../views/views.tsx'
import { ListTools } from '../list-tools.tsx'

import type { ListViewState } from './use-list-view.ts'

const Imports = lazy(async () => ({ default: (await import('../../files/imports.tsx')).Imports }))

/** The line above the table: actions, saved views, files and tools. */
export const ViewBar = ({ view, off }: { view: ListViewState; off: string | undefined }) => {
  const t = useText()
  const host = useHost()
  const { screen, state, change, section, answer, loading, reload } = view
  const { all, shown, widths, columns, bulk, toolbar, chosen, press, views } = view
  const { list, rowKey } = screen
  const total =
    answer &&
    (answer.total >= countCap ? t('common.hitsMany') : t('common.hits', { n: answer.total.toLocaleString('en') }))
  return (
    <ActionBar
      bulk={bulk}
      toolbar={toolbar}
      chosen={chosen}
      press={press}
      hits={total ?? ''}
      off={off}
      views={
        views.offered && <Views screen={screen} state={state} own={ownColumns(all)} views={views} change={change} />
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
  )
}
