import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import net from 'node:net'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { buildServer } from '../build/server.ts'
import { systemClock } from './db/clock.ts'
import { openDatabase, type Tx } from './db/database.ts'

const root = fileURLToPath(new URL('..', import.meta.url))
/** The server as it is built for use, beside the packages that it needs. */
const own = path.join(root, '.cache', `start-${process.pid}`)
const program = path.join(own, 'dist/server/index.js')
let dataDir: string
let running: ChildProcess | undefined

beforeAll(async () => {
  dataDir = mkdtempSync(path.join(tmpdir(), 'mkopo-start-'))
  await buildServer(root, path.dirname(program))
})
afterAll(() => {
  running?.kill('SIGKILL')
  for (const directory of [dataDir, own]) rmSync(directory, { recursive: true, force: true })
})

const opened = async <T>(dir: string, look: (tx: Tx) => Promise<T>): Promise<T> => {
  const db = await openDatabase({ dataDir: dir, clock: systemClock })
  try {
    return await db.withTx(look)
  } finally {
    await db.close()
  }
}

type Started = { child: ChildProcess; url: string; said: () => string; ended: Promise<number | string | null> }

const start = (env: Record<string, string> = {}): Promise<Started> =>
  new Promise((resolve, reject) => {
    const child = spawn(process.execPath, [program], {
      env: {
        ...process.env,
        PORT: '0',
        DATA_DIR: dataDir,
        MKOPO_DEMO: '0',
        LOG_LEVEL: 'silent',
        NODE_ENV: 'test',
        ...env,
      },
      stdio: ['ignore', 'pipe', 'pipe'],
    })
    running = child
    const ended = new Promise<number | string | null>(done =>
      child.once('exit', (code, signal) => done(code ?? signal)),
    )
    let said = ''
    let printed = ''
    child.stderr?.on('data', (text: Buffer) => {
      said += text.toString()
    })
    createInterface(child.stdout as NonNullable<typeof child.stdout>).on('line', line => {
      printed += `${line}\n`
      const url = /^Mkopo is ready: (\S+)\/$/.exec(line)?.[1]
      if (url) resolve({ child, url, ended, said: () => printed })
    })
    void ended.then(code => reject(new Error(`ended with ${code}: ${said}`)))
  })

const health = async (url: string) =>
  (await fetch(`${url}/health`)).json() as Promise<{ status: string; database: string }>

it('starts on a new directory, survives kill -9, and stops in order when it is asked to', async () => {
  const first = await start()
  expect(await health(first.url)).toMatchObject({ status: 'up', database: 'pglite' })
  const challenge = await fetch(`${first.url}/api/hc/web/noAuth/logon/challenge`, { method: 'POST', body: '{}' })
  expect(await challenge.json()).toMatchObject({ code: 0, data: { slideRequired: false } })
  first.child.kill('SIGKILL')
  expect(await first.ended).toBe('SIGKILL')

  const second = await start()
  expect(await health(second.url)).toMatchObject({ status: 'up' })
  await expect(start()).rejects.toThrow(/ended with 1: .* is in use by process \d+/)
  const asked = Date.now()
  second.child.kill('SIGTERM')
  expect(await second.ended).toBe(0)
  expect(Date.now() - asked).toBeLessThan(10_000)
  await expect(fetch(`${second.url}/health`)).rejects.toThrow()
})

it('says in one sentence what is wrong with the environment', async () => {
  await expect(start({ PORT: 'eighty' })).rejects.toThrow('ended with 1: PORT must be a whole number.')
})

it('keeps a demo and production apart, and writes the pages that a database lacks at each start', async () => {
  const place = { DATA_DIR: mkdtempSync(path.join(tmpdir(), 'mkopo-start-demo-')), MKOPO_DEMO_ORDERS: '8' }
  try {
    const demo = await start({ ...place, MKOPO_DEMO: '1' })
    expect(demo.said()).toContain('Making the demo data (8 orders over 60 days) …')
    expect(demo.said()).toMatch(/: 10 %\n.*: 100 %\n/s)
    demo.child.kill('SIGTERM')
    await demo.ended
    await expect(start({ ...place, MKOPO_DEMO: '0' })).rejects.toThrow(
      /^ended with 1: This database holds demo data.*MKOPO_DEMO=1 to run the demo\.\n$/,
    )
    const page = sql`menu_no like 'mkopo-audit-my-audit%'`
    await opened(place.DATA_DIR, async tx => {
      await tx.exec(sql`delete from role_menu where ${page}`)
      await tx.exec(sql`delete from menu where ${page}`)
    })
    const again = await start({ ...place, MKOPO_DEMO: '1' })
    again.child.kill('SIGTERM')
    await again.ended
    const held = await opened(place.DATA_DIR, tx =>
      tx.rows(sql<{ menuNo: string }>`
        select menu_no from role_menu where ${page} and role_no = 'administrator' order by menu_no`),
    )
    expect(held.map(row => row.menuNo)).toContain('mkopo-audit-my-audit.audit:self:page')
  } finally {
    rmSync(place.DATA_DIR, { recursive: true, force: true })
  }
})

it('says what to do when its port is taken', async () => {
  const other = net.createServer()
  await new Promise<void>(resolve => other.listen(0, '127.0.0.1', resolve))
  const { port } = other.address() as net.AddressInfo
  const said = `Port ${port} is taken: stop what listens there, or set PORT to another one, for example PORT=${port + 1} npm start.`
  const taken = { PORT: String(port), HOST: '127.0.0.1' }
  await expect(start(taken)).rejects.toThrow(`ended with 1: ${said}`)
  const npmStart = spawnSync(process.execPath, ['build/start.mjs'], {
    cwd: root,
    env: { ...process.env, ...taken },
    encoding: 'utf8',
  })
  other.close()
  expect(npmStart).toMatchObject({ status: 1, stdout: '', stderr: `${said}\n` })
})
