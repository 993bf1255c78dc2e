import { sql } from 'kysely'
import type { Config } from '../../core/contract/config.ts'
import { eatDateTime } from '../../core/rules/time.ts'
import { waitsUntil } from '../approval/visible.ts'
import type { Tx } from '../db/database.ts'
import { Fault, notFound } from '../http/fault.ts'
import type { Source } from '../lists/list.ts'
import type { Reader } from '../lists/listed.ts'
import { waitingFilter, waitingMaker } from './checked.ts'
import { type At, type ConfigHooks, type Item, partOf, snake } from './config-hooks.ts'
import { datedColumns, datedJoins } from './dated.ts'
import { updatedName } from './history.ts'

/** The column of an item's key, with the list's name of its table. */
const keyColumnOf = (config: Config) => sql.ref(`x.${snake(config.key)}`)

const sourceOf = (config: Config, given: ConfigHooks) => {
  const table = sql.table(config.table)
  const keyColumn = keyColumnOf(config)
  const noun = config.machine.table
  // What only the rules know is filled in once the rows are read.
  const unknown = Object.fromEntries((given.late?.columns ?? []).map(column => [column, sql`null`]))
  return (at: Reader): Source => {
    const own = given.source?.(at) ?? {}
    return {
      ...own,
      from: sql`${table} x`,
      alias: 'x',
      key: keyColumn,
      where: sql`(x.deleted_time is null and ${partOf(config, 'x')} and ${own.where ?? sql`true`})`,
      joins: {
        changer: sql`left join app_user changer on changer.user_no = x.updated_by`,
        ...datedJoins(config, keyColumn),
        ...own.joins,
      },
      columns: {
        updatedBy: updatedName,
        pendingApproval: config.waits ? waitingMaker(noun, keyColumn) : sql`null::text`,
        ...datedColumns(config),
        ...unknown,
        ...own.columns,
      },
      filters: {
        ...own.filters,
        ...(config.waits ? { waiting: waitingFilter(at, noun, keyColumn) } : {}),
      } as NonNullable<Source['filters']>,
    }
  }
}

const lockOf = (config: Config, source: (at: Reader) => Source) => {
  const table = sql.table(config.table)
  const keyColumn = keyColumnOf(config)
  const lock = async (at: At, no: string): Promise<Item> => {
    const { where } = source(at)
    const item = await at.tx.maybe(
      sql<Item>`select x.* from ${table} x where ${keyColumn} = ${no} and ${where} for update of x`,
    )
    if (!item) throw notFound()
    return item
  }

  const lockAny = (tx: Tx, no: string) =>
    tx.maybe(
      sql<Item>`select x.* from ${table} x where ${keyColumn} = ${no} and x.deleted_time is null and ${partOf(config, 'x')} for update of x`,
    )

  const seenNo = async (at: Reader, no: string) => {
    const found = await at.tx.maybe(sql`select 1 from ${table} x where ${keyColumn} = ${no} and ${source(at).where}`)
    if (!found) throw notFound()
    return no
  }
  return { lock, lockAny, seenNo }
}

/** How the items of a config are read and locked. */
export const itemStore = (config: Config, given: ConfigHooks) => {
  const source = sourceOf(config, given)
  const found = lockOf(config, source)
  const noun = config.machine.table
  const lockToChange = async (at: At, no: string, seen?: number): Promise<Item> => {
    const item = await found.lock(at, no)
    const refusal = given.mayChange?.(at, item)
    if (refusal) throw refusal
    if (config.waits && (await waitsUntil(at.tx, { objectType: noun, objectNo: no })))
      throw new Fault('stateConflict', 'errors.approvalWaits')
    if (seen === undefined || seen === item.version) return item
    const { by } = await at.tx.one(
      sql<{
        by: string
      }>`select coalesce(max(real_name), ${item.updatedBy}) as by from app_user where user_no = ${item.updatedBy}`,
    )
    const time = eatDateTime(item.updatedTime).slice(0, 16)
    throw new Fault('versionConflict', 'errors.configChanged', { name: by, time }, { version: item.version })
  }
  return { ...found, source, lockToChange }
}
/** Reads and locks the items of one config within the data rule. */
export type ItemStore = ReturnType<typeof itemStore>
