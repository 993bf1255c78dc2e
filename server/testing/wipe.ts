import { sql } from 'kysely'
import { snakeOf } from '../db/append.ts'
import type { Tx } from '../db/database.ts'
import type { DB } from '../db/types.gen.ts'

/** Empties tables between tests, and what refers to them; history too, which only a superuser can, with the triggers off. */
export const wipe = async (tx: Tx, ...tables: (keyof DB)[]): Promise<void> => {
  await tx.exec(sql`set local session_replication_role = replica`)
  await tx.exec(sql`truncate ${sql.join(tables.map(name => sql.table(snakeOf(name))))} cascade`)
  await tx.exec(sql`set local session_replication_role = origin`)
}
