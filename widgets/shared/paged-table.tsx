import { type ComponentProps, useState } from 'react'
import { useRead } from '../../core/client/providers.tsx'
import type { InputOf, ListEndpoint, pageSizes } from '../../core/contract/endpoint.ts'
import { Pager } from '../../core/ui/pager.tsx'
import { Loaded } from './loaded.tsx'
import { SmallTable } from './small-table.tsx'

type Row = Readonly<Record<string, unknown>>
type Props = Omit<ComponentProps<typeof SmallTable<Row>>, 'schema' | 'rows'> & {
  list: ListEndpoint
  filters: Row
  /** Rows in sight. */
  size: number
  /** Rows asked for at once, a multiple of `size`. */
  batch: (typeof pageSizes)[number]
}

/** A small table of a list endpoint, a few rows at a time. */
export const PagedTable = ({ list, filters, size, batch, ...table }: Props) => {
  const [page, setPage] = useState(1)
  const perBatch = batch / size
  const input = { ...filters, pageNum: Math.ceil(page / perBatch), pageSize: batch } as InputOf<ListEndpoint>
  const read = useRead(list, input, { keepPreviousData: false })
  const from = ((page - 1) % perBatch) * size
  return (
    <Loaded read={read}>
      {data => (
        <>
          <SmallTable {...table} schema={list.row} rows={data.list.slice(from, from + size) as Row[]} />
          {data.total > size && <Pager page={page} pages={Math.ceil(data.total / size)} go={setPage} />}
        </>
      )}
    </Loaded>
  )
}
