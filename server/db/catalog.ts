import { type Kysely, sql } from 'kysely'

/** One column as `information_schema` describes it. */
export type Column = { name: string; type: string; hasDefault: boolean }
/** Columns of every table, by the names that SQL uses. */
export type Catalog = ReadonlyMap<string, readonly Column[]>

/** Reads what the tables are made of. */
export const readCatalog = async <DB>(k: Kysely<DB>): Promise<Catalog> => {
  const { rows } = await sql<{ table: string } & Column>`
    select c.relname as table, a.attname as name, format_type(a.atttypid, a.atttypmod) as type,
      a.atthasdef or a.attidentity <> '' as has_default
    from pg_attribute a join pg_class c on c.oid = a.attrelid
    where c.relnamespace = current_schema()::regnamespace and c.relkind in ('r', 'p') and a.attnum > 0 and not a.attisdropped
    order by c.relname, a.attnum`.execute(k)
  const tables = new Map<string, Column[]>()
  for (const { table, ...column } of rows) {
    const columns = tables.get(table)
    if (columns) columns.push(column)
    else tables.set(table, [column])
  }
  return tables
}
