import { type RawBuilder, sql } from 'kysely'
import { maxHistory, type Version } from '../../core/contract/config.ts'
import type { Machine } from '../../core/rules/machines/machine.ts'
import type { Tx } from '../db/database.ts'
import type { Actor } from '../rights/actor.ts'

type Values = Readonly<Record<string, unknown>>

const textOf = (value: unknown): string | null =>
  value === undefined || value === null ? null : JSON.stringify(value instanceof Date ? value.toISOString() : value)

/** The same content gives the same text, in whatever order the database keeps its keys. */
const canonical = (value: unknown): string | null =>
  textOf(value) &&
  JSON.stringify(JSON.parse(textOf(value) as string), (_, inner: unknown) =>
    inner && typeof inner === 'object' && !Array.isArray(inner)
      ? Object.fromEntries(Object.entries(inner).sort(([a], [b]) => (a < b ? -1 : 1)))
      : inner,
  )

/** Whether a value of an item is the same as before. */
export const isSame = (before: unknown, after: unknown): boolean => canonical(before) === canonical(after)

/** What differs between two states of an item, field by field, in the order of the names. */
export const changesOf = (names: readonly string[], before: Values | null, after: Values | null): Version['changes'] =>
  names
    .filter(field => !isSame(before?.[field], after?.[field]))
    .map(field => ({ field, before: textOf(before?.[field]), after: textOf(after?.[field]) }))

/** Notes a change of an item in its history. */
export const noteChange = (
  tx: Tx,
  m: Machine,
  of: { objectNo: string; version: number; event: string; changes: Version['changes'] },
  actor: Actor,
): void =>
  tx.append('configHistory', {
    machine: m.id,
    ...of,
    changedBy: actor.no,
    changedName: actor.name,
    changedTime: tx.now,
  })

/** The newest changes of an item, the newest first. */
export const historyOf = (tx: Tx, m: Machine, objectNo: string): Promise<Version[]> =>
  tx.rows(sql<Version>`
    select version, event, changed_name as changed_by, changed_time, changes from config_history
    where machine = ${m.id} and object_no = ${objectNo} order by history_no desc limit ${maxHistory}`)

/** The name of the person who changed an item last; `x` is its table. */
export const updatedName: RawBuilder<unknown> = sql`coalesce(changer.real_name, x.updated_by)`
