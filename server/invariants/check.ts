import type { RawBuilder } from 'kysely'

/** A statement that answers the rows that break a rule: none, when all is well. */
export type Invariant = { name: string; rule: string; broken: RawBuilder<unknown> }

export const invariant = (name: string, rule: string, broken: RawBuilder<unknown>): Invariant => ({
  name,
  rule,
  broken,
})
