import type { Server } from 'node:http'
import { fileURLToPath } from 'node:url'
import { createAdaptorServer } from '@hono/node-server'
import { movableClock } from '../../server/db/clock.ts'
import { openDatabase } from '../../server/db/database.ts'
import { createApp } from '../../server/http/app.ts'
import { clientAddress } from '../../server/http/defence/client-address.ts'
import { createHttp } from '../../server/http/http.ts'
import { createMetrics } from '../../server/http/metrics.ts'
import { liveEvents } from '../../server/live/live.ts'
import { silentLog } from '../../server/log.ts'
import { fakeGateway } from '../../server/systems/after-loan/payout/payout-fixture.ts'
import { modules } from '../../server/systems/systems.ts'
import { idleDeps } from '../idle-deps.ts'
import { answerUsage } from './usage.ts'

/** The product's own HTTP server on a filled database: everything between the socket and the statements, and no jobs. */
const [, , url = '', port = '0'] = process.argv
const clock = movableClock()
const db = await openDatabase({ url, clock })
const network = fakeGateway()
const all = modules(idleDeps(clock, network.gateway))
const metrics = createMetrics(db)
const log = silentLog
const api = createApp({
  db,
  log,
  served: all.flatMap(module => module.served),
  observe: metrics.observe,
  clientAddress: clientAddress([]),
})
const http = createHttp({
  api,
  db,
  metrics,
  tracker: { take: () => {} },
  live: liveEvents({ db, log, queuesOf: () => [] }),
  version: 'bench',
  dist: fileURLToPath(new URL('../../dist', import.meta.url)),
})
const server = createAdaptorServer({ fetch: http.fetch }) as Server
server.listen(Number(port), '127.0.0.1', () => answerUsage(server))
