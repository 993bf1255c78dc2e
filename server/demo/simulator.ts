import { type ChildProcess, spawn } from 'node:child_process'
import { createInterface } from 'node:readline'
import type { Log } from '../log.ts'
import { within } from '../within.ts'

export type SimulatorOptions = {
  program: string
  /** How Node runs it; as it runs this process unless given. */
  execArgv?: readonly string[]
  dataDir: string
  callbackUrl: string
  /** 0 takes a free one. */
  port?: number
  log: Log
}

const startMs = 15_000
const restartMs = 1_000

/** The program ends with the pipe to its parent, however that died; two of it must never share a directory. */
const endWithParent = `data:text/javascript,process.stdin.resume().on('end',()=>process.exit())`

/** Keys that only the simulator knows. */
export const simulatorKeys = { subscriptionKey: 'demo-subscription', apiUser: 'demo-user', apiKey: 'demo-key' }

const portFrom = (child: ChildProcess): Promise<number> =>
  within(
    new Promise<number>((resolve, reject) => {
      child.once('exit', code => reject(new Error(`the MoMo simulator ended with ${code}`)))
      if (!child.stdout) return reject(new Error('the MoMo simulator has no output'))
      createInterface(child.stdout).once('line', line => resolve((JSON.parse(line) as { listening: number }).listening))
    }),
    startMs,
  )

/** The mobile money network of a demo, in a process of its own that is started again whenever it dies. */
export const startSimulator = async ({
  program,
  execArgv = process.execArgv,
  dataDir,
  callbackUrl,
  port: wanted = 0,
  log,
}: SimulatorOptions) => {
  let child: ChildProcess
  let stopped = false

  const start = async (port: number): Promise<number> => {
    const { subscriptionKey, apiUser, apiKey } = simulatorKeys
    const env = {
      ...process.env,
      PORT: String(port),
      HOST: '127.0.0.1',
      DATA_DIR: dataDir,
      CALLBACK_URL: callbackUrl,
      SUBSCRIPTION_KEY: subscriptionKey,
      API_USER: apiUser,
      API_KEY: apiKey,
    }
    child = spawn(process.execPath, [...execArgv, '--import', endWithParent, program], {
      env,
      stdio: ['pipe', 'pipe', 'inherit'],
    })
    const listening = await portFrom(child)
    child.once('exit', code => {
      if (stopped) return
      log.warn({ event: 'simulator.ended', code }, 'the MoMo simulator ended and is started again')
      setTimeout(
        () =>
          !stopped &&
          start(listening).catch(error =>
            log.error({ event: 'simulator.failed', err: error }, 'the MoMo simulator did not start again'),
          ),
        restartMs,
      ).unref()
    })
    return listening
  }

  const port = await start(wanted)
  return {
    baseUrl: `http://127.0.0.1:${port}`,
    get pid() {
      return child.pid
    },
    stop() {
      stopped = true
      child.kill('SIGTERM')
    },
  }
}
export type Simulator = Awaited<ReturnType<typeof startSimulator>>
