import { sql } from 'kysely'
import type { Clock, MovableClock } from './clock.ts'
import type { Database, Tx } from './database.ts'

/** Sets the clock to the business time that the database was left at. */
export const restoreClock = async (db: Database, clock: MovableClock): Promise<void> => {
  const row = await db.read(tx =>
    tx.maybe(sql<{ offsetSeconds: number }>`select offset_seconds from business_clock where id = 1`),
  )
  clock.startAt(new Date(Date.now() + (row?.offsetSeconds ?? 0) * 1000))
}

/** Records by how much business time differs from the machine's, for the next start. */
export const keepClock = async (tx: Tx, clock: Clock): Promise<void> => {
  const offset = Math.round((clock.now().getTime() - Date.now()) / 1000)
  await tx.exec(sql`
    insert into business_clock (id, offset_seconds) values (1, ${offset})
    on conflict (id) do update set offset_seconds = excluded.offset_seconds`)
}
