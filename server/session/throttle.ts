import { sql } from 'kysely'
import type { Tx } from '../db/database.ts'

const windowMinutes = 15
const failuresAllowed = 5
const firstLockMinutes = 15
const longestLockMinutes = 24 * 60

type Row = { failures: number; windowStart: string; lockedUntil: string | null; locks: number }

/** Counts the failures of one name, known or not: 5 in 15 minutes close it for 15 minutes, each further lock of a day for twice as long. */
export type Throttle = {
  isLocked: boolean
  lockedUntil: string | null
  locks: number
  /** Until a locked name is open again. */
  secondsLeft: number
  /** Failures that the name has left before it is closed, after those counted by `fail`. */
  readonly triesLeft: number
  /** Answers whether this failure closed the name. */
  fail(): Promise<boolean>
  reset(): Promise<void>
}

const minutesLater = (at: Date, minutes: number) => new Date(at.getTime() + minutes * 60_000)
const minutesSince = (tx: Tx, time: string) => (tx.now.getTime() - Date.parse(time)) / 60_000

/** Locks the counter of a name until the transaction ends. */
export const throttleOf = async (tx: Tx, name: string): Promise<Throttle> => {
  await tx.exec(
    sql`insert into login_throttle (login_id, window_start) values (${name}, ${tx.now}) on conflict do nothing`,
  )
  const row = await tx.one(
    sql<Row>`select failures, window_start, locked_until, locks from login_throttle where login_id = ${name} for update`,
  )
  const isLocked = row.lockedUntil !== null && Date.parse(row.lockedUntil) > tx.now.getTime()
  const save = (next: {
    failures: number
    windowStart: Date | string
    lockedUntil: Date | string | null
    locks: number
  }) =>
    tx.exec(
      sql`update login_throttle set failures = ${next.failures}, window_start = ${next.windowStart}, locked_until = ${next.lockedUntil}, locks = ${next.locks} where login_id = ${name}`,
    )
  const isOver = minutesSince(tx, row.windowStart) >= windowMinutes
  let failed = isOver ? 0 : row.failures
  return {
    isLocked,
    lockedUntil: row.lockedUntil,
    locks: row.locks,
    secondsLeft: isLocked ? Math.ceil((Date.parse(row.lockedUntil as string) - tx.now.getTime()) / 1000) : 0,
    get triesLeft() {
      return failuresAllowed - failed
    },
    async fail() {
      if (isLocked) return false
      failed += 1
      const failures = failed
      if (failures < failuresAllowed) {
        await save({ ...row, failures, windowStart: isOver ? tx.now : row.windowStart })
        return false
      }
      const locks = row.lockedUntil !== null && minutesSince(tx, row.lockedUntil) < longestLockMinutes ? row.locks : 0
      const minutes = Math.min(longestLockMinutes, firstLockMinutes * 2 ** locks)
      await save({ failures: 0, windowStart: tx.now, lockedUntil: minutesLater(tx.now, minutes), locks: locks + 1 })
      return true
    },
    async reset() {
      if (row.failures > 0) await save({ ...row, failures: 0, windowStart: tx.now })
    },
  }
}

/** A try that was counted before it is checked. */
export type Try = {
  name: string
  isLocked: boolean
  closed: boolean
  lockedUntil: string | null
  locks: number
  /** Failures of the name with this one. */
  failures: number
}

/** Counts a try as failed before it is checked, so that parallel tries cannot exceed the limit; {@link takeBack} undoes it for a right one. */
export const countTry = async (tx: Tx, name: string): Promise<Try> => {
  const throttle = await throttleOf(tx, name)
  const { lockedUntil, locks } = throttle
  const closed = await throttle.fail()
  return {
    name,
    isLocked: throttle.isLocked,
    closed,
    lockedUntil,
    locks,
    failures: failuresAllowed - throttle.triesLeft,
  }
}

/** The try was right: resets the count of the name, and a lock that only this try caused. */
export const takeBack = (tx: Tx, { name, lockedUntil, locks }: Try): Promise<number> =>
  tx.exec(sql`
    update login_throttle set failures = 0, window_start = ${tx.now}, locked_until = ${lockedUntil}, locks = ${locks}
    where login_id = ${name}`)

/** The try was right, and more has to be shown: it is not counted, those before it are. */
export const giveBack = (tx: Tx, { name, lockedUntil, locks, closed, failures }: Try): Promise<number> =>
  tx.exec(
    closed
      ? sql`update login_throttle set failures = ${failures - 1}, locked_until = ${lockedUntil}, locks = ${locks} where login_id = ${name}`
      : sql`update login_throttle set failures = greatest(failures - 1, 0) where login_id = ${name}`,
  )
