import type { Client } from '../../client/providers.tsx'
import type { ListState } from '../../client/url-state.ts'
import type { Listed } from '../screen.ts'
import type { Row } from '../table/columns.ts'
import type { Ways } from './use-pages.ts'

const pageSize = 100

type Wanted = { client: Client; list: Listed; state: ListState; keyOf: (row: Row) => string; limit: number }

/** The first rows that match, page after page from row to row: none comes twice, and none is left out. */
export const loadRows = async ({ client, list, state, keyOf, limit }: Wanted): Promise<Map<string, Row>> => {
  const found = new Map<string, Row>()
  let after: string | null | undefined
  for (let pageNum = 1; found.size < limit && after !== null; pageNum++) {
    const input = { ...state.filters, sort: state.sort, pageNum, pageSize, ...(after ? { after } : {}) }
    const { list: rows, next } = (await client.call(list, input as never)) as unknown as { list: Row[] } & Ways
    for (const row of rows) if (found.size < limit) found.set(keyOf(row), row)
    after = rows.length < pageSize ? null : next
  }
  return found
}
