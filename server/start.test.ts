import { type ChildProcess, spawn } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { buildServer } from '../build/server.ts'

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

type Started = { child: ChildProcess; url: string; ended: Promise<number | string | null> }

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
    child.stderr?.on('data', (text: Buffer) => {
      said += text.toString()
    })
    createInterface(child.stdout as NonNullable<typeof child.stdout>).on('line', line => {
      const url = /^Mkopo is ready: (\S+)\/$/.exec(line)?.[1]
      if (url) resolve({ child, url, ended })
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
}, 90_000)

it('says in one sentence what is wrong with the environment', async () => {
  await expect(start({ PORT: 'eighty' })).rejects.toThrow('ended with 1: PORT must be a whole number.')
}, 30_000)
