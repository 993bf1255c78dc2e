import { type ChildProcess, spawn } from 'node:child_process'
import { generateKeyPairSync } from 'node:crypto'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { afterAll } from 'vitest'
import type { AirtelConfig } from '../gateways/airtel-client.ts'
import type { MtnConfig } from '../gateways/mtn-client.ts'
import { type Program, programOf } from '../testing/programs.ts'

export type Truth = {
  movements: {
    kind: string
    account: string
    ref: string
    externalId: string
    serialNo: string
    amount: string
    fee: string
    counterparty: string
    code: string | null
  }[]
  balances: { disbursement: string; collection: string }
}

export type Operations = {
  operations: {
    product: string
    ref: string
    externalId: string
    party: string
    amount: string
    code: string
    variant: string | null
    status: string
  }[]
  /** What was turned away and never taken in. */
  lost: { ref: string; party: string; code: string; variant: string | null }[]
}

const dirs: string[] = []
afterAll(() => {
  for (const dir of dirs.splice(0)) rmSync(dir, { recursive: true, force: true })
})

/** An empty directory that is gone after the tests. */
export const freshDir = (): string => {
  const dir = mkdtempSync(join(tmpdir(), 'mkopo-network-'))
  dirs.push(dir)
  return dir
}

/** Starts a simulator's entry in a child process and resolves with its first line of output. */
export const startProcess = async (
  entry: Program,
  env: { [name: string]: string },
): Promise<{ child: ChildProcess; line: string }> => {
  const child = spawn(process.execPath, [await programOf(entry)], {
    env: { ...process.env, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let complaint = ''
  child.stderr.on('data', (chunk: Buffer) => {
    complaint += chunk
  })
  const died = once(child, 'close').then(() => {
    throw new Error(`${entry} did not start: ${complaint}`)
  })
  died.catch(() => undefined)
  const [line] = (await Promise.race([once(createInterface({ input: child.stdout }), 'line'), died])) as [string]
  return { child, line }
}

/** Ends a process and waits until it is gone. */
export const end = async (child: ChildProcess, signal: NodeJS.Signals = 'SIGTERM') => {
  if (child.exitCode !== null || child.signalCode !== null) return
  const gone = once(child, 'exit')
  child.kill(signal)
  await gone
}

type NetworkOptions = { dir?: string; callbackUrl?: string; openingBalance?: number }

/** A simulated network in its own process, with its control. */
const startNetwork = async (
  entry: Program,
  { dir = freshDir(), callbackUrl = '', openingBalance = 100_000_000 }: NetworkOptions,
  env: { [name: string]: string } = {},
) => {
  const { child, line } = await startProcess(entry, {
    PORT: '0',
    DATA_DIR: dir,
    SPEED: '5',
    OPENING_BALANCE: String(openingBalance),
    ...(callbackUrl ? { CALLBACK_URL: callbackUrl } : {}),
    ...env,
  })
  const { listening } = JSON.parse(line) as { listening: number }
  const baseUrl = `http://127.0.0.1:${listening}`
  const post = async (path: string, body: object) => {
    const response = await fetch(`${baseUrl}${path}`, { method: 'POST', body: JSON.stringify(body) })
    if (response.status !== 200) throw new Error(`${path}: ${await response.text()}`)
    return response.json() as Promise<unknown>
  }
  const get = async <T>(path: string) => (await fetch(`${baseUrl}${path}`)).json() as Promise<T>
  return {
    baseUrl,
    dir,
    stop: (signal?: NodeJS.Signals) => end(child, signal),
    scenario: (body: object) => post('/_sim/scenario', body),
    clock: (seconds: number) => post('/_sim/clock', { seconds }),
    holder: (phone: string, name: string) => post('/_sim/holder', { phone, name }),
    fund: (amount: number) => post('/_sim/fund', { amount }),
    /** Draws the case of every further operation; a mix says how often each, null ends it. */
    seed: (seed: number | null, mix?: object) => post('/_sim/seed', { seed, ...(mix ? { mix } : {}) }),
    /** Resolves when no callback is in flight. */
    async quiet() {
      while ((await get<{ telling: number }>('/health')).telling > 0) await new Promise(go => setTimeout(go, 10))
    },
    operations: () => get<Operations>('/_sim/operations'),
    payIn: (body: object) =>
      post('/_sim/pay-in', body) as Promise<{ referenceId: string; financialTransactionId: string | null }>,
    truth: (query = '') => get<Truth>(`/_sim/truth${query}`),
    statement: <T>(query: string) => get<T>(`/_sim/statement?${query}`),
    statementCsv: async (query: string) => (await fetch(`${baseUrl}/_sim/statement?format=csv&${query}`)).text(),
  }
}
export type SimulatedNetwork = Awaited<ReturnType<typeof startNetwork>>

export const startMomo = async (options: NetworkOptions = {}) => {
  const network = await startNetwork('simulator-momo', options)
  const config: MtnConfig = {
    baseUrl: network.baseUrl,
    subscriptionKey: 'demo-subscription',
    apiUser: 'demo-user',
    apiKey: 'demo-key',
    targetEnvironment: 'mtnuganda',
    callbackUrl: options.callbackUrl ?? '',
  }
  return { ...network, config }
}
export type Momo = Awaited<ReturnType<typeof startMomo>>

/** Signs its callbacks with a key by default. */
export const startAirtel = async ({ signed = true, ...options }: NetworkOptions & { signed?: boolean } = {}) => {
  const { publicKey, privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 })
  const callbackKey = signed ? 'key-of-the-callbacks' : undefined
  const network = await startNetwork('simulator-airtel', options, {
    PRIVATE_KEY: privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(),
    ...(callbackKey ? { CALLBACK_KEY: callbackKey } : {}),
  })
  const config: AirtelConfig = {
    baseUrl: network.baseUrl,
    clientId: 'demo-client',
    clientSecret: 'demo-secret',
    pin: '1234',
    publicKey: publicKey.export({ type: 'spki', format: 'der' }).toString('base64'),
    callbackKey,
  }
  return { ...network, config }
}
export type Airtel = Awaited<ReturnType<typeof startAirtel>>

export type BankTruth = {
  movements: { kind: 'payout' | 'return'; externalId: string; serialNo: string; amount: string; account: string }[]
}

/** A bank in its own process that shares a folder with us. */
export const startBank = async ({
  folder,
  dir = freshDir(),
  openingBalance = 100_000_000,
}: {
  folder: string
  dir?: string
  openingBalance?: number
}) => {
  const { child, line } = await startProcess('simulator-bank', {
    PORT: '0',
    DATA_DIR: dir,
    FOLDER: folder,
    OPENING_BALANCE: String(openingBalance),
  })
  const { listening } = JSON.parse(line) as { listening: number }
  const baseUrl = `http://127.0.0.1:${listening}`
  const post = async (path: string, body: object = {}) => {
    const response = await fetch(`${baseUrl}${path}`, { method: 'POST', body: JSON.stringify(body) })
    if (response.status !== 200) throw new Error(`${path}: ${await response.text()}`)
  }
  return {
    stop: (signal?: NodeJS.Signals) => end(child, signal),
    scenario: (body: object) => post('/_sim/scenario', body),
    clock: (seconds: number) => post('/_sim/clock', { seconds }),
    /** Has it look into the folder now; resolves when it has done what is due. */
    look: () => post('/_sim/look'),
    truth: async () => (await fetch(`${baseUrl}/_sim/truth`)).json() as Promise<BankTruth>,
  }
}
export type SimulatedBank = Awaited<ReturnType<typeof startBank>>

export type Heard = {
  method: string
  url: string
  headers: { [name: string]: string | string[] | undefined }
  body: string
}

/** A listener that keeps every request it hears and answers with `answer`. */
export const listen = async (answer: (heard: Heard) => object | Promise<object> = () => ({})) => {
  const heard: Heard[] = []
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = []
    for await (const chunk of request as AsyncIterable<Buffer>) chunks.push(chunk)
    const one: Heard = {
      method: request.method ?? '',
      url: request.url ?? '',
      headers: request.headers,
      body: Buffer.concat(chunks).toString(),
    }
    heard.push(one)
    response.setHeader('Content-Type', 'application/json')
    response.end(JSON.stringify(await answer(one)))
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    heard,
    close() {
      server.close()
      server.closeAllConnections()
    },
  }
}
