/**
 * A mail server as a process of its own. Environment: SMTP_PORT, where letters are taken (0 takes a free one); PORT, where its record is read
 * and its mode is set; HOST, DATA_DIR.
 */
import { createServer } from 'node:http'
import type { AddressInfo, Server } from 'node:net'
import { openMailServer } from './mail/server.ts'
import { serveRoutes } from './network/http.ts'

const { env } = process
const host = env.HOST ?? '127.0.0.1'
const mail = openMailServer({ dir: env.DATA_DIR ?? '.data/mail' })
const control = createServer(serveRoutes(mail.routes))

const listening = (server: Server, port: number): Promise<number> =>
  new Promise((resolve, reject) => {
    server.once('error', reject)
    server.listen(port, host, () => resolve((server.address() as AddressInfo).port))
  })

const smtp = await listening(mail.server, Number(env.SMTP_PORT ?? 8094))
process.stdout.write(`${JSON.stringify({ listening: await listening(control, Number(env.PORT ?? 8093)), smtp })}\n`)
const stop = () => {
  control.close()
  mail.close()
  process.exit(0)
}
process.once('SIGTERM', stop)
process.once('SIGINT', stop)
