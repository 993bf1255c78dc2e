/**
 * A vendor of text messages as a process of its own. Environment: PORT (0 takes a free one), HOST, DATA_DIR, CUSTOMERS (JSON, who may send
 * and where reports go), SIM_SPEED (1), HOLD_MS: for how long a request hangs that gets no answer (30,000).
 */
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { serveRoutes } from './network/http.ts'
import type { Customer } from './sms/customer.ts'
import { openSmsVendor } from './sms/vendor.ts'

const { env } = process
const vendor = openSmsVendor({
  dir: env.DATA_DIR ?? '.data/sms',
  customers: JSON.parse(env.CUSTOMERS ?? '[]') as Customer[],
  speed: Number(env.SIM_SPEED ?? 1),
  holdMs: Number(env.HOLD_MS ?? 30_000),
})
const server = createServer(serveRoutes(vendor.routes))
server.listen(Number(env.PORT ?? 8092), env.HOST ?? '127.0.0.1', () => {
  process.stdout.write(`${JSON.stringify({ listening: (server.address() as AddressInfo).port })}\n`)
})
const stop = () => {
  server.close()
  server.closeAllConnections()
  vendor.close()
  process.exit(0)
}
process.once('SIGTERM', stop)
process.once('SIGINT', stop)
