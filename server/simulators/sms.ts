/**
 * A vendor of text messages as a process of its own. Environment: PORT (0 takes a free one), HOST, DATA_DIR, CUSTOMERS (JSON, who may send
 * and where reports go), SIM_SPEED (1), HOLD_MS: for how long a request hangs that gets no answer (30,000); SMPP_PORT: with it the vendor
 * takes lines by SMPP too (0 takes a free one); SYNCED=0 writes its record without waiting for the disk.
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
  synced: env.SYNCED !== '0',
})
const host = env.HOST ?? '127.0.0.1'
const lines = env.SMPP_PORT === undefined ? undefined : await vendor.smpp()
if (lines) await new Promise<void>(resolve => lines.listen(Number(env.SMPP_PORT), host, () => resolve()))
const server = createServer(serveRoutes(vendor.routes))
server.listen(Number(env.PORT ?? 8092), host, () => {
  const smpp = lines ? { smpp: (lines.address() as AddressInfo).port } : {}
  process.stdout.write(`${JSON.stringify({ listening: (server.address() as AddressInfo).port, ...smpp })}\n`)
})
const stop = () => {
  lines?.close()
  server.close()
  server.closeAllConnections()
  vendor.close()
  process.exit(0)
}
process.once('SIGTERM', stop)
process.once('SIGINT', stop)
