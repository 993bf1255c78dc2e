import { sql } from 'kysely'
import type { Database } from '../../server/db/database.ts'

/**
 * What a refused call may leave behind: that somebody was here and proved it, what they were answered, and what their consoles are
 * told. The version of rights says only that rights were touched; what they are is in tables of their own.
 */
const aside = /^(session|rights_version|step_up|user_event|idempotency|login_.*)$/

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

const seen = new WeakMap<Database, { snapshot: string; hash: Record<string, string> }>()

/**
 * A hash of the rows of every business table, by table, so that a difference says where something changed. What a
 * statement sees depends on its snapshot alone: while that is the one of the last hash, so is the hash.
 */
export const tablesHash = async (db: Database): Promise<Record<string, string>> => {
  const names = await tablesOf(db)
  const parts = names.map(
    name =>
      sql`select ${sql.lit(name)} as name, count(*) || ' ' || coalesce(sum(hashtextextended(x::text, 0)), 0) as hash from ${sql.table(name)} x`,
  )
  // A statement with a value is prepared, and planned once for all the times that it is asked.
  const all = sql<{
    name: string
    hash: string
  }>`select name, hash from (${sql.join(parts, sql` union all `)}) t where ${true}::bool`
  return db.read(async tx => {
    const { snapshot } = await tx.one(sql<{ snapshot: string }>`select pg_current_snapshot()::text as snapshot`)
    const before = seen.get(db)
    if (before?.snapshot === snapshot) return before.hash
    const hash = Object.fromEntries((await tx.rows(all)).map(row => [row.name, row.hash]))
    seen.set(db, { snapshot, hash })
    return hash
  })
}
