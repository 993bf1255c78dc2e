import type { ReactNode } from 'react'
import { useHost } from '../../../element/context.ts'
import { useText } from '../../../element/i18n.ts'
import { RowActions } from '../../form/actions.tsx'
import type { Row } from '../../table/columns.ts'
import { FootRoom, Table } from '../../table/table.tsx'
import { ListTotals } from '../list-totals.tsx'
import type { ListViewState } from './use-list-view.ts'

/** The totals below the columns; their place is kept until they are there. */
const Foot = ({ view }: { view: ListViewState }) => {
  const { screen, state, columns, answer, bulk, row } = view
  const { totalling } = screen.list
  if (!totalling) return null
  if (!answer) return <FootRoom />
  return (
    <ListTotals
      totalling={totalling}
      state={state}
      columns={columns}
      total={answer.total}
      choosing={bulk.length > 0}
      acting={row.length > 0}
      refresh={screen.refresh ?? 0}
    />
  )
}

type Props = { view: ListViewState; stale: boolean; off: string | undefined; instead: ReactNode }

/** The rows of a list. */
export const ViewTable = ({ view, stale, off, instead }: Props) => {
  const t = useText()
  const host = useHost()
  const { screen, state, change, columns, shown, widths, answer, error, rowKeys } = view
  const { row, bulk, chosen, press, openRow, opens } = view
  const { rowKey } = screen
  const columnsBy = { shown, widths, change: (columns: readonly string[]) => change({ columns }) }
  return (
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
      {...(row.length ? { actions: (one: Row) => <RowActions actions={row} row={one} press={press} off={off} /> } : {})}
      foot={screen.list.totalling && !instead && <Foot view={view} />}
      instead={instead}
    />
  )
}
