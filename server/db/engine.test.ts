import { type ChildProcess, spawn } from 'node:child_process'
import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { programOf } from '../testing/programs.ts'
import { systemClock } from './clock.ts'
import { openDatabase } from './database.ts'
import { DirectoryInUse } from './lock.ts'
import { openDurablePool } from './pglite-pool.ts'

const root = fs.mkdtempSync(path.join(os.tmpdir(), 'mkopo-engine-'))
afterAll(() => fs.rmSync(root, { recursive: true, force: true }))
const newDirectory = (): string => path.join(fs.mkdtempSync(path.join(root, 'd-')), 'data')
const openAt = (dataDir: string, options: { durable?: boolean; statementTimeoutMs?: number } = {}) =>
  openDatabase({ dataDir, clock: systemClock, ...options })

const startChild = async (dataDir: string) => {
  const child: ChildProcess = spawn(process.execPath, [await programOf('crash-child'), dataDir], {
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let output = ''
  let errors = ''
  child.stdout?.on('data', data => {
    output += data
  })
  child.stderr?.on('data', data => {
    errors += data
  })
  const ended = new Promise<number | null>(resolve => child.once('exit', resolve))
  const lines = () => output.split('\n').slice(0, -1)
  return {
    child,
    ended,
    errors: () => errors,
    found: () => JSON.parse(lines()[0] ?? '{}') as { last: number; rows: number },
    /** The last number whose line is complete: everything up to it was promised. */
    promised: () => Number(lines().slice(1).at(-1) ?? 0),
  }
}

describe('a data directory', () => {
  const model = newDirectory()
  beforeAll(async () => (await openAt(model, { durable: false })).close(), 30_000)
  const filledDirectory = (): string => {
    const dataDir = newDirectory()
    fs.cpSync(model, dataDir, { recursive: true })
    return dataDir
  }

  it('keeps every transaction that it answered, whole, when its process is killed again and again', async () => {
    const dataDir = filledDirectory()
    let before = 0
    for (let round = 0; round < 3; round++) {
      const { child, ended, found, promised, errors } = await startChild(dataDir)
      await vi.waitFor(() => expect(promised(), errors()).toBeGreaterThan(before + 40), {
        timeout: 60_000,
        interval: 100,
      })
      child.kill('SIGKILL')
      await ended
      expect(found().rows).toBe(found().last)
      expect(found().last).toBeGreaterThanOrEqual(before)
      before = promised()
    }
  })

  it('is open to one process only, and to nobody else on the machine', async () => {
    const dataDir = filledDirectory()
    const db = await openAt(dataDir)
    expect(fs.statSync(dataDir).mode & 0o777).toBe(0o700)
    await expect(openAt(dataDir)).rejects.toBeInstanceOf(DirectoryInUse)
    const other = await startChild(dataDir)
    expect(await other.ended).not.toBe(0)
    expect(other.errors()).toContain(`is in use by process ${process.pid}`)
    await db.close()
    await (await openAt(dataDir)).close()
  })

  it('can be filled fast and is then an ordinary one; a fill that broke off is thrown away', async () => {
    const dataDir = newDirectory()
    const filling = await openAt(dataDir, { durable: false })
    await filling.withTx(async tx => {
      for (let n = 0; n < 3_000; n++) tx.append('trackingEvent', { receivedTime: tx.now, payload: { n } })
    })
    expect(fs.existsSync(path.join(dataDir, 'pg'))).toBe(false)
    await filling.close()
    expect(fs.existsSync(path.join(dataDir, 'pg.unsynced'))).toBe(false)
    const db = await openAt(dataDir)
    expect(await db.read(tx => tx.one(sql`select count(*) as count from tracking_event`))).toEqual({ count: 3_000 })
    await db.close()
    await expect(openAt(dataDir, { durable: false })).rejects.toThrow('only a new directory')

    fs.writeFileSync(path.join(dataDir, 'pg.unsynced'), '')
    const again = await openAt(dataDir)
    expect(await again.read(tx => tx.one(sql`select count(*) as count from tracking_event`))).toEqual({ count: 0 })
    await again.close()
  })

  it('ends a statement that takes too long and goes on with what was committed', async () => {
    const dataDir = filledDirectory()
    const db = await openAt(dataDir, { statementTimeoutMs: 1_500 })
    await db.withTx(tx => tx.exec(sql`insert into number_range (kind) values ('kept')`))
    const slow = db.withTx(async tx => {
      await tx.exec(sql`insert into number_range (kind) values ('lost')`)
      await tx.exec(sql`select pg_sleep(20)`)
    })
    await expect(slow).rejects.toThrow('longer than 1500 ms')
    expect(await db.read(tx => tx.rows(sql`select kind from number_range`))).toEqual([{ kind: 'kept' }])
    await db.close()
  })

  it('says so when it cannot be opened', async () => {
    const dataDir = newDirectory()
    fs.mkdirSync(path.join(dataDir, 'pg'), { recursive: true })
    fs.writeFileSync(path.join(dataDir, 'pg', 'PG_VERSION'), '12\n')
    await expect(openAt(dataDir)).rejects.toThrow('could not be opened')
    expect(fs.existsSync(path.join(dataDir, '.lock'))).toBe(false)
  })
})

describe('the embedded engine', () => {
  it('settles its commits on the disk with fsync', async () => {
    const dataDir = path.join(newDirectory(), 'pg')
    fs.mkdirSync(path.dirname(dataDir))
    const { pool, close } = await openDurablePool(dataDir, 5_000, 60_000)
    const { rows } = await pool.query(
      `select name, setting from pg_settings where name in ('fsync', 'wal_sync_method', 'shared_buffers') order by name`,
    )
    expect(rows).toEqual([
      { name: 'fsync', setting: 'on' },
      { name: 'shared_buffers', setting: '4096' },
      { name: 'wal_sync_method', setting: 'fsync' },
    ])
    await close()
  })
})
