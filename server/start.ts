import { existsSync, readFileSync } from 'node:fs'
import type { Server } from 'node:http'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { createAdaptorServer } from '@hono/node-server'
import { sql } from 'kysely'
import { createApp } from './app.ts'
import { openChannels } from './channels.ts'
import type { Config } from './config.ts'
import { type MovableClock, movableClock, restoreClock } from './db/clock.ts'
import { type Database, openDatabase } from './db/database.ts'
import { json } from './db/json.ts'
import { writeDemoPartner } from './demo/partner.ts'
import { bankFolders } from './gateways/bank/folders.ts'
import { createHttp } from './http.ts'
import { liveEvents } from './live/live.ts'
import type { Log } from './log.ts'
import { createMetrics } from './metrics.ts'
import { modules } from './modules/modules.ts'
import { tracker } from './modules/tracking.ts'
import { jobsOf, startJobs } from './run.ts'
import { uploadDirectory } from './uploads/files.ts'

type Fetch = (request: Request, env: unknown) => Response | Promise<Response>
export type Running = { port: number; stop(): Promise<void> }

const here = path.dirname(fileURLToPath(import.meta.url))
const isBuilt = path.basename(path.dirname(here)) === 'dist'
const dist = isBuilt ? path.dirname(here) : path.join(here, '..', 'dist')
const simulatorProgram = (name: string) =>
  isBuilt ? path.join(here, `simulator-${name}.js`) : path.join(here, 'gateways', 'simulators', `${name}.ts`)

const versionOf = (): string => {
  const file = path.join(dist, 'portal', 'version.json')
  return existsSync(file) ? (JSON.parse(readFileSync(file, 'utf8')) as { version: string }).version : 'development'
}

const demoKey = 'DEMO_DATA'

/** Fills an empty database. One that was left half filled is of no use, and says so. */
const fill = async (db: Database, clock: MovableClock, log: Log): Promise<void> => {
  const { isEmpty, state } = await db.read(tx =>
    tx.one(sql<{ isEmpty: boolean; state: string | null }>`
      select not exists (select 1 from app_user) as is_empty,
        (select config_value ->> 'state' from business_config where config_key = ${demoKey}) as state`),
  )
  if (state === 'making') throw new Error('The demo data of this database were never finished: give it an empty one.')
  if (!isEmpty) return
  const note = (value: 'making' | 'made') =>
    db.withTx(tx =>
      tx.exec(sql`
        insert into business_config (config_key, config_value) values (${demoKey}, ${json({ state: value })})
        on conflict (config_key) do update set config_value = excluded.config_value`),
    )
  process.stdout.write('Making the demo data, this takes one to two minutes …\n')
  const { seed } = await import('./demo/seed.ts')
  await note('making')
  await seed({ db, clock, log })
  await note('made')
}

/**
 * The database of this installation. A demo's is filled first: a new directory without waiting for the disk at every
 * step, and it only counts once it was closed.
 */
const openFilled = async (config: Config, clock: MovableClock, log: Log): Promise<Database> => {
  const { databaseUrl, ownerUrl, dataDir, demo, poolSize, statementTimeoutMs } = config
  const connectionTimeoutMs = Math.min(10_000, statementTimeoutMs)
  const limits = { poolSize, statementTimeoutMs, connectionTimeoutMs }
  const place = databaseUrl ? { url: databaseUrl, ownerUrl, ...limits } : { dataDir }
  if (demo && !databaseUrl && !existsSync(path.join(dataDir, 'pg'))) {
    const fresh = await openDatabase({ ...place, clock, durable: false })
    await fill(fresh, clock, log)
    await fresh.close()
  }
  const db = await openDatabase({ ...place, clock })
  if (demo) await fill(db, clock, log)
  await restoreClock(db, clock)
  if (demo) await db.withTx(writeDemoPartner)
  if (demo) await (await import('./demo/authenticators.ts')).bindDemo(db, config.secretKey)
  return db
}

const listen = (server: Server, { port, host }: Config): Promise<number> =>
  new Promise((resolve, reject) => {
    server.once('error', reject)
    server.listen(port, host, () => {
      const address = server.address()
      resolve(typeof address === 'object' && address ? address.port : port)
    })
  })

const closed = (server: Server): Promise<void> =>
  new Promise(resolve => {
    server.close(() => resolve())
    server.closeIdleConnections()
  })

const starting: Fetch = () => new Response('', { status: 503, headers: { 'retry-after': '1' } })

/** Brings the whole product up on one port. `stop` takes no more calls, lets what runs come to its end and closes the database. */
export const startServer = async (config: Config, log: Log): Promise<Running> => {
  let answer = starting
  const server = createAdaptorServer({ fetch: (request, env) => answer(request, env) }) as Server
  const port = await listen(server, config)
  const clock = movableClock()
  const db = await openFilled(config, clock, log)
  const channels = await openChannels(config, { port, log, program: simulatorProgram })
  const all = modules({
    clock,
    demo: config.demo,
    payout: channels.payout,
    collect: channels.collect,
    ...(config.bankDir ? { bank: bankFolders(config.bankDir) } : {}),
    exportDir: path.join(config.dataDir, 'exports'),
    uploads: { dir: path.join(config.dataDir, uploadDirectory), secret: config.secretKey },
    importDir: path.join(config.dataDir, 'imports'),
    log,
    secretKey: config.secretKey,
  })
  const metrics = createMetrics(db)
  const api = createApp({ db, log, served: all.flatMap(module => module.served), observe: metrics.observe })
  const events = tracker(db, log)
  const live = liveEvents({ db, log })
  const http = createHttp({ api, db, metrics, tracker: events, live, version: versionOf(), dist })
  const jobs = await startJobs(db, jobsOf({ db, log, modules: all }))
  answer = (request, env) => http.fetch(request, env as object)
  log.info({ event: 'server.ready', port, kind: db.kind, version: versionOf() }, 'ready')
  return {
    port,
    async stop() {
      const lastCall = closed(server)
      live.close()
      await Promise.all([jobs.stop(), lastCall])
      await events.settled()
      channels.stop()
      await db.close()
    },
  }
}
