import type { RawBuilder } from 'kysely'
import type { Tx } from '../db/database.ts'
import type { Call } from '../http/serve.ts'
import type { Reader } from '../lists/listed.ts'
import type { Actor } from '../rights/actor.ts'
import type { PersonRecord } from './person-store.ts'

type Frag = RawBuilder<unknown>
export type Values = Record<string, unknown>

/** What the personnel of one post adds to what all of them do; its record is `x`, the account `u`. */
export type PersonHooks = {
  /** A number: work in hand. */
  openCount: Frag
  /** What says whether somebody is on duty, where the post lets a supervisor say so. */
  shiftOverride?: Frag
  /** Columns, filters and orders of its own. */
  source?: (at: Reader) => {
    joins?: Readonly<Record<string, Frag>>
    columns?: Readonly<Record<string, Frag>>
    order?: Readonly<Record<string, Frag>>
    filters?: Readonly<Record<string, (value: never) => Frag | null>>
  }
  /** Refuses what the form alone cannot tell. */
  check?: (call: Call<Values>, values: Values, before: PersonRecord) => Promise<void>
  /** Columns of a new record besides its defaults. */
  begins?: Values
  /** What the people of the form have that does not stand in their record. */
  apart?: {
    fields: readonly string[]
    read: (tx: Tx, userNo: string) => Promise<Values>
    /** Writes what has changed. */
    write: (call: Call<Values>, values: Values, before: PersonRecord) => Promise<void>
  }
  /** What a change of several people comes to for one of them. */
  each?: (change: Values, before: PersonRecord) => Values
  /** What somebody hands over as they go: the names of it, and of who takes it. */
  handsOver?: { names: Frag; heirName: Frag }
  /** Takes the work of somebody who no longer belongs here back. */
  goes?: (tx: Tx, userNo: string, actor: Actor) => Promise<unknown>
}
