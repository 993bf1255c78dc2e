import { afterAll, describe } from 'vitest'
import { type Clock, systemClock } from '../server/db/clock.ts'
import { type Database, type DatabaseOptions, openDatabase } from '../server/db/database.ts'
import { closeProven } from '../server/testing/proven.ts'
import { hasPostgres, newPostgresDatabase } from './postgres.ts'

export type Open = (clock?: Clock, options?: Partial<DatabaseOptions>) => Promise<Database>

const engines = [
  { kind: 'pglite', here: true },
  { kind: 'postgres', here: hasPostgres },
] as const

/**
 * Declares a suite once per engine; `open` gives a new migrated database, which is closed after the suite, and then holds
 * what the invariants say unless its rows are `handmade`.
 */
export const onEachEngine = (
  title: string,
  suite: (open: Open, kind: Database['kind']) => void,
  o: { handmade?: true } = {},
): void => {
  for (const { kind, here } of engines) {
    describe.skipIf(!here)(`${title} on ${kind}${here ? '' : ' (skipped: PostgreSQL is not installed)'}`, () => {
      const opened: Database[] = []
      afterAll(() => Promise.all(opened.map(db => closeProven(db, o))))
      suite(async (clock = systemClock, options = {}) => {
        const place = kind === 'pglite' ? { memory: true } : { url: (await newPostgresDatabase()) ?? '' }
        const db = await openDatabase({ clock, ...place, ...options })
        opened.push(db)
        return db
      }, kind)
    })
  }
}
