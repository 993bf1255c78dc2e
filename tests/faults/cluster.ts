import { type ChildProcess, execFileSync, spawn, spawnSync } from 'node:child_process'
import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import pg from 'pg'
import { findBinaries, findIdentity, freePort } from '../postgres.ts'

const settings = [
  'listen_addresses=127.0.0.1',
  'unix_socket_directories=',
  'max_connections=60',
  'fsync=on',
  'checkpoint_timeout=30s',
]

const childrenOf = (pid: number): number[] =>
  spawnSync('ps', ['-o', 'pid=', '--ppid', String(pid)], { encoding: 'utf8' })
    .stdout.split('\n')
    .map(Number)
    .filter(Boolean)

const quietly = (act: () => void): void => {
  try {
    act()
  } catch {}
}

/** A PostgreSQL of a test's own, which it may kill, stop for a while and start again; what it commits is on the disk. */
export const openCluster = async (o: { more?: readonly string[]; directory?: string } = {}) => {
  const binaries = findBinaries()
  const identity = findIdentity()
  if (!binaries || !identity) throw new Error('PostgreSQL is not installed')
  const directory = o.directory ?? fs.mkdtempSync(path.join(os.tmpdir(), 'mkopo-faults-pg-'))
  if (identity.uid !== undefined) fs.chownSync(directory, identity.uid, identity.gid ?? identity.uid)
  const env = { PATH: process.env.PATH, LC_ALL: 'C' }
  const run = { ...identity, env, cwd: directory }
  const data = path.join(directory, 'data')
  execFileSync(
    path.join(binaries, 'initdb'),
    ['-D', data, '-U', 'mkopo', '-A', 'trust', '-E', 'UTF8', '--locale=C', '--no-sync'],
    { ...run, stdio: 'pipe' },
  )
  const port = await freePort()
  const logFile = `${directory}.log`
  const log = fs.openSync(logFile, 'a')
  const urlOf = (database: string) => `postgresql://mkopo@127.0.0.1:${port}/${database}`
  let postmaster: ChildProcess | undefined

  const answers = async (): Promise<boolean> => {
    const client = new pg.Client({ connectionString: urlOf('postgres'), connectionTimeoutMillis: 1_000 })
    client.on('error', () => {})
    try {
      await client.connect()
      return true
    } catch {
      return false
    } finally {
      await client.end().catch(() => {})
    }
  }

  /** Starts it; one whose former processes have not all gone yet refuses, and is started again. */
  const start = async () => {
    for (let round = 0; round < 400; round++) {
      if (!postmaster || postmaster.exitCode !== null || postmaster.signalCode !== null)
        postmaster = spawn(
          path.join(binaries, 'postgres'),
          ['-D', data, '-p', String(port), ...[...settings, ...(o.more ?? [])].flatMap(setting => ['-c', setting])],
          { ...run, stdio: ['ignore', log, log] },
        )
      if (await answers()) return
      await pause(50)
    }
    throw new Error(`PostgreSQL did not start: ${fs.readFileSync(logFile, 'utf8').slice(-2000)}`)
  }

  const all = (): number[] => (postmaster?.pid ? [postmaster.pid, ...childrenOf(postmaster.pid)] : [])
  const signal = (name: NodeJS.Signals) => {
    for (const pid of all()) quietly(() => process.kill(pid, name))
  }
  const kill = async () => {
    if (!postmaster || postmaster.exitCode !== null || postmaster.signalCode !== null) return
    const gone = new Promise(resolve => postmaster?.once('exit', resolve))
    signal('SIGKILL')
    await gone
  }

  await start()
  return {
    port,
    directory,
    data,
    start,
    /** kill -9 of all of it. */
    kill,
    /** Nothing of it runs until `goOn`. */
    halt: () => signal('SIGSTOP'),
    goOn: () => signal('SIGCONT'),
    query: async (text: string, database = 'postgres') => {
      const client = new pg.Client(urlOf(database))
      client.on('error', () => {})
      await client.connect()
      try {
        return (await client.query(text)).rows as Record<string, unknown>[]
      } finally {
        await client.end()
      }
    },
    async newDatabase() {
      const name = `f_${Math.random().toString(36).slice(2, 10)}`
      await this.query(`create database ${name}`)
      return urlOf(name)
    },
    async close() {
      signal('SIGCONT')
      await kill()
      fs.closeSync(log)
      fs.rmSync(logFile)
      if (!o.directory) fs.rmSync(directory, { recursive: true, force: true })
    },
  }
}
export type Cluster = Awaited<ReturnType<typeof openCluster>>
