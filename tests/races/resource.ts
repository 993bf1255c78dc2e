import { sql } from 'kysely'
import type { Fixture } from '../contract/fixture.ts'
import { noLocks, noVersions, type Weakening } from './gate.ts'

export type Reply = { code: number; data?: unknown; status?: number; text?: string }

export type Made = {
  /** What everybody tries at the same moment, each under a key of its own. */
  tries: readonly (() => Promise<Reply>)[]
  /** How many got it, where that differs from the number of such replies. */
  taken?: (replies: readonly Reply[]) => Promise<number>
  /** Puts back what the next round needs. */
  after?: () => Promise<void>
}

/** Something of which there is only so much, and what keeps more from being taken. */
export type Resource = {
  name: string
  /** The rule that limits it. */
  rule: string
  available: number
  make: (fixture: Fixture, parallel: number) => Promise<Made>
  /** Statements in front of which all wait for one another: the first lock, where nothing is said. */
  at?: RegExp
  /** What the negative control takes away: with all of it gone, more must be had than there is. */
  kept: {
    by: readonly Weakening[]
    /** Constraints and indexes, by the statements that drop them. */
    drop?: readonly string[]
    /** Statements behind which all wait for one another, with what they read. */
    at?: RegExp
    /** Why taking all that away shows nothing: what else holds it. */
    alsoBy?: string
  }
}

/** Where nobody waits: the guard is one statement, which holds the second caller anyway. */
export const nowhere = /(?!)/
export const firstLock = /for (?:no key )?update/
export const rows: Resource['kept']['by'] = noLocks
export const rowsAndVersions: Resource['kept']['by'] = [...noLocks, ...noVersions]

export const many = <T>(n: number, make: (i: number) => T): T[] => Array.from({ length: n }, (_, i) => make(i))

/** One after the other. */
export const inTurn = async <T, R>(items: readonly T[], make: (item: T) => Promise<R>): Promise<R[]> => {
  const made: R[] = []
  for (const item of items) made.push(await make(item))
  return made
}

/** Whether a call got what it wanted: a batch says so by its one row. */
export const won = ({ code, data }: Reply): boolean => {
  const lines = (data as { rows?: { code: number }[] } | null | undefined)?.rows
  return code === 0 && (lines === undefined || lines.every(line => line.code === 0))
}

export const countOf = async (fixture: Fixture, query: ReturnType<typeof sql>): Promise<number> =>
  (await fixture.one(sql<{ n: number }>`select count(*)::int as n from (${query}) counted`)).n
