import { type RawBuilder, sql } from 'kysely'
import type { z } from 'zod'
import { countCap } from '../core/contract/endpoint.ts'
import { metaOf } from '../core/contract/fields.ts'
import { addDays, startOfEatDay } from '../core/rules/time.ts'
import type { Tx } from './db/database.ts'

type Frag = RawBuilder<unknown>
type Input = { pageNum: number; pageSize: number; sort: string } & Record<string, unknown>
type Listed = { row: z.ZodObject; filters: z.ZodRawShape; sort: readonly string[] }

export type Source<I extends Input = Input> = {
  /** `from` with its joins. */
  from: Frag
  /** The data rule and whatever the list always demands. */
  where: Frag
  /** SQL of a column where it is not `alias.snake_name`; every column of the row and every filter has one. */
  columns?: Readonly<Record<string, Frag>>
  alias: string
  /** Unique column that makes the order of equal rows certain. */
  key: Frag
  /** Conditions of filters that are more than a comparison with their column; `null` for none. */
  filters?: { [K in keyof I]?: (value: NonNullable<I[K]>) => Frag | null }
}

const snake = (name: string) => name.replace(/[A-Z]/g, letter => `_${letter.toLowerCase()}`)

const columnOf = (source: Source, name: string): Frag =>
  source.columns?.[name] ?? sql`${sql.ref(`${source.alias}.${snake(name)}`)}`

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

const condition = (source: Source, name: string, schema: z.ZodType, value: unknown): Frag[] => {
  const own = source.filters?.[name]
  if (own) {
    const made = own(value as never)
    return made ? [made] : []
  }
  const column = columnOf(source, name)
  const meta = metaOf(schema)
  if (meta.range) return range(column, value as [unknown, unknown], meta.kind)
  if (Array.isArray(value)) return value.length ? [sql`${column} = any(${value})`] : []
  return [sql`${column} = ${value}`]
}

/** All conditions of a list: its rule and the given filters. The totals and the export of the same filter use it too. */
export const conditions = (listed: Listed, source: Source, input: Record<string, unknown>): Frag => {
  const given = Object.entries(listed.filters).flatMap(([name, schema]) => {
    const value = input[name]
    return value === undefined || value === null ? [] : condition(source, name, schema as z.ZodType, value)
  })
  return sql.join([source.where, ...given], sql` and `)
}

/** `select` parts that answer columns under their names in snake case. */
export const selected = (source: Source, names: readonly string[]): Frag[] =>
  names.map(name => sql`${columnOf(source, name)} as ${sql.ref(snake(name))}`)

/** The order of a list by `field` or `-field`: equal rows stand by their key. */
export const ordered = (source: Source, sort: string): Frag => {
  const [direction, ofKey] = sort.startsWith('-') ? [sql`desc nulls last`, sql`desc`] : [sql`asc nulls last`, sql`asc`]
  return sql`${columnOf(source, sort.replace(/^-/, ''))} ${direction}, ${source.key} ${ofKey}`
}

/**
 * One page of a list endpoint: columns, filters and order come from its declaration, so nothing outside it can be asked for.
 * Counting stops at {@link countCap}.
 */
export const listPage = async <R, I extends Input>(
  tx: Tx,
  listed: Listed,
  input: I,
  given: Source<I>,
): Promise<{ list: R[]; total: number; pageNum: number; pageSize: number }> => {
  const source = given as unknown as Source
  const where = conditions(listed, source, input)
  const list = await tx.rows(sql<R>`
    select ${sql.join(selected(source, Object.keys(listed.row.shape)))} from ${source.from} where ${where}
    order by ${ordered(source, input.sort)} limit ${input.pageSize} offset ${(input.pageNum - 1) * input.pageSize}`)
  const { total } = await tx.one(
    sql<{
      total: number
    }>`select count(*)::int as total from (select 1 from ${source.from} where ${where} limit ${countCap}) counted`,
  )
  return { list, total, pageNum: input.pageNum, pageSize: input.pageSize }
}

/** `a,b c` as the numbers it names; staff paste them from anywhere. */
export const numbersOf = (text: string): string[] =>
  [...new Set(text.split(/[\s,，;；]+/).filter(Boolean))].slice(0, 50)

/** Filters that an order list shares, over `o` loan_order and `c` customer. */
export const orderFilters = {
  orderNo: (text: string) => sql`o.order_no = any(${numbersOf(text)})`,
  customerName: (text: string) =>
    sql`lower(c.customer_name) like ${`${text.toLowerCase().replace(/[\\%_]/g, '\\$&')}%`}`,
  phone: (value: string) => sql`c.phone = ${value}`,
  idNumber: (value: string) => sql`c.id_number = ${value.toUpperCase()}`,
}
