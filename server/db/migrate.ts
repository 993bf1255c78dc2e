import crypto from 'node:crypto'
import fs from 'node:fs'
import path from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import type pg from 'pg'

/** One SQL file. A migration that was applied never changes: its SHA-256 is compared at each start. */
export type Migration = { name: string; text: string; checksum: string }

/** Where the migrations of the product are. */
export const migrationsDirectory = fileURLToPath(new URL('./migrations', import.meta.url))

/** The migrations of a directory in the order in which they run; line ends do not count. */
export const readMigrations = (directory = migrationsDirectory): Migration[] =>
  fs
    .readdirSync(directory)
    .filter(name => /^\d{4}_[a-z0-9_]+\.sql$/.test(name))
    .sort()
    .map(name => {
      const text = fs.readFileSync(path.join(directory, name), 'utf8').replaceAll('\r\n', '\n')
      return { name, text, checksum: crypto.createHash('sha256').update(text).digest('hex') }
    })

/** Several processes may start at once on an empty database, and `if not exists` does not keep them apart. */
const createJournal = async (client: pg.ClientBase): Promise<void> => {
  for (let round = 0; ; round++) {
    try {
      await client.query(`
        create table if not exists schema_migration (
          name text primary key, checksum text not null, applied_time timestamptz not null default now()
        );
        insert into schema_migration (name, checksum) values ('#lock', '') on conflict do nothing`)
      return
    } catch (error) {
      if (round === 5) throw error
      await pause(100 * Math.random())
    }
  }
}

const applyOne = async (client: pg.ClientBase, migration: Migration): Promise<boolean> => {
  await client.query('begin')
  try {
    await client.query(`select name from schema_migration where name = '#lock' for update`)
    const { rows } = await client.query<{ checksum: string }>('select checksum from schema_migration where name = $1', [
      migration.name,
    ])
    const known = rows[0]
    if (known && known.checksum !== migration.checksum) {
      throw new Error(`migration ${migration.name} was changed after it had been applied; write a new one instead`)
    }
    if (!known) {
      await client.query(migration.text)
      await client.query('insert into schema_migration (name, checksum) values ($1, $2)', [
        migration.name,
        migration.checksum,
      ])
    }
    await client.query('commit')
    return !known
  } catch (error) {
    await client.query('rollback').catch(() => {})
    throw error
  }
}

const refuseUnknown = async (client: pg.ClientBase, migrations: readonly Migration[]): Promise<void> => {
  const { rows } = await client.query<{ name: string }>(
    `select name from schema_migration where name <> '#lock' order by name`,
  )
  const known = new Set(migrations.map(({ name }) => name))
  const unknown = rows.find(({ name }) => !known.has(name))
  if (unknown)
    throw new Error(
      `the database has migration ${unknown.name}, which this version does not know: run the newer version`,
    )
}

/** Brings the database to this version, one transaction per file; answers how many files it applied. */
export const migrate = async (pool: pg.Pool, migrations: readonly Migration[]): Promise<number> => {
  const client = await pool.connect()
  try {
    await client.query(`set timezone = 'UTC'; set statement_timeout = 0; set lock_timeout = 0`)
    await createJournal(client)
    await refuseUnknown(client, migrations)
    let applied = 0
    for (const migration of migrations) if (await applyOne(client, migration)) applied++
    return applied
  } finally {
    client.release(true)
  }
}
