import { type RawBuilder, sql } from 'kysely'
import type { z } from 'zod'
import type { ListEndpoint } from '../../core/contract/endpoint.ts'
import { metaOf } from '../../core/contract/fields.ts'
import { type Money, sub, sum } from '../../core/rules/money.ts'
import { type Call, type Served, serve } from '../http/serve.ts'
import type { Module } from '../module.ts'
import { fromFor, selected } from './list.ts'
import { type Listed, type Reader, whereOf } from './listed.ts'

type Frag = RawBuilder<unknown>
type Values = Record<string, unknown>
type Totalling = NonNullable<ListEndpoint['totalling']>
type Totalled = Listed & { list: ListEndpoint & { totalling: Totalling } }
type Totals = { count: number; sums: Record<string, Money | number> }

const chunkRows = 1_000
const isTotalled = (of: Listed): of is Totalled => of.list.totalling !== undefined
const snake = (name: string) => name.replace(/[A-Z]/g, letter => `_${letter.toLowerCase()}`)

/** The sum of a column over the rows `x`: of amounts exact, of a flag how often it is set. */
const summed = ({ list }: Listed, name: string): Frag => {
  const column = sql.ref(`x.${snake(name)}`)
  switch (metaOf(list.row.shape[name] as z.ZodType).kind) {
    case 'money':
      return sql`coalesce(sum(${column}), 0.00)::numeric(18,2)`
    case 'flag':
      return sql`count(*) filter (where ${column})::int`
    default:
      return sql`coalesce(sum(${column}), 0)::bigint`
  }
}

/** By how much the rules change the amounts of some columns against what the database says of them. */
const lateDifferences = async (of: Totalled, at: Reader, where: Frag): Promise<Map<string, Money[]>> => {
  const { late } = of
  const names = late?.columns.filter(name => of.list.totalling.names.includes(name)) ?? []
  const found = new Map(names.map(name => [name, [] as Money[]]))
  if (!late || names.length === 0) return found
  const source = of.source(at)
  const columns = selected(source, [...new Set([...names, ...late.needs])])
  const rule = sql`${where} and ${late.only}`
  for (let after = ''; ; ) {
    const rows = await at.tx.rows(sql<Values & { totalKey: string }>`
      select ${source.key} as total_key, ${sql.join(columns)} from ${fromFor(at.tx, source, [rule, ...columns])}
      where ${rule} and ${source.key} > ${after} order by ${source.key} limit ${chunkRows}`)
    const filled = await late.fill(at.tx, rows)
    for (const [index, row] of filled.entries())
      for (const [name, differences] of found) differences.push(sub(row[name] as Money, rows[index]?.[name] as Money))
    if (rows.length < chunkRows) return found
    after = rows.at(-1)?.totalKey ?? ''
  }
}

/** What all rows of a filter add up to, within the data rule of the reader. */
export const totalsOf = async (of: Totalled, by: Reader, filters: Values): Promise<Totals> => {
  const at = { ...by, filters }
  const { names } = of.list.totalling
  const source = of.source(at)
  const where = whereOf(of, at, filters)
  const columns = selected(source, names)
  const sums = names.map(name => sql`${summed(of, name)} as ${sql.ref(snake(name))}`)
  const { rowCount, ...added } = await at.tx.one(sql<Values & { rowCount: number }>`
    select count(*)::int as row_count, ${sql.join(sums)}
    from (select ${sql.join(columns)} from ${fromFor(at.tx, source, [where, ...columns])} where ${where}) x`)
  const differences = await lateDifferences(of, at, where)
  for (const [name, all] of differences) added[name] = sum([added[name] as Money, ...all])
  return { count: rowCount, sums: added as Totals['sums'] }
}

const serveTotals = (of: Totalled): Served =>
  serve(of.list.totalling, async given => {
    const call = given as unknown as Call<{ filters: Values }>
    of.check?.({ ...call, input: call.input.filters }, 'filters.')
    return (await totalsOf(of, call, call.input.filters)) as never
  })

/** Adds lists up, where their declaration says which columns. */
export const totalsModule = (all: readonly Listed[]): Module => ({ served: all.filter(isTotalled).map(serveTotals) })
