import { type RawBuilder, sql } from 'kysely'
import type { Config, Use } from '../../core/contract/config.ts'
import type { Key } from '../../core/i18n/index.ts'
import type { Tx } from '../db/database.ts'
import { json } from '../db/json.ts'
import { Fault } from '../http/fault.ts'
import type { Call } from '../http/serve.ts'
import type { Source } from '../lists/list.ts'
import type { Listed, Reader } from '../lists/listed.ts'
import type { Actor } from '../rights/actor.ts'
import type { VersionHooks } from './version-store.ts'

/** Fields of an item by name, in camelCase. */
export type Values = Record<string, unknown>
/** An item as it is stored, locked. */
export type Item = Values & { version: number; enabled: string; updatedBy: string; updatedTime: string }
/** What a hook is given of a staff call. */
export type At = Pick<Call, 'tx' | 'session' | 'actor'>
/** The same where no session is at hand: jobs and approvals. */
export type Acting = Pick<Call, 'tx' | 'actor'>

/** What the noun of a config adds to what all of them do. */
export type ConfigHooks = {
  /** Begins the keys of new items. */
  prefix: string
  /** What the list reads besides the table, which is `x`: joins, columns, filters of its own, and who sees which items. */
  source?: (at: Reader) => Partial<Pick<Source, 'joins' | 'columns' | 'filters' | 'where' | 'order'>>
  /** Columns that only the rules know. */
  late?: NonNullable<Listed['late']>
  /** Whether the caller may change an item, new ones among them; a refusal says why not. */
  mayChange?: (at: At, values: Values) => Fault | null
  /** The items that a call makes: one of its form, unless said otherwise. What is there already is left out, and counted. */
  made?: (call: Call<Values>, form: Values) => Promise<{ rows: readonly Values[]; existing: number }>
  /** Refuses what the form alone cannot tell. `before` is the item, null for a new one. */
  check?: (call: Call<Values>, form: Values, before: Item | null) => Promise<void>
  /** Columns that follow from others. */
  derived?: (values: Values) => Values
  /** Whether a new item is in force at once. */
  startsEnabled?: (call: Call<Values>, values: Values) => boolean
  /** What follows when an item was made by hand. */
  added?: (at: At, no: string) => Promise<void>
  /** Refuses to enable or disable an item; of a checked one before a second person is asked, and again when they agree. */
  switches?: (tx: Tx, item: Item, to: 'enabled' | 'disabled') => Promise<void>
  /** What follows when an item was enabled or disabled. */
  turned?: (tx: Tx, item: Item, to: 'enabled' | 'disabled', actor: Actor) => Promise<void>
  /** The records that name these items. */
  uses?: (tx: Tx, keys: readonly string[]) => Promise<readonly (Use & { key: string })[]>
  /** What shows an item and does not keep it from being deleted: listed behind its uses. */
  shows?: (at: Reader, key: string) => Promise<readonly Use[]>
  /** Of a checked config: whether a change, or enabling or disabling, needs the second person; all do, unless said otherwise. */
  needsChecker?: (item: Item, change: { form: Values } | { to: 'enabled' | 'disabled' }) => boolean
  /** Why an item is neither disabled nor deleted. */
  fixed?: (item: Values) => Fault | null
  /** The field that says that an item is there already, and in which words. */
  unique: string
  exists?: Key
  /** Of a config with dated versions. */
  versions?: VersionHooks
}

const isPlain = (value: unknown): boolean => typeof value === 'object' && value !== null && !(value instanceof Date)
/** A value as its column takes it: lists of words are arrays, everything else with parts is JSON. */
const stored = (value: unknown): unknown => {
  if (value === undefined) return null
  return (Array.isArray(value) ? value.some(isPlain) : isPlain(value)) ? json(value) : value
}
/** Values as their columns take them. */
export const storedAll = (values: Values): Values =>
  Object.fromEntries(Object.entries(values).map(([name, value]) => [name, stored(value)]))
/** The column of a field. */
export const snake = (name: string) => name.replace(/[A-Z]/g, letter => `_${letter.toLowerCase()}`)
/** Of a table that holds the items of several configs: whether a row is one of this one; `alias` is the table. */
export const partOf = ({ part }: Pick<Config, 'part'>, alias: string): RawBuilder<unknown> =>
  part ? sql`${sql.ref(`${alias}.${part.column}`)} = ${part.value}` : sql`true`
/** These values of an item; what it lacks is null. */
export const picked = (values: Values, names: readonly string[]): Values =>
  Object.fromEntries(names.map(name => [name, values[name] ?? null]))

/** Why an item that others name is not deleted. */
export const usedFault = (uses: readonly Use[]) =>
  new Fault('stateConflict', 'errors.configUsed', {
    n: uses.length,
    names: uses
      .slice(0, 5)
      .map(({ name }) => name)
      .join(', '),
  })
