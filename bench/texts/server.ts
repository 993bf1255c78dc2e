import { createServer } from 'node:http'
import { sql } from 'kysely'

import { openDatabase } from '../../server/db/database.ts'
import { africasTalking } from '../../server/gateways/texts/africas-talking.ts'
import { createApp } from '../../server/http/app.ts'
import { clientAddress } from '../../server/http/defence/client-address.ts'
import { silentLog } from '../../server/log.ts'
import type { Deps } from '../../server/module.ts'
import { noCollection } from '../../server/money/no-gateway.ts'
import { jobsOf } from '../../server/run.ts'
import { fakeGateway } from '../../server/systems/after-loan/payout/payout-fixture.ts'
import { sendJob } from '../../server/systems/marketing/sms-task/send.ts'
import { modules } from '../../server/systems/systems.ts'
import type { Access } from './task.ts'

/** The server as far as texts need it, in a process of its own that may be killed: sends the tasks there are, and takes reports in. */
const { url, port, started, access, workers } = JSON.parse(process.env.BENCH_TEXTS ?? '{}') as {
  url: string
  port: number
  started: number
  access: Access
  workers: number
}
const begin = Date.parse('2026-03-02T05:30:00Z')
const clock = { now: () => new Date(begin + Date.now() - started) }
const db = await openDatabase({ url, clock })
const { accountNo, vendorName, senderId, reportSecret, ...rest } = access
const vendor = africasTalking({ ...rest, timeoutMs: 700 })
const deps: Deps = {
  ...{ clock, demo: true, exportDir: '/tmp', importDir: '/tmp', secretKey: Buffer.alloc(32) },
  uploads: { dir: '/tmp', secret: Buffer.alloc(32, 1) },
  vendors: { mail: null, sms: [{ accountNo, vendorName, senderId, reportSecret, vendor }] },
  ...{ payout: { mtn_momo: fakeGateway().gateway }, collect: { mtn_momo: noCollection as never } },
}
const all = modules(deps)
const served = all.flatMap(module => module.served)
const app = createApp({ db, log: silentLog, served, expected: [], clientAddress: clientAddress([]) })
const server = createServer((request, response) => {
  let body = ''
  request.on('data', (part: Buffer) => {
    body += part.toString()
  })
  request.on('end', async () => {
    const headers = { 'content-type': String(request.headers['content-type']) }
    // The vendor has many addresses; a minute of one is not what is measured here.
    const remoteAddress = `10.${[1, 2, 3].map(() => Math.floor(Math.random() * 250)).join('.')}`
    const answer = await app.request(
      String(request.url),
      { method: 'POST', headers, body },
      { incoming: { socket: { remoteAddress } } },
    )
    response.writeHead(answer.status).end(await answer.text())
  })
})
server.listen(port, '127.0.0.1')
const { worker } = jobsOf({ db, log: silentLog, modules: all, concurrency: workers, pollMs: 50 })
worker.start()

let at = 0
for (;;) {
  await db.withTx(tx => sendJob.run(tx, { date: tx.today }))
  const { open, handled } = await db.read(tx =>
    tx.one(sql<{ open: number; handled: number }>`
      select (count(*) filter (where sms_task_status in ('created', 'sending')))::int as open, coalesce(sum(handled_count), 0)::int as handled from sms_task`),
  )
  process.stdout.write(
    `${JSON.stringify({ at: ++at, open, handled, mb: Math.round(process.memoryUsage.rss() / 2 ** 20) })}\n`,
  )
  await new Promise(resolve => setTimeout(resolve, 1_000))
}
