import { type ChildProcess, spawn } from 'node:child_process'
import { generateKeyPairSync, randomBytes } from 'node:crypto'
import { createInterface } from 'node:readline'
import { within } from '../lists/within.ts'
import type { Log } from '../log.ts'

export type SimulatorOptions = {
  /** As the log calls it. */
  name: string
  program: string
  /** What it knows of its customer, in its own environment. */
  env: Readonly<Record<string, string>>
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

/** What a simulator and the adapter to it know of each other: the environment of the one, the configuration of the other. */
export const momoAccess = () => {
  const config = { subscriptionKey: 'demo-subscription', apiUser: 'demo-user', apiKey: 'demo-key' }
  return {
    config,
    env: { SUBSCRIPTION_KEY: config.subscriptionKey, API_USER: config.apiUser, API_KEY: config.apiKey },
  }
}

export const airtelAccess = () => {
  const { publicKey, privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 })
  const callbackKey = randomBytes(24).toString('base64url')
  const config = {
    clientId: 'demo-client',
    clientSecret: 'demo-secret',
    pin: '1234',
    publicKey: publicKey.export({ type: 'spki', format: 'pem' }).toString(),
    callbackKey,
  }
  const env = {
    CLIENT_ID: config.clientId,
    CLIENT_SECRET: config.clientSecret,
    PIN: config.pin,
    PRIVATE_KEY: privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(),
    CALLBACK_KEY: callbackKey,
  }
  return { config, env }
}

const portFrom = (name: string, child: ChildProcess): Promise<number> =>
  within(
    new Promise<number>((resolve, reject) => {
      child.once('exit', code => reject(new Error(`${name} ended with ${code}`)))
      if (!child.stdout) return reject(new Error(`${name} has no output`))
      createInterface(child.stdout).once('line', line => resolve((JSON.parse(line) as { listening: number }).listening))
    }),
    startMs,
  )

/** A simulator of a demo, in a process of its own that is started again whenever it dies. */
export const startSimulator = async ({
  name,
  program,
  env: own,
  execArgv = process.execArgv,
  dataDir,
  callbackUrl,
  port: wanted = 0,
  log,
}: SimulatorOptions) => {
  let child: ChildProcess
  let stopped = false

  const start = async (port: number): Promise<number> => {
    const env = {
      ...process.env,
      PORT: String(port),
      HOST: '127.0.0.1',
      DATA_DIR: dataDir,
      CALLBACK_URL: callbackUrl,
      ...own,
    }
    child = spawn(process.execPath, [...execArgv, '--import', endWithParent, program], {
      env,
      stdio: ['pipe', 'pipe', 'inherit'],
    })
    const listening = await portFrom(name, child)
    child.once('exit', code => {
      if (stopped) return
      log.warn({ event: 'simulator.ended', code }, `${name} ended and is started again`)
      setTimeout(
        () =>
          !stopped &&
          start(listening).catch(error =>
            log.error({ event: 'simulator.failed', err: error }, `${name} did not start again`),
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
