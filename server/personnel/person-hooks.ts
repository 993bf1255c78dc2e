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
    columns?: Readonly<Record<string, Frag>>
    filters?: Readonly<Record<string, (value: never) => Frag | null>>
  }
  /** Refuses what the form alone cannot tell. */
  check?: (call: Call<Values>, values: Values, before: PersonRecord) => Promise<void>
  /** Columns of a new record besides its defaults. */
  begins?: Values
  /** Takes the work of somebody who no longer belongs here back. */
  goes?: (tx: Tx, userNo: string, actor: Actor) => Promise<unknown>
}
