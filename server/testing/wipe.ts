import { sql } from 'kysely'
import { snakeOf } from '../db/append.ts'
import type { Tx } from '../db/database.ts'
import type { DB } from '../db/types.gen.ts'
import { machineTables } from '../invariants/machine-tables.ts'

/** Where orders, their money, and what people did about them are kept. */
export const ordersAndMoney = [
  ...(['journal', 'journalLine', 'ledgerBalance', 'stateTransition', 'auditLog', 'job', 'inboundEvent'] as const),
  ...(['reconItem', 'gatewayAttempt', 'loanCodeConfirm', 'loanOrder', 'customer', 'repayFlow'] as const),
  ...(['approval', 'staffMessage', 'upload'] as const),
]

/** By database: how often it was wiped, and the tables that go with those that were named. */
const known = new WeakMap<object, { wipes: number; below: Map<string, string[]> }>()
/** Deleting leaves rows behind that nobody sees; after this many times the files are recreated. */
const renewEvery = 100

/** Tables and all that refer to them, however far away. */
const withReferring = async (tx: Tx, names: string[]): Promise<string[]> => {
  const rows = await tx.rows(sql<{ name: string }>`
    with recursive reached (oid) as (
      select name::regclass::oid from unnest(${names}::text[]) name
      union select f.conrelid from pg_constraint f join reached on f.confrelid = reached.oid where f.contype = 'f')
    select relname as name from reached join pg_class using (oid)`)
  const found = rows.map(row => row.name)
  // The use of a limit is a sum over what payouts took of it.
  return found.includes('merchant_loan_take') ? [...found, 'merchant_loan_usage'] : found
}

/** Transitions go with their records; those of records that stay, such as the people of a kit, stay. */
const historyOf = (emptied: readonly string[], all: boolean) => {
  const gone = machineTables.filter(m => emptied.includes(m.table)).map(m => m.id)
  const kept = machineTables.filter(m => !emptied.includes(m.table)).map(m => m.id)
  return all
    ? sql`delete from state_transition where machine <> all(${kept})`
    : sql`delete from state_transition where machine = any(${gone})`
}

/**
 * Empties tables between tests, and what refers to them; history too, which only a superuser can, with the triggers off.
 * Rows are deleted, because that takes a twentieth of the time of truncating small tables.
 */
export const wipe = async (tx: Tx, ...tables: (keyof DB)[]): Promise<void> => {
  const names = tables.map(name => snakeOf(name))
  const at = known.get(tx.database) ?? { wipes: 0, below: new Map<string, string[]>() }
  known.set(tx.database, at)
  const key = names.join(' ')
  const below = at.below.get(key) ?? (await withReferring(tx, names))
  at.below.set(key, below)
  const whole = below.filter(name => name !== 'state_transition')
  const emptied =
    ++at.wipes % renewEvery === 0
      ? [sql`truncate ${sql.join(whole.map(name => sql.table(name)))}`]
      : whole.map(name => sql`delete from ${sql.table(name)}`)
  emptied.push(historyOf(whole, whole.length < below.length))
  await tx.exec(sql`set local session_replication_role = replica`)
  await Promise.all(emptied.map(statement => tx.exec(statement)))
  await tx.exec(sql`set local session_replication_role = origin`)
}
