import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import net from 'node:net'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { expect } from 'vitest'
import { root } from '../../build/graph.ts'

const freePort = (): Promise<number> =>
  new Promise((resolve, reject) => {
    const probe = net.createServer().once('error', reject)
    probe.listen(0, '127.0.0.1', () => {
      const { port } = probe.address() as net.AddressInfo
      probe.close(() => resolve(port))
    })
  })

const isUp = async (url: string): Promise<boolean> => {
  try {
    return (await fetch(`${url}/health`)).status === 200
  } catch {
    return false
  }
}

/** The product as it is started: the built server with its simulator, on a port and in a directory of its own. */
export const openProduct = async (o: { databaseUrl?: string; orders: number }) => {
  const dataDir = mkdtempSync(path.join(tmpdir(), 'mkopo-journey-'))
  const [port, simulatorPort] = [await freePort(), await freePort()]
  const url = `http://127.0.0.1:${port}`
  const env = {
    ...process.env,
    PORT: String(port),
    HOST: '127.0.0.1',
    DATA_DIR: dataDir,
    MKOPO_DEMO: '1',
    MKOPO_DEMO_ORDERS: String(o.orders),
    SIMULATOR_PORT: String(simulatorPort),
    LOG_LEVEL: 'warn',
    NODE_ENV: '',
    ...(o.databaseUrl
      ? { DATABASE_URL: o.databaseUrl, SECRET_KEY: 'a-key-of-the-journey-that-is-long-enough' }
      : { DATABASE_URL: '' }),
  }
  let child: ChildProcess | undefined
  let output = ''
  const start = async () => {
    const running = spawn(process.execPath, ['--enable-source-maps', path.join(root, 'dist/server/index.js')], {
      env,
      stdio: ['ignore', 'pipe', 'pipe'],
    })
    child = running
    for (const stream of [running.stdout, running.stderr])
      stream.on('data', (chunk: Buffer) => void (output = (output + chunk).slice(-8000)))
    await expect
      .poll(async () => (running.exitCode === null ? await isUp(url) : `ended: ${output}`), {
        timeout: 170_000,
        interval: 200,
      })
      .toBe(true)
  }
  const end = async (signal: 'SIGKILL' | 'SIGTERM') => {
    const ending = child
    if (!ending || ending.exitCode !== null) return
    const gone = new Promise(resolve => ending.once('exit', resolve))
    ending.kill(signal)
    await gone
  }
  await start()
  return {
    url,
    output: () => output,
    simulator: `http://127.0.0.1:${simulatorPort}`,
    /** kill -9, and up again. */
    crash: async () => {
      await end('SIGKILL')
      await start()
    },
    stop: () => end('SIGTERM'),
    /** What `npm run check:invariants` prints. */
    invariants: () => {
      const { stdout, status, stderr } = spawnSync(
        process.execPath,
        [path.join(root, 'node_modules/tsx/dist/cli.mjs'), path.join(root, 'server/invariants/check-invariants.ts')],
        { env, encoding: 'utf8', cwd: root },
      )
      return { stdout, stderr, status }
    },
    close: async () => {
      await end('SIGTERM')
      rmSync(dataDir, { recursive: true, force: true })
    },
  }
}
export type Product = Awaited<ReturnType<typeof openProduct>>
