import { sql } from 'kysely'
import type { Database, Tx } from './database.ts'

/** Where business time comes from: nothing but this asks the machine for the time of a business fact. */
export type Clock = { now(): Date }

/** A clock that can be moved; it may also be stopped, so that tests and seeding say what time it is. */
export type MovableClock = Clock & {
  /** Goes on from this instant at the pace of real time. */
  startAt(instant: Date): void
  /** Stands at this instant until it is set again. */
  set(instant: Date): void
  advance(milliseconds: number): void
}

export const systemClock: Clock = { now: () => new Date() }

export const movableClock = (): MovableClock => {
  let offset = 0
  let standing: number | undefined
  return {
    now: () => new Date(standing ?? Date.now() + offset),
    startAt(instant) {
      standing = undefined
      offset = instant.getTime() - Date.now()
    },
    set(instant) {
      standing = instant.getTime()
    },
    advance(milliseconds) {
      if (standing === undefined) offset += milliseconds
      else standing += milliseconds
    },
  }
}

/** A clock that stands at an instant until it is moved. */
export const stoppedClock = (instant: string | Date): MovableClock => {
  const clock = movableClock()
  clock.set(new Date(instant))
  return clock
}

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
