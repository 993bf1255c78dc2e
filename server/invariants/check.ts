import type { RawBuilder } from 'kysely'

/** A statement that answers the rows that break a rule: none, when all is well. */
export type Invariant = { name: string; rule: string; broken: RawBuilder<unknown> }

/** A rule that some rows break. */
export type Broken = { name: string; rule: string; rows: Record<string, unknown>[] }

/** Declares a rule. `broken` selects the rows that break it: none when all is well. */
export const invariant = (name: string, rule: string, broken: RawBuilder<unknown>): Invariant => ({
  name,
  rule,
  broken,
})
