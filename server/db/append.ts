import { CompiledQuery } from 'kysely'
import type { Catalog, Column } from './catalog.ts'

type Row = Record<string, unknown>
type Executor = { executeQuery(query: CompiledQuery): Promise<unknown> }

const chunkRows = 2_000

/** The database's name of a table or column. */
export const snakeOf = (name: string): string => name.replace(/[A-Z]/g, letter => `_${letter.toLowerCase()}`)

const arrayLiteral = (values: readonly unknown[]): string =>
  `{${values.map(value => (value === null ? 'NULL' : `"${String(value).replace(/[\\"]/g, '\\$&')}"`)).join(',')}}`

const written = (value: unknown, type: string): unknown => {
  if (value === null || value === undefined) return null
  if (type === 'jsonb') return JSON.stringify(value)
  if (value instanceof Date) return value.toISOString()
  return Array.isArray(value) ? arrayLiteral(value) : value
}

const insertText = (table: string, columns: readonly Column[]): string => {
  const values = columns.map(({ name, type }) => (type.endsWith('[]') ? `"${name}"::${type}` : `"${name}"`))
  const sources = columns.map(({ type }, at) => `$${at + 1}::${type.endsWith('[]') ? 'text' : type}[]`)
  const names = columns.map(({ name }) => `"${name}"`).join(', ')
  return `insert into "${table}" (${names}) select ${values.join(', ')} from unnest(${sources.join(', ')}) as x(${names})`
}

const columnNames = (row: Row): Map<string, string> => {
  const names = new Map<string, string>()
  for (const key of Object.keys(row)) if (row[key] !== undefined) names.set(snakeOf(key), key)
  return names
}

/**
 * Rows that wait to be written: one statement for many rows of a table, tables in order of first use, rows in order.
 * A row that leaves a column with a default to that default is never put in one statement with a row that sets it.
 */
export class AppendBuffer {
  readonly #tables = new Map<string, Row[]>()
  readonly #catalog: Catalog

  constructor(catalog: Catalog) {
    this.#catalog = catalog
  }

  add(table: string, row: Row): void {
    const rows = this.#tables.get(table)
    if (rows) rows.push(row)
    else this.#tables.set(table, [row])
  }

  async flush(executor: Executor): Promise<void> {
    while (this.#tables.size > 0) {
      const tables = [...this.#tables]
      this.#tables.clear()
      // Sent one behind the other; the database does them in this order, and the first that it refuses is the one that counts.
      await Promise.all(
        tables
          .flatMap(([table, rows]) => this.#inserts(snakeOf(table), rows))
          .map(insert => executor.executeQuery(insert)),
      )
    }
  }

  #inserts(table: string, rows: readonly Row[]): CompiledQuery[] {
    const columns = this.#catalog.get(table)
    if (!columns) throw new Error(`there is no table ${table}`)
    const inserts: CompiledQuery[] = []
    for (const { used, members } of runsOf(table, columns, rows)) {
      const text = insertText(table, used)
      for (let at = 0; at < members.length; at += chunkRows) {
        const chunk = members.slice(at, at + chunkRows)
        const values = used.map(({ name, type }) =>
          chunk.map(({ row, names }) => {
            const key = names.get(name)
            return key === undefined ? null : written(row[key], type)
          }),
        )
        inserts.push(CompiledQuery.raw(text, values))
      }
    }
    return inserts
  }
}

type Member = { row: Row; names: Map<string, string> }
type Run = { used: readonly Column[]; members: Member[] }

/** Consecutive rows that set the same columns with defaults; the other columns are always written. */
const runsOf = (table: string, columns: readonly Column[], rows: readonly Row[]): Run[] => {
  const runs: Run[] = []
  let last = ''
  for (const row of rows) {
    const names = columnNames(row)
    const used = columns.filter(column => !column.hasDefault || names.has(column.name))
    const known = new Set(columns.map(column => column.name))
    for (const [name, key] of names) if (!known.has(name)) throw new Error(`table ${table} has no column for ${key}`)
    const signature = used.map(column => column.name).join()
    if (signature !== last) runs.push({ used, members: [] })
    last = signature
    runs.at(-1)?.members.push({ row, names })
  }
  return runs
}
