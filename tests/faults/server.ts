import { type ChildProcess, spawn } from 'node:child_process'
import { setTimeout as pause } from 'node:timers/promises'
import type { MtnConfig } from '../../server/gateways/mtn-client.ts'
import { faultyServer } from './built.ts'

export const secretKey = 'a-key-of-the-fault-tests-that-is-long-enough'

export type Place = { url: string } | { dataDir: string }

export type ServerOptions = {
  /** Where its data lie. With `url` the directory is for files only. */
  dataDir: string
  url?: string
  port: number
  momo: MtnConfig
  env?: Record<string, string>
}

/** The server as a process, to be started, killed and started again on one port. */
export const serverOn = (o: ServerOptions) => {
  const url = `http://127.0.0.1:${o.port}`
  const env = {
    ...process.env,
    PORT: String(o.port),
    HOST: '127.0.0.1',
    DATA_DIR: o.dataDir,
    DATABASE_URL: o.url ?? '',
    SECRET_KEY: secretKey,
    MKOPO_DEMO: '0',
    NODE_ENV: '',
    LOG_LEVEL: 'warn',
    MOMO_BASE_URL: o.momo.baseUrl,
    MOMO_SUBSCRIPTION_KEY: o.momo.subscriptionKey,
    MOMO_API_USER: o.momo.apiUser,
    MOMO_API_KEY: o.momo.apiKey,
    MOMO_CALLBACK_HOST: url,
    ...o.env,
  }
  let child: ChildProcess | undefined
  let output = ''

  const isRunning = () => child !== undefined && child.exitCode === null && child.signalCode === null
  const health = async (): Promise<number> => {
    try {
      return (await fetch(`${url}/health`, { signal: AbortSignal.timeout(5_000) })).status
    } catch {
      return 0
    }
  }
  const end = async (signal: NodeJS.Signals) => {
    if (!child || !isRunning()) return
    const gone = new Promise(resolve => child?.once('exit', resolve))
    child.kill(signal)
    await gone
  }

  return {
    url,
    health,
    isRunning,
    output: () => output,
    pid: () => child?.pid,
    /** Starts it and waits until it answers; answers after how many milliseconds. */
    async start(fault?: string): Promise<number> {
      await end('SIGKILL')
      const began = performance.now()
      const running = spawn(process.execPath, ['--enable-source-maps', faultyServer()], {
        env: { ...env, ...(fault ? { FAULT_AT: fault } : {}) },
        stdio: ['ignore', 'pipe', 'pipe'],
      })
      child = running
      for (const stream of [running.stdout, running.stderr])
        stream.on('data', (chunk: Buffer) => {
          output = (output + chunk).slice(-20_000)
        })
      while ((await health()) !== 200) {
        if (!isRunning()) throw new Error(`the server ended: ${output}`)
        if (performance.now() - began > 240_000) throw new Error(`the server did not start: ${output}`)
        await pause(20)
      }
      return performance.now() - began
    },
    kill: () => end('SIGKILL'),
    stop: () => end('SIGTERM'),
    /** Waits for a server that a fault point kills. */
    async died(): Promise<void> {
      for (let round = 0; isRunning(); round++) {
        if (round > 1_500) throw new Error(`the fault was not met: ${output}`)
        await pause(20)
      }
    },
  }
}
export type Server = ReturnType<typeof serverOn>
