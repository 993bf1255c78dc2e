import { sql } from 'kysely'
import { absent, can, type Machine, type Row, rowsOf, targetOf } from '../../core/rules/machines/machine.ts'
import { type MachineName, machineOf } from '../../core/rules/machines/machines.ts'
import type { Tx } from '../db/database.ts'
import { json } from '../db/json.ts'
import { Fault, stateConflict } from '../http/fault.ts'
import type { Actor } from '../rights/actor.ts'

const camel = (name: string) => name.replace(/_([a-z])/g, (_, letter: string) => letter.toUpperCase())
const snake = (name: string) => name.replace(/[A-Z]/g, letter => `_${letter.toLowerCase()}`)

/** The event that changes a state, with what changes together with it. */
export type Move = {
  event: string
  /** Which row of the event applies, where its guard chooses between several. */
  as?: string
  /** The remembered state that a `=field` target leads to. */
  to?: string
  /** Columns that change with the state, in camelCase. */
  set?: Record<string, unknown>
  payload?: Record<string, unknown>
}

const choose = (m: Machine, from: string, { event, as }: Move): Row => {
  const rows = rowsOf(m, from, event).filter(row => !row.refused && (row.as === undefined || row.as === as))
  if (rows.length === 1) return rows[0] as Row
  if (rows.length === 0) throw stateConflict(from, m.dict)
  throw new Error(`${m.id} ${from} ${event}: ${rows.length} rows, name one of ${rows.map(row => row.as).join(', ')}`)
}

/**
 * Refuses with 40901 and the present state what a machine has no row for, before anything else is looked at. Of several events one has to
 * be possible.
 */
export const requireEvent = (of: MachineName | Machine, status: string, ...events: string[]): void => {
  const m = machineOf(of)
  if (!events.some(event => can(m, status, event))) throw stateConflict(status, m.dict)
}

const note = (tx: Tx, m: Machine, objectNo: string, from: string, to: string, actor: Actor, move: Move) =>
  tx.append('stateTransition', {
    machine: m.id,
    objectNo,
    event: move.event,
    fromState: from,
    toState: to,
    actor: actor.no,
    requestId: actor.requestId,
    at: tx.now,
    payload: move.payload ?? null,
  })

/**
 * The one way to change a state. `row` is the locked row as read in this transaction (camelCase, with key, status and `version`).
 * Refuses an event that has no row for the state with 40901 and the present state; answers the row as it is now.
 */
export const transition = async <R extends { version: number }>(
  tx: Tx,
  of: MachineName | Machine,
  row: R,
  move: Move,
  actor: Actor,
): Promise<R> => {
  const m = machineOf(of)
  const held = row as unknown as Record<string, unknown>
  const [key, status] = [camel(m.key), camel(m.status)]
  const from = String(held[status])
  const to = targetOf(choose(m, from, move), from, move.to)
  if (!(to in m.states)) throw new Error(`${m.id} has no state ${to}`)
  const columns = Object.entries(move.set ?? {}).map(([column, value]) => sql`${sql.ref(snake(column))} = ${value}`)
  const changed = await tx.exec(sql`
    update ${sql.table(m.table)}
    set ${sql.ref(m.status)} = ${to === from ? sql`${to}` : sql`case when set_config('app.transition', 'on', true) = 'on' then ${to} end`}, version = version + 1
      ${columns.length ? sql`, ${sql.join(columns)}` : sql``}
    where ${sql.ref(m.key)} = ${held[key]} and ${sql.ref(m.status)} = ${from} and version = ${row.version}`)
  if (changed !== 1) throw new Fault('versionConflict', 'errors.recordChanged')
  note(tx, m, String(held[key]), from, to, actor, move)
  tx.moved(typeof of === 'string' ? of : m.name)
  return { ...row, ...move.set, [status]: to, version: row.version + 1 }
}

/**
 * {@link transition} of many locked rows by one event, in one statement. They are in one state, and each sets the same columns.
 * @throws {Fault} 40901 when the machine has no row for the state, 40902 when one of them is not as it was read
 */
export const transitionAll = async <R extends { version: number }>(
  tx: Tx,
  of: MachineName | Machine,
  moves: readonly { row: R; move: Move }[],
  actor: Actor,
): Promise<R[]> => {
  const [first] = moves
  if (!first) return []
  const m = machineOf(of)
  const [key, status] = [camel(m.key), camel(m.status)]
  const held = moves.map(({ row }) => row as unknown as Record<string, unknown>)
  const from = String(held[0]?.[status])
  const to = targetOf(choose(m, from, first.move), from, first.move.to)
  const set = Object.keys(first.move.set ?? {})
  const rows = moves.map(({ move }, at) => ({
    [m.key]: held[at]?.[key],
    version: held[at]?.version,
    ...Object.fromEntries(set.map(column => [snake(column), move.set?.[column]])),
  }))
  const columns = set.map(column => sql`${sql.ref(snake(column))} = x.${sql.ref(snake(column))}`)
  const changed = await tx.exec(sql`
    update ${sql.table(m.table)} t
    set ${sql.ref(m.status)} = case when set_config('app.transition', 'on', true) = 'on' then ${to} end, version = t.version + 1
      ${columns.length ? sql`, ${sql.join(columns)}` : sql``}
    from jsonb_populate_recordset(null::${sql.table(m.table)}, ${json(rows)}) x
    where t.${sql.ref(m.key)} = x.${sql.ref(m.key)} and t.${sql.ref(m.status)} = ${from} and t.version = x.version`)
  if (changed !== moves.length) throw new Fault('versionConflict', 'errors.recordChanged')
  for (const { row, move } of moves) {
    const no = String((row as unknown as Record<string, unknown>)[key])
    note(tx, m, no, from, to, actor, { ...move, event: first.move.event })
  }
  tx.moved(typeof of === 'string' ? of : m.name)
  return moves.map(({ row, move }) => ({ ...row, ...move.set, [status]: to, version: row.version + 1 }))
}

type Begin = readonly [of: MachineName | Machine, move: Pick<Move, 'event' | 'as' | 'payload'>]

/** Writes the first row of several machines that share a table: each status is the target of its creating event. */
export const begin = async (
  tx: Tx,
  machines: readonly [Begin, ...Begin[]],
  values: Record<string, unknown>,
  actor: Actor,
): Promise<void> => {
  const begun = machines.map(([of, move]) => {
    const m = machineOf(of)
    return { of, m, move, to: targetOf(choose(m, absent, move), absent) }
  })
  const row = { ...values, ...Object.fromEntries(begun.map(({ m, to }) => [camel(m.status), to])) }
  const columns = Object.keys(row).map(column => sql.ref(snake(column)))
  const [{ m: first }] = begun as [(typeof begun)[number]]
  await tx.exec(
    sql`insert into ${sql.table(first.table)} (${sql.join(columns)}) values (${sql.join(Object.values(row))})`,
  )
  for (const { of, m, move, to } of begun) {
    note(tx, m, String(row[camel(m.key)]), absent, to, actor, move)
    tx.moved(typeof of === 'string' ? of : m.name)
  }
}

/** Inserts the first rows of one machine by one event, many in one statement. @throws {Fault} 40901 when no row of the machine creates by this event */
export const createAll = (
  tx: Tx,
  of: MachineName | Machine,
  made: readonly { values: Record<string, unknown>; payload?: Record<string, unknown> }[],
  event: string,
  actor: Actor,
): void => {
  const m = machineOf(of)
  const to = targetOf(choose(m, absent, { event }), absent)
  const table = camel(m.table) as Parameters<Tx['append']>[0]
  for (const { values, payload } of made) {
    tx.append(table, { ...values, [camel(m.status)]: to })
    note(tx, m, String(values[camel(m.key)]), absent, to, actor, { event, payload })
  }
  if (made.length) tx.moved(typeof of === 'string' ? of : m.name)
}

/** Inserts the first row of one machine: {@link begin} with one. @throws {Fault} 40901 when no row of the machine creates by this event */
export const create = (
  tx: Tx,
  of: MachineName | Machine,
  values: Record<string, unknown>,
  move: Pick<Move, 'event' | 'as' | 'payload'>,
  actor: Actor,
): Promise<void> => begin(tx, [[of, move]], values, actor)
