import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { sql } from 'kysely'
import pg from 'pg'
import { afterAll, describe, expect, it } from 'vitest'
import { newPostgresDatabase } from '../../tests/postgres.ts'
import { stoppedClock } from './clock.ts'
import { openDatabase } from './database.ts'

describe('migrations', () => {
  const root = fs.mkdtempSync(path.join(os.tmpdir(), 'mkopo-migrations-'))
  afterAll(() => fs.rmSync(root, { recursive: true, force: true }))
  const directory = (files: Record<string, string>): string => {
    const made = fs.mkdtempSync(path.join(root, 'm-'))
    for (const [name, text] of Object.entries(files)) fs.writeFileSync(path.join(made, name), text)
    return made
  }
  const first = { '0001_one.sql': 'create table one (n int primary key); insert into one values (1);' }

  const places = async () => {
    const dataDir = fs.mkdtempSync(path.join(root, 'data-'))
    const url = await newPostgresDatabase()
    return [{ dataDir }, ...(url ? [{ url }] : [])]
  }
  const openAt = (place: object, migrations: string) =>
    openDatabase({ ...place, migrations, clock: stoppedClock('2026-11-20T21:30:00.000Z') })

  it('are applied once, in order; a changed or an unknown one stops the start', async () => {
    for (const place of await places()) {
      await (await openAt({ ...place, durable: false }, directory(first))).close()
      const more = { ...first, '0002_two.sql': 'insert into one values (2);' }
      const db = await openAt(place, directory(more))
      expect(await db.read(tx => tx.rows(sql`select n from one order by n`))).toEqual([{ n: 1 }, { n: 2 }])
      await db.close()
      const changed = { ...more, '0001_one.sql': 'create table one (n int);' }
      await expect(openAt(place, directory(changed))).rejects.toThrow('0001_one.sql was changed after')
      await expect(openAt(place, directory(first))).rejects.toThrow('0002_two.sql, which this version does not know')
      const broken = { ...more, '0003_three.sql': 'create table three (n int); select 1 / 0;' }
      await expect(openAt(place, directory(broken))).rejects.toThrow('division by zero')
      const repaired = await openAt(place, directory({ ...more, '0003_three.sql': 'create table three (n int);' }))
      expect(await repaired.read(tx => tx.rows(sql`select * from three`))).toEqual([])
      await repaired.close()
    }
  })

  it('are applied once when several processes start together', async ({ skip }) => {
    const url = await newPostgresDatabase()
    if (!url) return skip('PostgreSQL is not installed')
    const migrations = directory(first)
    const all = await Promise.all(Array.from({ length: 4 }, () => openAt({ url }, migrations)))
    expect(await all[0]?.read(tx => tx.rows(sql`select n from one`))).toEqual([{ n: 1 }])
    await Promise.all(all.map(db => db.close()))
  })

  it('are refused on a server that keeps no UTF-8', async ({ skip }) => {
    const url = await newPostgresDatabase()
    if (!url) return skip('PostgreSQL is not installed')
    const client = new pg.Client(url)
    await client.connect()
    const name = `ascii_${Date.now()}`
    await client.query(`create database ${name} encoding 'SQL_ASCII' template template0`)
    await client.end()
    await expect(openAt({ url: url.replace(/[^/]+$/, name) }, directory(first))).rejects.toThrow('must be in UTF8')
  })
})
