import { setTimeout as pause } from 'node:timers/promises'
import { CamelCasePlugin, CompiledQuery, Kysely, PostgresDialect, type RawBuilder, type Transaction } from 'kysely'
import { eatDate } from '../../core/rules/time.ts'
import { faultPoint } from '../fault-point.ts'
import { AppendBuffer } from './append.ts'
import { type Catalog, readCatalog } from './catalog.ts'
import type { Clock } from './clock.ts'
import { type EngineOptions, openEngine } from './engine.ts'
import { isPassing, RowMissing, TransactionConflict } from './faults.ts'
import { jsonPlugin } from './json.ts'
import { readMigrations } from './migrate.ts'
import { namedPool } from './named-pool.ts'
import type { DB } from './types.gen.ts'

const retries = 3

/** One transaction, and the only way to the database while it is open. */
export type Tx = {
  /** Kysely on this transaction; names in camelCase, both ways. */
  k: Transaction<DB>
  /** The instant this transaction counts as, by the business clock. */
  now: Date
  /** Stands for the database it runs in: what a process keeps for a database is kept under it. */
  database: object
  /** The EAT business date of `now`. */
  today: string
  rows<T>(query: RawBuilder<T>): Promise<T[]>
  /** The first row; throws `RowMissing` when there is none. */
  one<T>(query: RawBuilder<T>): Promise<T>
  maybe<T>(query: RawBuilder<T>): Promise<T | undefined>
  /** Answers the number of affected rows. */
  exec(query: RawBuilder<unknown>): Promise<number>
  /** Adds a row that is written just before commit, many to a statement, tables in order of first use. */
  append(table: keyof DB & string, row: Record<string, unknown>): void
  /** Writes what was collected now, so that this transaction can read it. */
  flush(): Promise<void>
  /** Runs whenever what was collected has to be written: before commit, and before and after an attempt. */
  beforeCommit(fn: () => Promise<void>): void
  /** Runs after a successful commit, and only then. */
  afterCommit(fn: () => void): void
  /** Tells the listeners of this process that rows of a machine changed: after a successful commit, and once. */
  moved(machine: string): void
  /** Runs `fn` in a savepoint: when it throws, what it did is undone, and this transaction can go on. */
  attempt<T>(fn: (tx: Tx) => Promise<T>): Promise<T>
}

export type Database = {
  kind: 'pglite' | 'postgres'
  clock: Clock
  /**
   * Runs `fn` in one READ COMMITTED transaction. When it collides with another it is run again from the start, three
   * times at most, so `fn` must do nothing that a rollback does not undo; then it throws `TransactionConflict`.
   */
  withTx<T>(fn: (tx: Tx) => Promise<T>, options?: { now?: Date }): Promise<T>
  /** Runs `fn` on one connection that cannot write. Each statement sees what was committed when it began. */
  read<T>(fn: (tx: Tx) => Promise<T>): Promise<T>
  /** Hears of every machine whose rows were changed by a transaction of this process. Answers the way to stop. */
  onMoved(listener: (machine: string) => void): () => void
  ping(): Promise<void>
  close(): Promise<void>
}

export type DatabaseOptions = EngineOptions & {
  clock: Clock
  /** The directory of migrations, when it is not the product's. */
  migrations?: string
}

type Listener = (machine: string) => void

const makeTx = (
  k: Transaction<DB>,
  o: { now: Date; database: object; catalog: Catalog; tell: Listener },
): { tx: Tx; callbacks: (() => void)[] } => {
  const { now, database, catalog, tell } = o
  const appended = new AppendBuffer(catalog)
  const callbacks: (() => void)[] = []
  const hooks: (() => Promise<void>)[] = []
  const machines = new Set<string>()
  const command = (text: string) => k.executeQuery(CompiledQuery.raw(text))
  const rows = async <T>(query: RawBuilder<T>): Promise<T[]> => (await query.execute(k)).rows
  const tx: Tx = {
    k,
    now,
    database,
    today: eatDate(now),
    rows,
    async one(query) {
      const [first] = await rows(query)
      if (first === undefined) throw new RowMissing('the query answered no row')
      return first
    },
    async maybe(query) {
      return (await rows(query))[0]
    },
    async exec(query) {
      return Number((await query.execute(k)).numAffectedRows ?? 0)
    },
    append: (table, row) => appended.add(table, row),
    async flush() {
      for (const hook of hooks) await hook()
      await appended.flush(k)
    },
    beforeCommit: fn => void hooks.push(fn),
    afterCommit: fn => void callbacks.push(fn),
    moved(machine) {
      if (machines.has(machine)) return
      machines.add(machine)
      callbacks.push(() => tell(machine))
    },
    async attempt(fn) {
      await tx.flush()
      await command('savepoint attempt')
      const inner = makeTx(k, { now: this.now, database, catalog, tell })
      try {
        const value = await fn(inner.tx)
        await inner.tx.flush()
        await command('release savepoint attempt')
        callbacks.push(...inner.callbacks)
        return value
      } catch (error) {
        await command('rollback to savepoint attempt; release savepoint attempt')
        throw error
      }
    },
  }
  return { tx, callbacks }
}

/** Opens the database, migrated to this version. */
export const openDatabase = async (options: DatabaseOptions): Promise<Database> => {
  const engine = await openEngine(options, readMigrations(options.migrations))
  let catalog: Catalog = new Map()
  const k = new Kysely<DB>({
    dialect: new PostgresDialect({ pool: namedPool(engine.pool, engine.settings, engine.patienceMs) }),
    plugins: [new CamelCasePlugin({ maintainNestedObjectKeys: true }), jsonPlugin(() => catalog)],
  })
  catalog = await readCatalog(k)
  const { clock } = options
  const database = {}
  const listeners = new Set<Listener>()
  const tell = (machine: string) => {
    for (const listener of [...listeners]) listener(machine)
  }

  const once = async <T>(fn: (tx: Tx) => Promise<T>, now: Date): Promise<T> => {
    let callbacks: (() => void)[] = []
    const result = await k
      .transaction()
      .setIsolationLevel('read committed')
      .setAccessMode('read write')
      .execute(async transaction => {
        const made = makeTx(transaction, { now, database, catalog, tell })
        callbacks = made.callbacks
        const value = await fn(made.tx)
        await made.tx.flush()
        await faultPoint('before-commit')
        return value
      })
    await faultPoint('after-commit')
    for (const callback of callbacks) callback()
    return result
  }

  return {
    kind: engine.kind,
    clock,
    async withTx(fn, { now } = {}) {
      for (let round = 0; ; round++) {
        try {
          return await once(fn, now ?? clock.now())
        } catch (error) {
          if (!isPassing(error)) throw error
          if (round === retries) throw new TransactionConflict('the transaction met others too often', { cause: error })
          await pause(10 * 2 ** round * (0.5 + Math.random()))
        }
      }
    },
    read: fn =>
      k.connection().execute(connection => {
        const { tx } = makeTx(connection as Transaction<DB>, { now: clock.now(), database, catalog, tell })
        return fn({
          ...tx,
          append: refuseWrite,
          flush: () => Promise.resolve(),
          afterCommit: refuseWrite,
          moved: refuseWrite,
          attempt: refuseWrite,
        })
      }),
    onMoved(listener) {
      listeners.add(listener)
      return () => void listeners.delete(listener)
    },
    async ping() {
      await k.executeQuery(CompiledQuery.raw('select 1'))
    },
    close: () => engine.close(),
  }
}

const refuseWrite = (): never => {
  throw new Error('a reading connection cannot write')
}
