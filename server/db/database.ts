import { setTimeout as pause } from 'node:timers/promises'
import {
  CamelCasePlugin,
  type Compilable,
  CompiledQuery,
  type DatabaseConnection,
  Kysely,
  PostgresDialect,
  type RawBuilder,
  type Transaction,
} from 'kysely'
import { eatDate } from '../../core/rules/time.ts'
import { faultPoint } from '../fault-point.ts'
import { AppendBuffer } from './append.ts'
import { type Catalog, readCatalog } from './catalog.ts'
import type { Clock } from './clock.ts'
import { compiled, type Statement } from './compile.ts'
import { type EngineOptions, openEngine } from './engine.ts'
import { isPassing, RowMissing, TransactionConflict } from './faults.ts'
import { insideTransaction, outsideTransaction } from './in-transaction.ts'
import { jsonPlugin } from './json.ts'
import { readMigrations } from './migrate.ts'
import { namedPool } from './named-pool.ts'
import type { DB } from './types.gen.ts'

const retries = 3

/** A database as this process knows it: the number of its transactions that have changed something. */
export type Known = { writes: number }

/** One transaction, and the only way to the database while it is open. */
export type Tx = {
  /** Kysely on this transaction; names in camelCase, both ways. */
  k: Transaction<DB>
  /** The instant this transaction counts as, by the business clock. */
  now: Date
  /** Identifies the database: caches of a process are keyed by it. */
  database: Known
  /** The EAT business date of `now`. */
  today: string
  /** All rows. Statements that are not awaited one by one are pipelined; the database runs them in the order of the calls. */
  rows<T>(query: RawBuilder<T>): Promise<T[]>
  /** The first row; throws `RowMissing` when there is none. */
  one<T>(query: RawBuilder<T>): Promise<T>
  maybe<T>(query: RawBuilder<T>): Promise<T | undefined>
  /** Answers the number of affected rows. */
  exec(query: RawBuilder<unknown> | Compilable): Promise<number>
  /** Queues a row for insertion just before commit: many rows per statement, tables in order of first use. */
  append(table: keyof DB & string, row: Record<string, unknown>): void
  /** Inserts the queued rows now, so that this transaction can read them. */
  flush(): Promise<void>
  /** Runs together with the queued inserts: before commit, and before and after a savepoint. */
  beforeCommit(fn: () => Promise<void>): void
  /** Runs after a successful commit, and only then. */
  afterCommit(fn: () => void): void
  /** Tells the listeners of this process that rows of a machine changed: after a successful commit, and once. */
  moved(machine: string): void
  /** Runs `fn` in a savepoint: when it throws, what it did is undone, and this transaction can go on. */
  attempt<T>(fn: (tx: Tx) => Promise<T>): Promise<T>
}

/** The database of a process. Everything that reads or writes goes through `withTx` or `read`. */
export type Database = {
  kind: 'pglite' | 'postgres'
  clock: Clock
  /**
   * Runs `fn` in one READ COMMITTED transaction. When it collides with another it is run again from the start, three
   * times at most, so `fn` must do nothing that a rollback does not undo; then it throws `TransactionConflict`.
   */
  withTx<T>(fn: (tx: Tx) => Promise<T>, options?: { now?: Date }): Promise<T>
  /**
   * Runs `fn` on one connection that cannot write. Each statement sees what was committed when it began. Rows that it appends,
   * such as the note that something was looked at, are written in a transaction of their own before the answer goes out.
   */
  read<T>(fn: (tx: Tx) => Promise<T>): Promise<T>
  /** Calls the listener with each machine whose rows a transaction of this process changed. @returns what ends it */
  onMoved(listener: (machine: string) => void): () => void
  ping(): Promise<void>
  close(): Promise<void>
}

/** How a database is opened: the engine's options, and where business time comes from. */
export type DatabaseOptions = EngineOptions & {
  clock: Clock
  /** The directory of migrations, when it is not the product's. */
  migrations?: string
}

type Listener = (machine: string) => void

/** The names of Kysely's results for rows that come to us without it. */
class Names extends CamelCasePlugin {
  /** All rows of an answer have the columns of the first. */
  rowsOf<T>(rows: readonly unknown[]): T[] {
    const [first] = rows as readonly Record<string, unknown>[]
    if (!first) return []
    const columns = Object.keys(first)
    const named = columns.map(column => this.camelCase(column))
    return rows.map(row => {
      const renamed: Record<string, unknown> = {}
      for (let at = 0; at < columns.length; at++)
        renamed[named[at] as string] = (row as Record<string, unknown>)[columns[at] as string]
      return renamed as T
    })
  }

  readonly snake = (name: string): string => this.snakeCase(name)
}
const names = new Names({ maintainNestedObjectKeys: true })

/** A statement that is not run: its text and its values. */
export const statementOf = (tx: Tx, query: RawBuilder<unknown>): Statement =>
  compiled(query, names.snake) ?? (query.compile(tx.k) as unknown as Statement)

/** A statement as the connection takes it. */
const compiledFor = <T>(k: Kysely<DB>, query: RawBuilder<T>): CompiledQuery<T> => {
  const own = compiled(query, names.snake)
  return own ? (CompiledQuery.raw(own.sql, own.parameters) as CompiledQuery<T>) : query.compile(k)
}

const isTemplate = (query: RawBuilder<unknown> | Compilable): query is RawBuilder<unknown> => 'isRawBuilder' in query

/** The connection of a handle; valid as long as the handle. */
const connectionOf = async (k: Kysely<DB>): Promise<DatabaseConnection> =>
  k.getExecutor().provideConnection(async connection => connection)

type Given = { now: Date; database: Known; catalog: Catalog; tell: Listener; connection: DatabaseConnection }

/** A statement that returns rows and may still write. */
const writesToo = /^\s*with\b[\s\S]*\b(insert|update|delete|merge)\b/i

type Made = { tx: Tx; callbacks: (() => void)[]; wrote: () => boolean; end: () => void }

type Outer = {
  tx: Tx
  command: (text: string) => Promise<unknown>
  inner: () => Made
  /** What the part that succeeded leaves to the whole. */
  took: (made: Made) => void
}

/** Runs a part of a transaction that may fail by itself. */
const attempted = async <T>({ tx, command, inner: make, took }: Outer, fn: (tx: Tx) => Promise<T>): Promise<T> => {
  await tx.flush()
  await command('savepoint attempt')
  const inner = make()
  try {
    const value = await fn(inner.tx)
    await inner.tx.flush()
    await command('release savepoint attempt')
    took(inner)
    return value
  } catch (error) {
    await command('rollback to savepoint attempt; release savepoint attempt')
    throw error
  } finally {
    inner.end()
  }
}

const makeTx = (k: Transaction<DB>, o: Given): Made => {
  const { now, database, catalog, tell, connection } = o
  const appended = new AppendBuffer(catalog)
  const callbacks: (() => void)[] = []
  const hooks: (() => Promise<void>)[] = []
  const machines = new Set<string>()
  let ended = false
  let wrote = false
  const send = async <T>(query: CompiledQuery<T>) => {
    if (ended) throw new Error('the transaction is over')
    const result = await connection.executeQuery<T>(query)
    wrote ||= (result.numAffectedRows ?? 0n) > 0n || (result.rows.length > 0 && writesToo.test(query.sql))
    return result
  }
  const command = (text: string) => send(CompiledQuery.raw(text))
  const rows = async <T>(query: RawBuilder<T>): Promise<T[]> => names.rowsOf((await send(compiledFor(k, query))).rows)
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
      return Number((await send(isTemplate(query) ? compiledFor(k, query) : query.compile())).numAffectedRows ?? 0)
    },
    append: (table, row) => appended.add(table, row),
    async flush() {
      await Promise.all([...hooks.map(hook => hook()), appended.flush({ executeQuery: send })])
    },
    beforeCommit: fn => void hooks.push(fn),
    afterCommit: fn => void callbacks.push(fn),
    moved(machine) {
      if (machines.has(machine)) return
      machines.add(machine)
      callbacks.push(() => tell(machine))
    },
    attempt(fn) {
      const inner = () => makeTx(k, { ...o, now: this.now })
      const took = (made: Made) => {
        callbacks.push(...made.callbacks)
        wrote ||= made.wrote()
      }
      return attempted({ tx, command, inner, took }, fn)
    },
  }
  const end = () => {
    ended = true
  }
  return { tx, callbacks, wrote: () => wrote, end }
}

type Around = Pick<Given, 'database' | 'catalog' | 'tell'> & Pick<DatabaseOptions, 'clock'>

/** One transaction, or one reading without any. */
const running = (k: Kysely<DB>, { clock, database, catalog, tell }: Around) => {
  const once = async <T>(fn: (tx: Tx) => Promise<T>, now: Date): Promise<T> => {
    let made: Made | undefined
    const result = await k
      .transaction()
      .setIsolationLevel('read committed')
      .setAccessMode('read write')
      .execute(async transaction => {
        const connection = await connectionOf(transaction)
        const one = makeTx(transaction, { now, database, catalog, tell, connection })
        made = one
        try {
          const value = await fn(one.tx)
          await one.tx.flush()
          await faultPoint('before-commit')
          return value
        } finally {
          one.end()
        }
      })
    if (made?.wrote()) database.writes += 1
    await faultPoint('after-commit')
    outsideTransaction(() => {
      for (const callback of made?.callbacks ?? []) callback()
    })
    return result
  }

  const reading = <T>(fn: (made: Made) => Promise<T>): Promise<T> =>
    k.connection().execute(async handle => {
      const connection = await connectionOf(handle)
      const made = makeTx(handle as Transaction<DB>, { now: clock.now(), database, catalog, tell, connection })
      try {
        return await insideTransaction(() => fn(made))
      } finally {
        made.end()
      }
    })

  return { once, reading }
}

/** Opens the database, migrated to this version. */
export const openDatabase = async (options: DatabaseOptions): Promise<Database> => {
  const engine = await openEngine(options, readMigrations(options.migrations))
  let catalog: Catalog = new Map()
  const k = new Kysely<DB>({
    dialect: new PostgresDialect({ pool: namedPool(engine.pool, engine.settings, engine.patienceMs) }),
    plugins: [names, jsonPlugin(() => catalog)],
  })
  catalog = await readCatalog(k)
  const { clock } = options
  const database: Known = { writes: 0 }
  const listeners = new Set<Listener>()
  const tell = (machine: string) => {
    for (const listener of [...listeners]) listener(machine)
  }

  const { once, reading } = running(k, { clock, database, catalog, tell })

  const opened: Database = {
    kind: engine.kind,
    clock,
    async withTx(fn, { now } = {}) {
      for (let round = 0; ; round++) {
        try {
          return await insideTransaction(() => once(fn, now ?? clock.now()))
        } catch (error) {
          if (!isPassing(error)) throw error
          if (round === retries) throw new TransactionConflict('the transaction met others too often', { cause: error })
          await pause(10 * 2 ** round * (0.5 + Math.random()))
        }
      }
    },
    async read(fn) {
      const notes: Parameters<Tx['append']>[] = []
      const value = await reading(made =>
        fn({
          ...made.tx,
          append: (...note) => void notes.push(note),
          flush: () => Promise.resolve(),
          afterCommit: refuseWrite,
          moved: refuseWrite,
          attempt: refuseWrite,
        }),
      )
      if (notes.length)
        await opened.withTx(async tx => {
          for (const note of notes) tx.append(...note)
        })
      return value
    },
    onMoved(listener) {
      listeners.add(listener)
      return () => void listeners.delete(listener)
    },
    async ping() {
      await k.executeQuery(CompiledQuery.raw('select 1'))
    },
    close: () => engine.close(),
  }
  return opened
}

const refuseWrite = (): never => {
  throw new Error('a reading connection cannot write')
}
