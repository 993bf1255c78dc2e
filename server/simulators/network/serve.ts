import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { CallbackCall, Channel } from './channel.ts'
import { controlRoutes } from './control.ts'
import { type Route, serveRoutes } from './http.ts'
import { type Network, openNetwork } from './network.ts'
import { openScenarios, type Scenarios } from './scenarios.ts'

export type SimulatorOptions = {
  port: number
  host: string
  dir: string
  callbackUrl: string | null
  speed: number
  openingBalance: number
  seed: number | null
}

export type Protocol = {
  channel: Channel
  routes: (parts: { network: Network; scenarios: Scenarios }) => Route[]
}

const send = async (url: string, { method, body }: CallbackCall) => {
  const response = await fetch(url, {
    method,
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify(body),
    signal: AbortSignal.timeout(5000),
  })
  await response.arrayBuffer()
  return response.ok
}

/** Waits before each further try of a callback that nobody took, in seconds: a quarter of an hour in all, as a server may need to come back. */
const pauses = [1, 2, 4, 8, ...Array.from({ length: 60 }, () => 15)]

const deliver = async (url: string, call: CallbackCall) => {
  for (const pause of pauses) {
    if (await send(url, call).catch(() => false)) return
    await new Promise(resolve => setTimeout(resolve, pause * 1000).unref())
  }
}

/** Starts a network; resolves with its port once it listens. */
export const serveNetwork = async (protocol: Protocol, { port, host, seed, ...options }: SimulatorOptions) => {
  const { channel } = protocol
  const network = openNetwork({ ...options, channel, deliver })
  if (seed !== null) network.setSeed({ ...network.seeded(), seed })
  const scenarios = openScenarios(channel, network.seeded)
  const parts = { channel, network, scenarios }
  const server = createServer(serveRoutes([...protocol.routes(parts), ...controlRoutes(parts)]))
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject)
    server.listen(port, host, resolve)
  })
  return {
    port: (server.address() as AddressInfo).port,
    close() {
      server.close()
      server.closeAllConnections()
      network.close()
    },
  }
}

/**
 * Runs a network as a process of its own until it is stopped. Environment: PORT (0 takes a free one), HOST
 * (127.0.0.1), DATA_DIR, CALLBACK_URL, SPEED (1), OPENING_BALANCE (2,000,000,000), SEED.
 */
export const runNetwork = async (protocol: Protocol, defaults: { port: number; dir: string }): Promise<void> => {
  const { env } = process
  const simulator = await serveNetwork(protocol, {
    port: Number(env.PORT ?? defaults.port),
    host: env.HOST ?? '127.0.0.1',
    dir: env.DATA_DIR ?? defaults.dir,
    callbackUrl: env.CALLBACK_URL ?? null,
    speed: Number(env.SPEED ?? 1),
    openingBalance: Number(env.OPENING_BALANCE ?? 2_000_000_000),
    seed: env.SEED ? Number(env.SEED) : null,
  })
  process.stdout.write(`${JSON.stringify({ listening: simulator.port })}\n`)
  const stop = () => {
    simulator.close()
    process.exit(0)
  }
  process.once('SIGTERM', stop)
  process.once('SIGINT', stop)
}
