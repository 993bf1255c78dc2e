import { type RawBuilder, sql } from 'kysely'
import type { BlockedBy } from '../../core/contract/blocked.ts'
import type { ListEndpoint, ParsedOf, RowOf } from '../../core/contract/endpoint.ts'
import type { Tx } from '../db/database.ts'
import { type Call, type Served, serve } from '../http/serve.ts'
import type { Session } from '../session/session.ts'
import { type Beside, conditions, type Filtered, fromFor, listPage, type Source, selected } from './list.ts'

type Frag = RawBuilder<unknown>
/** The transaction and the session that a list is read in; the filters where columns depend on them, such as a period. */
export type Reader = { tx: Tx; session: Session; filters?: Values }
type Values = Record<string, unknown>
type Input = { pageNum: number; pageSize: number; sort: string } & Values

/** How the rows of a list are read; its pages, its totals and its export use it. */
export type Listed = {
  list: ListEndpoint
  source: (at: Reader) => Source
  /** Refuses and notes what the filters ask for; `at` is where they stand in the input. */
  check?: (call: Call<Values>, at: '' | 'filters.') => void
  /** Columns that only the rules know: what they need of a row, and how they get into it. */
  late?: {
    columns: readonly string[]
    needs: readonly string[]
    /** Rows that they may be changed in: totals look at these. */
    only: Frag
    fill: (tx: Tx, rows: Values[]) => Promise<Values[]>
  }
  blocked?: Blocking | ((at: Reader, rows: readonly Values[]) => Promise<readonly BlockedBy[]>)
}

/** Says why records take no command, by their keys: {@link blocks} of a noun. */
type Blocking = { of: (at: Reader, keys: readonly string[]) => Promise<readonly BlockedBy[]> }

type Declared<E extends ListEndpoint> = {
  list: E
  source: (at: Reader) => Omit<Source, 'filters'> & {
    filters?: { [K in keyof ParsedOf<E>]?: (value: Filtered<NonNullable<ParsedOf<E>[K]>>) => Frag | null }
  }
  check?: (call: Call<Omit<ParsedOf<E>, 'pageNum' | 'pageSize' | 'sort'>>, at: '' | 'filters.') => void
  late?: {
    columns: readonly (keyof RowOf<E> & string)[]
    needs: readonly (keyof RowOf<E> & string)[]
    only: Frag
    fill: (tx: Tx, rows: RowOf<E>[]) => Promise<RowOf<E>[]>
  }
  /** What the rows say in `blockedBy`: the blocks of the noun where the list has its key, else row by row. */
  blocked?: Blocking | ((at: Reader, rows: readonly RowOf<E>[]) => Promise<readonly BlockedBy[]>)
}

/**
 * Declares how the rows of a list are read: tables, columns, the data rule of the reader, its own filters.
 * Pages, totals and exports read by it; put the result into `lists` of the module, and mount it with {@link serveListed}.
 */
export const listed = <E extends ListEndpoint>(given: Declared<E>): Listed => {
  const of = given as unknown as Listed
  if (!of.blocked) return of
  const source = (at: Reader) => withoutBlocks(of.source(at))
  return { ...of, source }
}

/** Reasons are found for the rows of a page alone, once they are read. */
const withoutBlocks = (source: Source): Source => ({
  ...source,
  columns: { ...source.columns, blockedBy: sql`'{}'::jsonb` },
})

/** Reasons that are found by the keys of the rows, and with them. */
const besideOf = ({ blocked }: Listed, at: Reader): Beside | undefined => {
  if (typeof blocked !== 'object') return undefined
  return async keys => (await blocked.of(at, keys)).map(blockedBy => ({ blockedBy }))
}

/** Rows with what they say of the commands on them. */
export const withBlocks = async ({ blocked }: Listed, at: Reader, rows: Values[]): Promise<Values[]> => {
  if (typeof blocked !== 'function') return rows
  const said = await blocked(at, rows)
  for (const [at, row] of rows.entries()) row.blockedBy = said[at] ?? {}
  return rows
}

/** Mounts a list. */
export const serveListed = (of: Listed): Served =>
  serve(of.list, async call => {
    of.check?.(call, '')
    const source = of.source({ ...call, filters: call.input }) as never
    const found = await listPage<Values, Input>(call.tx, of.list, call.input as Input, source, besideOf(of, call))
    const list = of.late ? await of.late.fill(call.tx, found.list) : found.list
    return { ...found, list: await withBlocks(of, call, list) }
  })

/** The conditions of filters within the data rule of the reader. */
export const whereOf = (of: Listed, at: Reader, filters: Values): Frag =>
  conditions(at.tx, of.list, of.source(at), filters)

/** How many rows the filters find, however many they are. */
export const countOf = async (of: Listed, at: Reader, filters: Values): Promise<number> => {
  const where = whereOf(of, at, filters)
  const { count } = await at.tx.one(
    sql<{ count: number }>`select count(*)::int as count from ${fromFor(at.tx, of.source(at), [where])} where ${where}`,
  )
  return count
}

/** Rows of a list as it shows them to the reader, where a condition on its tables holds. */
export const shownRows = async <R>(
  of: Listed,
  at: Reader,
  where: Frag,
  { order, most = 50 }: { order?: Frag; most?: number } = {},
): Promise<R[]> => {
  const source = of.source(at)
  const columns = selected(source, Object.keys(of.list.row.shape))
  const within = sql`${where} and ${source.where}`
  return at.tx.rows(sql<R>`
    select ${sql.join(columns)} from ${fromFor(at.tx, source, [within, ...columns])} where ${within} order by ${order ?? source.key} limit ${most}`)
}

/** One row of a list by its key, as the list shows it, with what it says of the commands on it; undefined where the reader sees none. */
export const shownRow = async <R>(of: Listed, at: Reader, key: string): Promise<R | undefined> => {
  const [row] = await shownRows<R>(of, at, sql`${of.source(at).key} = ${key}`)
  const [more] = row ? ((await besideOf(of, at)?.([key])) ?? []) : []
  return row && more ? { ...row, ...more } : row
}
