import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { type Route, serveRoutes } from './http.ts'

/** Serves a simulator until the process is asked to end, and says on its output where. `port` is that of PORT unless it is set; 0 takes a free one. */
export const runRoutes = (routes: readonly Route[], port: number, end: () => void = () => undefined): void => {
  const server = createServer(serveRoutes(routes))
  server.listen(Number(process.env.PORT ?? port), process.env.HOST ?? '127.0.0.1', () => {
    process.stdout.write(`${JSON.stringify({ listening: (server.address() as AddressInfo).port })}\n`)
  })
  const stop = () => {
    server.close()
    server.closeAllConnections()
    end()
    process.exit(0)
  }
  process.once('SIGTERM', stop)
  process.once('SIGINT', stop)
}
