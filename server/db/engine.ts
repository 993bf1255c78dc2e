import crypto from 'node:crypto'
import fs from 'node:fs'
import { createRequire } from 'node:module'
import path from 'node:path'
import pg from 'pg'
import { DirectoryInUse, lockDirectory } from './lock.ts'
import { type Migration, migrate } from './migrate.ts'
import { openDurablePool, openFastPool, openMemoryPool } from './pglite-pool.ts'
import { migrateAsOwner } from './roles.ts'
import { databaseTypes } from './types.ts'

/** A pool of connections to PostgreSQL or to the embedded PGlite, with what differs between the two. */
export type Engine = {
  kind: 'pglite' | 'postgres'
  pool: pg.Pool
  /** Statements for every new connection that transactions and reads use. */
  settings: string
  /** How long an answer may take: longer than the server itself lets a statement run. The embedded one has a watchdog of its own. */
  patienceMs?: number
  close(): Promise<void>
}
type Opened = Pick<Engine, 'pool' | 'close'>

/** Which engine is opened, and how; `url` chooses PostgreSQL. */
export type EngineOptions = {
  /** A PostgreSQL to connect to; without it the embedded one is used. */
  url?: string
  /** The same database as its owner: migrates, and leaves the role of `url` no right to change history. */
  ownerUrl?: string
  dataDir?: string
  /** Keeps everything in memory: tests and generators. */
  memory?: boolean
  /** `false` fills a new directory without waiting for the disk and syncs all of it on close. */
  durable?: boolean
  poolSize?: number
  connectionTimeoutMs?: number
  statementTimeoutMs?: number
  lockTimeoutMs?: number
}

type Limits = Required<Pick<EngineOptions, 'poolSize' | 'connectionTimeoutMs' | 'statementTimeoutMs' | 'lockTimeoutMs'>>

const oldestServer = 150_000

/** What holds on every connection. Only `withTx` writes: it says so in its own first statement. */
const sessionSettings = ({ lockTimeoutMs, statementTimeoutMs }: Limits): string =>
  [
    `set timezone = 'UTC'`,
    `set datestyle = 'ISO'`,
    `set lock_timeout = ${lockTimeoutMs}`,
    `set statement_timeout = ${statementTimeoutMs}`,
    `set idle_in_transaction_session_timeout = ${statementTimeoutMs}`,
    'set default_transaction_read_only = on',
    'set jit = off',
  ].join(';')

/** A connection that breaks, idle or checked out, fails its query and nothing else. */
const guard = (pool: pg.Pool): void => {
  pool.on('error', () => {})
  pool.on('connect', client => client.on('error', () => {}))
}

const openServer = async (
  { url, ownerUrl }: { url: string; ownerUrl?: string },
  limits: Limits,
  migrations: readonly Migration[],
): Promise<Opened> => {
  const pool = new pg.Pool({
    connectionString: url,
    max: limits.poolSize,
    connectionTimeoutMillis: limits.connectionTimeoutMs,
    application_name: 'mkopo',
    keepAlive: true,
    pipeline: true,
    types: databaseTypes,
  })
  guard(pool)
  try {
    const { rows } = await pool.query<{ version: string; encoding: string }>(
      `select current_setting('server_version_num') as version, current_setting('server_encoding') as encoding`,
    )
    const [server] = rows
    if (Number(server?.version) < oldestServer) throw new Error('PostgreSQL 15 or newer is needed')
    if (server?.encoding !== 'UTF8') throw new Error(`the database must be in UTF8, not ${server?.encoding}`)
    if (ownerUrl) await migrateAsOwner(ownerUrl, pool, migrations)
    else await migrate(pool, migrations)
    return { pool, close: () => pool.end() }
  } catch (error) {
    await pool.end()
    throw error
  }
}

const syncTree = (directory: string): void => {
  for (const entry of fs.readdirSync(directory, { withFileTypes: true })) {
    const target = path.join(directory, entry.name)
    if (entry.isDirectory()) syncTree(target)
    else if (entry.isFile()) syncPath(target)
  }
  syncPath(directory)
}

const syncPath = (target: string): void => {
  const file = fs.openSync(target, 'r')
  try {
    fs.fsyncSync(file)
  } finally {
    fs.closeSync(file)
  }
}

/** A directory whose process died while filling it without sync is unusable: it is filled again. */
const discardUnsynced = (files: string, marker: string): void => {
  if (!fs.existsSync(marker)) return
  fs.rmSync(files, { recursive: true, force: true })
  fs.rmSync(marker)
}

/** Fills in memory, which is twice as fast as a directory, and writes the directory when it is closed. */
const openFast = async (files: string, marker: string, limits: Limits, template?: Uint8Array): Promise<Opened> => {
  if (fs.existsSync(files)) throw new Error(`${files} exists: only a new directory may be filled without syncing`)
  const { pool, dump, close } = await openMemoryPool(template, limits.connectionTimeoutMs)
  return {
    pool,
    async close() {
      const filled = await dump()
      await close()
      fs.writeFileSync(marker, '')
      const written = await openFastPool(files, limits.connectionTimeoutMs, filled)
      await written.close()
      syncTree(files)
      fs.rmSync(marker)
      syncPath(path.dirname(files))
    },
  }
}

const openDirectory = async (
  dataDir: string,
  durable: boolean,
  limits: Limits,
  migrations: readonly Migration[],
): Promise<Opened> => {
  const release = await lockDirectory(dataDir)
  try {
    fs.chmodSync(dataDir, 0o700)
    const files = path.join(dataDir, 'pg')
    const marker = path.join(dataDir, 'pg.unsynced')
    discardUnsynced(files, marker)
    const engine = durable
      ? await openDurablePool(files, limits.connectionTimeoutMs, limits.statementTimeoutMs)
      : await openFast(files, marker, limits, readTemplate(templateFile(migrations)) ?? readTemplate(templateFile([])))
    return { pool: engine.pool, close: () => engine.close().finally(release) }
  } catch (error) {
    release()
    throw error
  }
}

const engineVersion = (): string => {
  const file = createRequire(import.meta.url).resolve('@electric-sql/pglite')
  return `${file} ${fs.statSync(file).size} ${fs.statSync(file).mtimeMs}`
}

/** A migrated empty database is cached as a file: making one takes seconds, opening it a fraction of one. */
const templateFile = (migrations: readonly Migration[]): string => {
  const hash = crypto.createHash('sha256').update(engineVersion())
  for (const { name, checksum } of migrations) hash.update(name).update(checksum)
  return path.resolve('.cache', `empty-database-${hash.digest('hex').slice(0, 16)}.tar`)
}

const readTemplate = (file: string): Uint8Array | undefined =>
  fs.existsSync(file) ? new Uint8Array(fs.readFileSync(file)) : undefined

/** Deletes old templates of earlier migrations: each is large. */
const dropOldTemplates = (directory: string): void => {
  const limit = Date.now() - 3_600_000
  for (const name of fs.readdirSync(directory)) {
    const file = path.join(directory, name)
    const made = name.startsWith('empty-database-') ? fs.statSync(file, { throwIfNoEntry: false })?.mtimeMs : undefined
    if (made !== undefined && made < limit) fs.rmSync(file, { force: true })
  }
}

/** Drops the template databases of PostgreSQL: none is ever made from them, and each opening copies a third less. */
const dropTemplates = async (pool: pg.Pool): Promise<void> => {
  await pool.query('update pg_database set datistemplate = false where datname <> current_database()')
  for (const name of ['template0', 'template1']) await pool.query(`drop database ${name}`)
}

const makeTemplate = async (file: string, migrations: readonly Migration[]): Promise<Uint8Array> => {
  const { pool, dump, close } = await openMemoryPool()
  try {
    await migrate(pool, migrations)
    await dropTemplates(pool)
    const bytes = await dump()
    fs.mkdirSync(path.dirname(file), { recursive: true })
    dropOldTemplates(path.dirname(file))
    const draft = `${file}.${process.pid}.${crypto.randomUUID()}`
    fs.writeFileSync(draft, bytes)
    fs.renameSync(draft, file)
    return bytes
  } finally {
    await close()
  }
}

/** What databases in memory of this process are made from; the newest only, because a process has one set of migrations. */
let kept: { file: string; template: Uint8Array } | undefined

const openMemory = async (migrations: readonly Migration[], limits: Limits): Promise<Opened> => {
  const file = templateFile(migrations)
  if (kept?.file !== file) kept = { file, template: readTemplate(file) ?? (await makeTemplate(file, migrations)) }
  const { template } = kept
  const { pool, close } = await openMemoryPool(template, limits.connectionTimeoutMs)
  guard(pool)
  return { pool, close }
}

/** The engine's own message is internal; the likely cause is a directory of another engine version. */
const describeFailure = (dataDir: string, error: unknown): Error => {
  if (error instanceof DirectoryInUse) return error
  const reason = error instanceof Error ? error.message : String(error)
  return new Error(`the database in ${dataDir} could not be opened: ${reason}`, { cause: error })
}

const openEmbedded = async (
  options: EngineOptions,
  limits: Limits,
  migrations: readonly Migration[],
): Promise<Opened> => {
  if (!options.dataDir) throw new Error('a database needs a url, a directory or memory')
  const dataDir = path.resolve(options.dataDir)
  const engine = await openDirectory(dataDir, options.durable ?? true, limits, migrations).catch(error => {
    throw describeFailure(dataDir, error)
  })
  guard(engine.pool)
  try {
    await migrate(engine.pool, migrations)
    return engine
  } catch (error) {
    await engine.close()
    throw error
  }
}

/** Opens a database of this version: connects or starts the embedded engine, and migrates. */
export const openEngine = async (options: EngineOptions, migrations: readonly Migration[]): Promise<Engine> => {
  const {
    poolSize = 10,
    connectionTimeoutMs = 10_000,
    statementTimeoutMs = 60_000,
    lockTimeoutMs = 5_000,
    url,
    ownerUrl,
    memory,
  } = options
  const limits: Limits = { poolSize, connectionTimeoutMs, statementTimeoutMs, lockTimeoutMs }
  const settings = sessionSettings(limits)
  const patienceMs = statementTimeoutMs + 2_000
  if (url)
    return { kind: 'postgres', settings, patienceMs, ...(await openServer({ url, ownerUrl }, limits, migrations)) }
  const opened = memory ? await openMemory(migrations, limits) : await openEmbedded(options, limits, migrations)
  return { kind: 'pglite', settings, ...opened }
}
