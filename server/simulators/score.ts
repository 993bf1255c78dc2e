/**
 * A score service as a process of its own. Environment: PORT (0 takes a free one), HOST, API_KEY, SCORE_MODE (fine, silent, error, range),
 * HOLD_MS: for how long a request hangs that gets no answer (30,000). A model whose number ends in `-SILENT`, `-ERROR` or `-RANGE` gets
 * that fault, whatever the mode.
 */
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { serveRoutes } from './network/http.ts'
import { scoreModes, scoreVendor } from './score/vendor.ts'

const { env } = process
const routes = scoreVendor({
  apiKey: env.API_KEY ?? 'demo-key',
  mode: scoreModes.find(one => one === env.SCORE_MODE) ?? 'fine',
  holdMs: Number(env.HOLD_MS ?? 30_000),
})
const server = createServer(serveRoutes(routes))
server.listen(Number(env.PORT ?? 8097), env.HOST ?? '127.0.0.1', () => {
  process.stdout.write(`${JSON.stringify({ listening: (server.address() as AddressInfo).port })}\n`)
})
const stop = () => {
  server.close()
  server.closeAllConnections()
  process.exit(0)
}
process.once('SIGTERM', stop)
process.once('SIGINT', stop)
