import { type RawBuilder, sql } from 'kysely'
import type { z } from 'zod'
import { countCap } from '../../core/contract/endpoint.ts'
import { metaOf } from '../../core/contract/fields.ts'
import { lettersOf } from '../../core/rules/mask.ts'
import { addDays, type DateRange, daysOf, type Preset, startOfEatDay } from '../../core/rules/time.ts'
import { type Known, statementOf, type Tx } from '../db/database.ts'
import { cursorOf, keysOfFew, keysOfMany, placed, type Walk, walkOf } from './keyset.ts'

type Frag = RawBuilder<unknown>
type Input = {
  pageNum: number
  pageSize: number
  sort: string
  after?: string | undefined
  before?: string | undefined
} & Record<string, unknown>
/** What a filter is when its conditions are made: of a range by name, its days. */
export type Filtered<V> = string extends V ? V : Preset extends V ? Exclude<V, Preset> : V
type Listed = { row: z.ZodObject; filters: z.ZodRawShape; sort: readonly string[] }

/** How the rows of a list are read. SQL appears here alone; filters and order are columns by name. */
export type Source<I extends Input = Input> = {
  /** The table whose rows are listed, and whatever decides which of them there are. */
  from: Frag
  /**
   * Joins that only add columns, by alias: each keeps every row, once. A statement gets those whose columns it asks for;
   * a join may build on those before it.
   */
  joins?: Readonly<Record<string, Frag>>
  /** The data rule and whatever the list always demands. */
  where: Frag
  /** SQL of a column where it is not `alias.snake_name`; every column of the row and every filter has one. */
  columns?: Readonly<Record<string, Frag>>
  alias: string
  /** Unique column that makes the order of equal rows certain. */
  key: Frag
  /** What a column is ordered by where its own SQL is expensive per row, or changes by the minute; it gives the same order. */
  order?: Readonly<Record<string, Frag>>
  /** Conditions of filters that are more than a comparison with their column; `null` for none. */
  filters?: { [K in keyof I]?: (value: Filtered<NonNullable<I[K]>>) => Frag | null }
}

const snake = (name: string) => name.replace(/[A-Z]/g, letter => `_${letter.toLowerCase()}`)

/** References by what they name: declarations name a few hundred, and every call asks for the same ones. */
const refs = new Map<string, Frag>()
const refTo = (name: string): Frag => {
  const known = refs.get(name)
  if (known) return known
  const made = sql.ref(name)
  refs.set(name, made)
  return made
}

/** The SQL of a column of a list. */
export const columnOf = (source: Source, name: string): Frag =>
  source.columns?.[name] ?? refTo(`${source.alias}.${snake(name)}`)

/** Whether a column has one of some values. One value is compared as such, because an index keeps its order only then. */
export const oneOf = (column: Frag, values: readonly unknown[]): Frag =>
  values.length === 1 ? sql`${column} = ${values[0]}` : sql`${column} = any(${values})`

/** Days of a range, over a column of days. */
export const dayRange = (column: Frag, [low, high]: readonly [string | null, string | null]): Frag | null => {
  const parts = [...(low ? [sql`${column} >= ${low}::date`] : []), ...(high ? [sql`${column} <= ${high}::date`] : [])]
  return parts.length > 0 ? sql.join(parts, sql` and `) : null
}

const range = (column: Frag, [from, to]: [unknown, unknown], kind: string): Frag[] => {
  const [low, high] =
    kind === 'time' ? [from && startOfEatDay(String(from)), to && startOfEatDay(addDays(String(to), 1))] : [from, to]
  return [
    ...(low === null || low === undefined ? [] : [sql`${column} >= ${low}`]),
    ...(high === null || high === undefined
      ? []
      : kind === 'time'
        ? [sql`${column} < ${high}`]
        : [sql`${column} <= ${high}`]),
  ]
}

const isTimes = (schema: unknown): boolean => {
  const { range, kind } = metaOf(schema as z.ZodType)
  return range === true && kind === 'time'
}

/** The filters of a list with the days of ranges that move with the business date. */
export const withDays = (tx: Tx, listed: Pick<Listed, 'filters'>, filters: Record<string, unknown>) => {
  const given = { ...filters }
  for (const name of Object.keys(given)) {
    const schema = listed.filters[name]
    if (schema && given[name] && isTimes(schema)) given[name] = daysOf(given[name] as DateRange, tx.now)
  }
  return given
}

/** What one filter asks for; a choice of nothing asks for nothing. */
const condition = (source: Source, name: string, schema: z.ZodType, value: unknown): Frag[] => {
  if (Array.isArray(value) && value.length === 0) return []
  const own = source.filters?.[name]
  if (own) {
    const made = own(value as never)
    return made ? [made] : []
  }
  const column = columnOf(source, name)
  const meta = metaOf(schema)
  if (meta.range) return range(column, value as [unknown, unknown], meta.kind)
  if (Array.isArray(value)) return [oneOf(column, value)]
  return [sql`${column} = ${value}`]
}

/** All conditions of a list: its rule and the given filters. The totals and the export of the same filter use it too. */
export const conditions = (tx: Tx, listed: Listed, source: Source, input: Record<string, unknown>): Frag => {
  const filters = withDays(tx, listed, input)
  const given = Object.entries(listed.filters).flatMap(([name, schema]) => {
    const value = filters[name]
    return value === undefined || value === null ? [] : condition(source, name, schema as z.ZodType, value)
  })
  return sql.join([source.where, ...given], sql` and `)
}

const aliases = new Map<string, RegExp>()
/** Finds a column of an alias in the text of a statement. */
const named = (alias: string): RegExp => {
  const known = aliases.get(alias) ?? new RegExp(`(^|[^\\w.])"?${alias}"?\\.`)
  aliases.set(alias, known)
  return known
}

/** The `from` clause that some parts of a statement need. */
export const fromFor = (tx: Tx, { from, joins = {} }: Pick<Source, 'from' | 'joins'>, parts: readonly Frag[]): Frag => {
  const textOf = (part: Frag) => statementOf(tx, part).sql
  const all = Object.entries(joins)
  if (all.length === 0) return from
  let asked = textOf(sql.join(parts, sql` `))
  const needed: Frag[] = []
  for (const [alias, join] of all.reverse()) {
    if (!named(alias).test(asked)) continue
    needed.unshift(join)
    asked += ` ${textOf(join)}`
  }
  return sql.join([from, ...needed], sql` `)
}

/** `select` parts that answer columns under their names in snake case. */
export const selected = (source: Source, names: readonly string[]): Frag[] =>
  names.map(name => sql`${columnOf(source, name)} as ${refTo(snake(name))}`)

/** What a list is ordered by: `field` or `-field` says the column and the way; equal rows stand by their key. */
const orderOf = (source: Source, by: string) => {
  const name = by.replace(/^-/, '')
  const way = by.startsWith('-') ? 'desc' : 'asc'
  return { name, by: source.order?.[name] ?? columnOf(source, name), way } as const
}

/** The order of a list by `field` or `-field`. */
export const ordered = (source: Source, sort: string): Frag => {
  const { by, way } = orderOf(source, sort)
  const towards = sql.raw(way)
  return sql`${by} ${towards} nulls last, ${source.key} ${towards}`
}

type Page<R> = {
  list: R[]
  total: number
  pageNum: number
  pageSize: number
  next: string | null
  previous: string | null
}
type Placed = { key: string; value: string | null }

/** Milliseconds for which the count of a filter is reused, unless this process writes in between. */
const countsFor = 3_000
/** Most filters whose counts are kept. */
const mostCounts = 5_000
type Counted = { total: number; until: number; writes: number }
const counts = new WeakMap<Known, Map<string, Counted>>()

/** Number of rows, counted up to {@link countCap}. One count serves the pages of a list and its other readers. */
const countOf = async (tx: Tx, source: Source, where: Frag): Promise<number> => {
  const counting = sql<{ total: number }>`
    select count(*)::int as total from (select 1 from ${fromFor(tx, source, [where])} where ${where} limit ${sql.raw(String(countCap))}) counted`
  const { sql: text, parameters } = statementOf(tx, counting)
  const key = `${text}\n${JSON.stringify(parameters)}`
  const known = counts.get(tx.database) ?? new Map<string, Counted>()
  counts.set(tx.database, known)
  const held = known.get(key)
  const { writes } = tx.database
  if (held && held.writes === writes && held.until > Date.now()) return held.total
  const { total } = await tx.one(counting)
  if (known.size >= mostCounts) known.clear()
  known.set(key, { total, writes, until: Date.now() + countsFor })
  return total
}

/** The places of a page without the extra one that shows whether there are more, and the cursors of the neighbouring pages. */
const pageOf = (found: readonly Placed[], input: Input, walk: Walk, many: boolean) => {
  const { pageSize, pageNum, sort } = input
  const more = found.length > pageSize
  const places = more ? (walk.back ? found.slice(1) : found.slice(0, pageSize)) : found
  const at = (place: Placed | undefined) => (place ? cursorOf(sort, { ...place, many }) : null)
  const hasPrevious = walk.back ? more : walk.from !== undefined || pageNum > 1
  return {
    keys: places.map(({ key }) => key),
    next: walk.back || more ? at(places.at(-1)) : null,
    previous: hasPrevious ? at(places[0]) : null,
  }
}

/** Further columns of rows, by their keys and in their order; they are read together with the rows. */
export type Beside = (keys: readonly string[]) => Promise<readonly Record<string, unknown>[]>

/**
 * The rows of some keys, in their order, within the rule of the list: what has left it meanwhile is left out. The statement is the
 * same whatever was filtered and sorted by, so that the database plans its many joins once.
 */
const rowsOf = async <R>(
  tx: Tx,
  listed: Listed,
  source: Source,
  keys: readonly string[],
  beside?: Beside,
): Promise<R[]> => {
  if (keys.length === 0) return []
  const columns = selected(source, Object.keys(listed.row.shape))
  const { key, where } = source
  const reading = tx.rows(sql<R & { pageKey?: string }>`
    select ${sql.join(columns)}, ${key}::text as page_key
    from ${fromFor(tx, source, [where, ...columns])} where ${key} = any(${[...keys]}) and ${where}`)
  const [rows, more] = await Promise.all([reading, beside?.(keys)])
  const byKey = new Map(rows.map(row => [row.pageKey, row]))
  return keys.flatMap((one, at) => {
    const row = byKey.get(one)
    if (!row) return []
    delete row.pageKey
    return [more ? Object.assign(row, more[at]) : row]
  })
}

const nullable = new WeakMap<z.ZodType, boolean>()
/** Whether a column may be null; one that the row does not show may be. */
const takesNull = (column: z.ZodType | undefined): boolean => {
  if (!column) return true
  const known = nullable.get(column) ?? column.safeParse(null).success
  nullable.set(column, known)
  return known
}

/**
 * One page of a list endpoint: columns, filters and order come from its declaration, so nothing outside it can be asked for.
 * It is found by its number, or as what follows or precedes a row that was on a page: then rows that come and go meanwhile neither
 * repeat nor hide any. Counting stops at {@link countCap}. The keys of the page are found from nothing but what rule, filters and
 * order need; its columns are read for them only.
 */
export const listPage = async <R, I extends Input>(
  tx: Tx,
  listed: Listed,
  input: I,
  given: Source<I>,
  beside?: Beside,
): Promise<Page<R>> => {
  const source = given as unknown as Source
  const { pageNum, pageSize } = input
  const walk = walkOf(input)
  const where = conditions(tx, listed, source, input)
  const total = walk.from?.many ? countCap : await countOf(tx, source, where)
  if (total < countCap && walk.offset >= total)
    return { list: [], total, pageNum, pageSize, next: null, previous: null }

  const { key } = source
  const { name, by, way } = orderOf(source, input.sort)
  const found = sql`from ${fromFor(tx, source, [where, by])} where ${where}`
  const mayBeEmpty = takesNull(listed.row.shape[name])
  const asked = { key, found, by, way, mayBeEmpty, size: pageSize + 1, walk }
  const keys = total < countCap ? keysOfFew(asked) : keysOfMany(asked)
  const places = await tx.rows(placed(keys, way) as RawBuilder<Placed>)
  const page = pageOf(places, input, walk, total === countCap)
  const list = await rowsOf<R>(tx, listed, source, page.keys, beside)
  return { list, total, pageNum, pageSize, next: page.next, previous: page.previous }
}

/** `a,b c` as a list of numbers; staff paste them with any separators. */
export const numbersOf = (text: string): string[] =>
  [...new Set(text.split(/[\s,，;；]+/).filter(Boolean))].slice(0, 50)

/** Whether a text begins as was typed, whatever its letters' case. */
export const begins = (column: RawBuilder<unknown>, text: string): RawBuilder<boolean> =>
  sql`lower(${column}) like ${`${text.toLowerCase().replace(/[\\%_]/g, '\\$&')}%`}`

/** Names with this beginning, ignoring case. */
const nameBegins = (text: string) => begins(sql`c.customer_name`, text)

/** Of a masked name people see two letters at either end, and none where it is short: nothing else of it can be looked for. */
const maskedNameBegins = (text: string) =>
  lettersOf(text).length > 2 ? sql`false` : sql`(${nameBegins(text)} and char_length(c.customer_name) > 5)`

/** The filter by customer name: it matches only what the caller may see. */
export const nameFilter = ({ desensitized }: { desensitized: boolean }) =>
  desensitized ? maskedNameBegins : nameBegins

/** Filters that an order list shares, over `o` loan_order and `c` customer. */
export const orderFilters = {
  orderNo: (text: string) => oneOf(sql`o.order_no`, numbersOf(text)),
  phone: (value: string) => sql`c.phone = ${value}`,
  idNumber: (value: string) => sql`c.id_number = ${value.toUpperCase()}`,
}
