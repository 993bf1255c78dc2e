import { sql } from 'kysely'
import type { Config } from '../../core/contract/config.ts'
import type { VersionRow, versionCalls } from '../../core/contract/config-versions.ts'
import type { Machine } from '../../core/rules/machines/machine.ts'
import type { Tx } from '../db/database.ts'
import { violatedConstraint } from '../db/faults.ts'
import { Fault, notFound } from '../http/fault.ts'
import type { Call } from '../http/serve.ts'
import type { Reader } from '../lists/listed.ts'
import type { Actor } from '../rights/actor.ts'

/** Fields by name, in camelCase. */
export type Values = Record<string, unknown>
/** The calls of dated versions. */
export type Calls = ReturnType<typeof versionCalls>['calls']
/** The item that versions belong to, locked. */
export type Item = Values & { version: number }
/** A version as it is stored. */
export type Stored = Omit<VersionRow, 'blockedBy'> & { makerNo: string; checkerNo: string | null }
type At = Pick<Call, 'tx' | 'session' | 'actor'>

/** What the noun of a config adds to its dated versions. */
export type VersionHooks = {
  /** Begins the keys of versions. */
  prefix: string
  /** Why a version may not take effect now: checked when it is submitted, approved and started. */
  holds?: (tx: Tx, at: { item: Item; content: Values }) => Promise<Fault | null>
  /** Why a draft may not be submitted, besides what keeps it from taking effect. */
  submits?: (tx: Tx, at: { item: Item; content: Values }) => Promise<Fault | null>
  /** Why content may not be kept as a draft, where the form alone cannot tell. */
  keeps?: (tx: Tx, at: { item: Item; content: Values }) => Promise<Fault | null>
  /** It begins with a business date; without a time of its own it begins when it is approved, and counts from the next one. */
  byDay?: true
  /** A code that the maker needs besides, and the second person with `:check`, for versions that `when` speaks of. */
  stricter?: { perm: string; when: (tx: Tx, at: { item: Item; content: Values }) => Promise<boolean> }
  /** What follows when a version is in force; the item and the version are locked. */
  started?: (tx: Tx, at: { item: Item; content: Values }) => Promise<void>
  /** The numbers of what a version would change. */
  effect: (tx: Tx, at: { item: Item; content: Values; inForce: Values | null }) => Promise<Values>
}

/** What the config list gives: how its items are read, locked and moved. */
type ItemAccess = {
  lock: (at: At, no: string) => Promise<Item>
  /** The same of work that nobody asks for in person; an item that was deleted is none. */
  lockAny: (tx: Tx, no: string) => Promise<Item | undefined>
  lockToChange: (at: At, no: string) => Promise<Item>
  seen: (at: Reader, no: string) => Promise<string>
  touch: (tx: Tx, item: Item, actor: Actor, by: Actor) => Promise<unknown>
  mayChange: (at: At, item: Values) => Fault | null
}

const snake = (name: string) => name.replace(/[A-Z]/g, letter => `_${letter.toLowerCase()}`)

const ofVersions = (config: Config) => ({
  machine: config.versionMachine as Machine,
  calls: config.calls as unknown as Calls,
  table: sql.table((config.versionMachine as Machine).table),
  itemColumn: sql.ref(snake(config.key)),
  fields: Object.keys(config.versions?.form ?? {}),
})

/** How the versions of a config are read and locked, and what of them every part needs. */
export const versionStore = (config: Config, given: VersionHooks) => {
  const { machine, calls, table, itemColumn, fields } = ofVersions(config)
  const contentOf = (values: Values): Values =>
    Object.fromEntries(fields.flatMap(field => (values[field] == null ? [] : [[field, values[field]]])))
  const ofItem = (tx: Tx, no: string, status: string) =>
    tx.maybe(sql<Stored>`select * from ${table} where ${itemColumn} = ${no} and version_status = ${status} for update`)
  const itemNoOf = async (tx: Tx, versionNo: string): Promise<string> => {
    const row = await tx.maybe(
      sql<{ no: string }>`select ${itemColumn} as no from ${table} where version_no = ${versionNo}`,
    )
    if (!row) throw notFound()
    return row.no
  }
  /** The item first, then its version: concurrent changes of either wait here. */
  const lockBoth = async (tx: Tx, versionNo: string, lock: (no: string) => Promise<Item>) => {
    const item = await lock(await itemNoOf(tx, versionNo))
    const row = await tx.one(sql<Stored>`select * from ${table} where version_no = ${versionNo} for update`)
    return { item, row }
  }
  const once = async <T>(run: () => Promise<T>): Promise<T> => {
    try {
      return await run()
    } catch (error) {
      const broken = violatedConstraint(error)
      if (broken === `${machine.table}_open`) throw new Fault('stateConflict', 'errors.versionOpen')
      if (broken === `${machine.table}_scheduled`) throw new Fault('stateConflict', 'errors.versionScheduled')
      throw error
    }
  }
  const checkHolds = async (tx: Tx, item: Item, content: Values) => {
    const fault = (await given.holds?.(tx, { item, content })) ?? null
    if (fault) throw fault
  }
  return { machine, calls, table, itemColumn, fields, contentOf, ofItem, itemNoOf, lockBoth, once, checkHolds }
}

/** What the handlers of versions work with. */
export type VersionParts = {
  config: Config
  given: VersionHooks
  items: ItemAccess
  store: ReturnType<typeof versionStore>
}
