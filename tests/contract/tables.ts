import { sql } from 'kysely'
import type { Database } from '../../server/db/database.ts'

/** What a refused call may leave behind: that somebody was here and proved it, what they were answered, and what their consoles are told. */
const aside = /^(session|step_up|user_event|idempotency|login_.*)$/

const tables = new WeakMap<Database, readonly string[]>()

const tablesOf = async (db: Database): Promise<readonly string[]> => {
  const known = tables.get(db)
  if (known) return known
  const rows = await db.read(tx =>
    tx.rows(
      sql<{ name: string }>`select tablename as name from pg_tables where schemaname = current_schema() order by 1`,
    ),
  )
  const names = rows.map(row => row.name).filter(name => !aside.test(name))
  tables.set(db, names)
  return names
}

/** A hash of the rows of every business table, by table, so that a difference says where something changed. */
export const tablesHash = async (db: Database): Promise<Record<string, string>> => {
  const parts = (await tablesOf(db)).map(
    name =>
      sql`select ${sql.lit(name)} as name, count(*) || ' ' || coalesce(md5(string_agg(md5(x::text), '' order by md5(x::text))), '') as hash from ${sql.table(name)} x`,
  )
  // A statement with a value is prepared, and planned once for all the times that it is asked.
  const all = sql<{
    name: string
    hash: string
  }>`select name, hash from (${sql.join(parts, sql` union all `)}) t where ${true}::bool`
  const rows = await db.read(tx => tx.rows(all))
  return Object.fromEntries(rows.map(row => [row.name, row.hash]))
}
