import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { type Keys, openAccess } from './access.ts'
import { controlRoutes } from './control.ts'
import { serveRoutes } from './http.ts'
import { openNetwork } from './network.ts'
import { collectionRoutes, disbursementRoutes } from './protocol.ts'
import { openScenarios } from './scenarios.ts'

export type SimulatorOptions = {
  port: number
  host: string
  dir: string
  callbackUrl: string | null
  keys: Keys
  speed: number
  openingBalance: number
}

const send = async (method: 'PUT' | 'POST', url: string, body: object) => {
  const response = await fetch(url, {
    method,
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify(body),
    signal: AbortSignal.timeout(5000),
  })
  await response.arrayBuffer()
  return response.ok
}

/** Waits before each further try of a callback that nobody took, in seconds. */
const pauses = [1, 2, 4, 8, 16, 30]

const deliver = async (method: 'PUT' | 'POST', url: string, body: object) => {
  for (const pause of pauses) {
    if (await send(method, url, body).catch(() => false)) return
    await new Promise(resolve => setTimeout(resolve, pause * 1000).unref())
  }
}

/** Starts the network; resolves with its port once it listens. */
export const serveMomo = async ({ port, host, dir, callbackUrl, keys, speed, openingBalance }: SimulatorOptions) => {
  const network = openNetwork({ dir, speed, openingBalance, callbackUrl, deliver })
  const parts = { network, access: openAccess(keys, network.now), scenarios: openScenarios() }
  const server = createServer(
    serveRoutes([...disbursementRoutes(parts), ...collectionRoutes(parts), ...controlRoutes(parts)]),
  )
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
