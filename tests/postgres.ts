import { spawn, spawnSync } from 'node:child_process'
import crypto from 'node:crypto'
import fs from 'node:fs'
import net from 'node:net'
import os from 'node:os'
import path from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { isMainThread } from 'node:worker_threads'
import pg from 'pg'

type Cluster = { port: number; password: string }
type Identity = { uid?: number; gid?: number }

/** The directory of `postgres` and `initdb`, or undefined where PostgreSQL is not installed. */
export const findBinaries = (): string | undefined => {
  const debian = '/usr/lib/postgresql'
  const versions = fs.existsSync(debian) ? fs.readdirSync(debian).sort((a, b) => Number(b) - Number(a)) : []
  const places = [...(process.env.PATH ?? '').split(path.delimiter), ...versions.map(v => path.join(debian, v, 'bin'))]
  return places.find(place => ['postgres', 'initdb'].every(name => fs.existsSync(path.join(place, name))))
}

/** PostgreSQL refuses to run as root: root hands over to an account without rights. */
export const findIdentity = (): Identity | undefined => {
  if (process.getuid?.() !== 0) return {}
  const accounts = fs
    .readFileSync('/etc/passwd', 'utf8')
    .split('\n')
    .map(line => line.split(':'))
  const account = ['postgres', 'nobody'].map(name => accounts.find(([login]) => login === name)).find(Boolean)
  return account && { uid: Number(account[2]), gid: Number(account[3]) }
}

export const freePort = (): Promise<number> =>
  new Promise((resolve, reject) => {
    const server = net.createServer().once('error', reject)
    server.listen(0, '127.0.0.1', () => {
      const { port } = server.address() as net.AddressInfo
      server.close(() => resolve(port))
    })
  })

/** Runs beside the cluster and ends it, with its files, when the test run has gone, however it went. */
const keeper = `
alive() { if [ -d /proc/self ]; then [ -d "/proc/$1" ]; else kill -0 "$1" 2>/dev/null; fi; }
"$BIN/postgres" -D "$DIR/data" -p "$PG_PORT" -c listen_addresses=127.0.0.1 -c unix_socket_directories= -c fsync=off \\
  -c synchronous_commit=off -c full_page_writes=off -c max_connections=200 -c deadlock_timeout=100ms >"$DIR/log" 2>&1 &
server=$!
while alive "$OWNER" && alive "$server"; do sleep 0.3; done
kill -QUIT "$server" 2>/dev/null
wait "$server"
rm -rf "$DIR"/*
rmdir "$DIR" 2>/dev/null
`

const canConnect = async (cluster: Cluster): Promise<boolean> => {
  const client = new pg.Client(urlOf(cluster, 'postgres'))
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

const urlOf = ({ port, password }: Cluster, database: string): string =>
  `postgresql://mkopo:${password}@127.0.0.1:${port}/${database}`

const startCluster = async (
  directory: string,
  binaries: string,
  identity: Identity,
  owner: number,
): Promise<Cluster> => {
  const password = crypto.randomBytes(12).toString('hex')
  const passwordFile = path.join(directory, 'password')
  fs.writeFileSync(passwordFile, password, { mode: 0o600 })
  if (identity.uid !== undefined && identity.gid !== undefined) {
    fs.chownSync(directory, identity.uid, identity.gid)
    fs.chownSync(passwordFile, identity.uid, identity.gid)
  }
  const options = [
    '-U',
    'mkopo',
    '-A',
    'scram-sha-256',
    `--pwfile=${passwordFile}`,
    '-E',
    'UTF8',
    '--locale=C',
    '--no-sync',
  ]
  const env = { PATH: process.env.PATH, LC_ALL: 'C' }
  const made = spawnSync(path.join(binaries, 'initdb'), ['-D', path.join(directory, 'data'), ...options], {
    ...identity,
    env,
    cwd: directory,
    encoding: 'utf8',
  })
  if (made.status !== 0) throw new Error(`initdb failed: ${made.stderr || made.error?.message}`)
  const cluster = { port: await freePort(), password }
  const child = spawn('/bin/sh', ['-c', keeper], {
    ...identity,
    cwd: directory,
    detached: true,
    stdio: 'ignore',
    env: { ...env, BIN: binaries, DIR: directory, PG_PORT: String(cluster.port), OWNER: String(owner) },
  })
  child.unref()
  for (let round = 0; round < 300; round++) {
    if (await canConnect(cluster)) return cluster
    await pause(50)
  }
  throw new Error(`PostgreSQL did not start: ${fs.readFileSync(path.join(directory, 'log'), 'utf8')}`)
}

const waitForCluster = async (file: string): Promise<Cluster> => {
  for (let round = 0; round < 600; round++) {
    if (fs.existsSync(file)) return JSON.parse(fs.readFileSync(file, 'utf8')) as Cluster
    await pause(50)
  }
  throw new Error('the PostgreSQL of this test run did not start')
}

/** One cluster per test run: the first file to ask makes it, the others find it by the id of the run's process. */
const findCluster = async (): Promise<Cluster | null> => {
  const binaries = findBinaries()
  const identity = findIdentity()
  if (!binaries || !identity) return null
  const owner = isMainThread ? process.ppid : process.pid
  const directory = path.join(os.tmpdir(), `mkopo-postgres-${process.getuid?.() ?? 0}-${owner}`)
  const file = path.join(directory, 'cluster.json')
  try {
    fs.mkdirSync(directory, { mode: 0o700 })
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
    return waitForCluster(file)
  }
  const cluster = await startCluster(directory, binaries, identity, owner)
  const draft = path.join(directory, 'cluster.json.new')
  fs.writeFileSync(draft, JSON.stringify(cluster), { mode: 0o600 })
  fs.renameSync(draft, file)
  return cluster
}

let found: Promise<Cluster | null> | undefined

/**
 * The URL of a new empty database on a private PostgreSQL of this test run, or null where PostgreSQL is not installed:
 * the caller then skips, and says so.
 */
export const newPostgresDatabase = async (): Promise<string | null> => {
  found ??= findCluster()
  const cluster = await found
  if (!cluster) return null
  const name = `t_${crypto.randomBytes(6).toString('hex')}`
  const client = new pg.Client(urlOf(cluster, 'postgres'))
  await client.connect()
  try {
    await client.query(`create database ${name}`)
  } finally {
    await client.end()
  }
  return urlOf(cluster, name)
}

/** Whether {@link newPostgresDatabase} can give one; costs nothing. */
export const hasPostgres = findBinaries() !== undefined && findIdentity() !== undefined
