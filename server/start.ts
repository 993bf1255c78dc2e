import { existsSync, readFileSync } from 'node:fs'
import type { Server } from 'node:http'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { createAdaptorServer } from '@hono/node-server'
import { sql } from 'kysely'
import { type Config, ConfigError } from './config.ts'
import { type MovableClock, movableClock } from './db/clock.ts'
import { type Database, openDatabase } from './db/database.ts'
import { restoreClock } from './db/kept-clock.ts'
import { writeDemoPartner } from './demo/partner.ts'
import { heldIn, noteDemo, refuseMixture } from './demo/state.ts'
import { uploadDirectory } from './files/uploads/files.ts'
import { bankFolders } from './gateways/bank/folders.ts'
import { openBvn } from './gateways/bvn/open-bvn.ts'
import { openScore } from './gateways/score/open-score.ts'
import { smppLines } from './gateways/texts/smpp/smpp-lines.ts'
import { createApp } from './http/app.ts'
import { clientAddress } from './http/defence/client-address.ts'
import { checkEveryMs, limitConnections } from './http/defence/connections.ts'
import { createHttp } from './http/http.ts'
import { createMetrics } from './http/metrics.ts'
import { liveEvents } from './live/live.ts'
import type { Log } from './log.ts'
import type { Deps, Module } from './module.ts'
import { openChannels } from './money/channels.ts'
import { inboxPath } from './outgoing/inbox.ts'
import { openVendors } from './outgoing/open-vendors.ts'
import { writeMenus } from './rights/write-menus.ts'
import { jobsOf, startJobs } from './run.ts'
import { sealMerchantSecrets } from './systems/common/merchant-secret.ts'
import { writeMaturityForAll } from './systems/merchant/maturity/seed.ts'
import { noteDeployment } from './systems/operation/app-version/index.ts'
import { writeProductVersions } from './systems/operation/product/seed.ts'
import { queuesOf } from './systems/portal/home/home.ts'
import { tracker } from './systems/portal/tracking/tracking.ts'
import { writeLegalCaps } from './systems/risk/legal-cap/seed.ts'
import { writeBasePlans } from './systems/risk/plan/seed.ts'
import { writeBaseModel } from './systems/risk/risk-model/seed.ts'
import { writeBaseRules } from './systems/risk/rule-set/seed.ts'
import { writeVipLadder } from './systems/supermarket/vip/seed.ts'
import { modules } from './systems/systems.ts'
import { writeBaseOptions } from './systems/telemarketing/base-option/seed.ts'
import { publishedWords } from './systems/user/dictionary/index.ts'
import { writeDictionaries } from './systems/user/dictionary/seed.ts'
import { writeLanguages } from './systems/user/language/index.ts'
import { driftsOf } from './systems/user/menu/index.ts'

type Fetch = (request: Request, env: unknown) => Response | Promise<Response>
export type Running = { port: number; stop(): Promise<void> }

const here = path.dirname(fileURLToPath(import.meta.url))
const isBuilt = path.basename(path.dirname(here)) === 'dist'
const dist = isBuilt ? path.dirname(here) : path.join(here, '..', 'dist')
const simulatorProgram = (name: string) =>
  isBuilt ? path.join(here, `simulator-${name}.js`) : path.join(here, 'simulators', `${name}.ts`)

const versionOf = (): string => {
  const file = path.join(dist, 'portal', 'version.json')
  return existsSync(file) ? (JSON.parse(readFileSync(file, 'utf8')) as { version: string }).version : 'development'
}

type Filling = { clock: MovableClock; log: Log; orders: number }

/** Shows on the terminal how far a work is, in steps of a tenth. */
const shown = (what: string) => {
  let said = 0
  process.stdout.write(`${what} …\n`)
  return (made: number) => {
    const tenths = Math.floor(made * 10)
    if (tenths <= said) return
    said = tenths
    process.stdout.write(`${what}: ${tenths * 10} %\n`)
  }
}

/** Fills an empty database with the demo. One that was left half filled is of no use, and says so. */
const fill = async (db: Database, { clock, log, orders }: Filling): Promise<void> => {
  const held = await heldIn(db)
  refuseMixture(held, true)
  if (held.demo === 'making')
    throw new ConfigError('The demo data of this database were never finished: give it an empty one.')
  if (!held.isEmpty) return
  const { days, seed } = await import('./demo/seed.ts')
  const show = shown(`Making the demo data (${orders} orders over ${days} days)`)
  await noteDemo(db, 'making')
  await seed({ db, clock, log, orders, progress: show })
  await noteDemo(db, 'made')
}

/** What everybody may use in a demo: new pages for its administrators, a partner, authenticators. */
const keepDemo = async (db: Database, { secretKey, examplesPort, dataDir }: Config): Promise<void> => {
  await db.withTx(tx =>
    tx.exec(sql`update role set every_code = true where role_no = 'administrator' and not every_code and version = 0`),
  )
  await db.withTx(tx => writeDemoPartner(tx, examplesPort))
  await (await import('./demo/authenticators.ts')).bindDemo(db, secretKey)
  await (await import('./demo/configs/name-lists.ts')).keepNameLists(db, secretKey)
  await (await import('./demo/configs/contact-blocks.ts')).keepContactBlocks(db)
  await (await import('./demo/configs/blacklist.ts')).keepBlacklist(db, secretKey)
  await (await import('./demo/configs/app-packages.ts')).keepPackages(db, dataDir)
}

/**
 * The database of this installation. A demo's is filled first: a new directory without waiting for the disk at every
 * step, and it only counts once it was closed.
 */
const openFilled = async (config: Config, clock: MovableClock, log: Log): Promise<Database> => {
  const { databaseUrl, ownerUrl, dataDir, demo, poolSize, statementTimeoutMs } = config
  const connectionTimeoutMs = Math.min(10_000, statementTimeoutMs)
  const limits = { poolSize, statementTimeoutMs, connectionTimeoutMs }
  const filling = { clock, log, orders: config.demoOrders }
  const place = databaseUrl ? { url: databaseUrl, ownerUrl, ...limits } : { dataDir }
  if (demo && !databaseUrl && !existsSync(path.join(dataDir, 'pg'))) {
    const fresh = await openDatabase({ ...place, clock, durable: false })
    await fill(fresh, filling)
    await fresh.close()
  }
  const db = await openDatabase({ ...place, clock })
  try {
    if (demo) await fill(db, filling)
    else refuseMixture(await heldIn(db), false)
    await restoreClock(db, clock)
    await sealMerchantSecrets(db, config.secretKey)
    if (demo) await keepDemo(db, config)
    await db.withTx(tx => writeMenus(tx))
    for (const { drift, menuNo, perms } of await db.read(tx => driftsOf(tx, 'en')))
      log.warn({ kind: drift, objectNo: menuNo, path: perms }, 'the menu differs from the program')
    await db.withTx(async tx => {
      await writeDictionaries(tx)
      await writeLanguages(tx)
      await writeBaseOptions(tx)
      await noteDeployment(tx, versionOf())
      await writeMaturityForAll(tx)
      await writeLegalCaps(tx)
      await writeBaseModel(tx)
      await writeBaseRules(tx)
      await writeVipLadder(tx)
      await writeProductVersions(tx)
      await writeBasePlans(tx)
      await publishedWords(tx)
    })
    return db
  } catch (error) {
    await db.close()
    throw error
  }
}

/** What to do when the port cannot be had. */
const portFault = (error: NodeJS.ErrnoException, { port }: Config): Error => {
  if (error.code === 'EADDRINUSE')
    return new ConfigError(
      `Port ${port} is taken: stop what listens there, or set PORT to another one, for example PORT=${port + 1} npm start.`,
    )
  if (error.code === 'EACCES')
    return new ConfigError(`Port ${port} needs rights that this process does not have: set PORT to one above 1023.`)
  return error
}

const listen = (server: Server, config: Config): Promise<number> =>
  new Promise((resolve, reject) => {
    const { port, host } = config
    server.once('error', error => reject(portFault(error, config)))
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

const waiting = `<!doctype html><meta charset="utf-8"><title>Mkopo</title>
<p>Mkopo 正在启动，请稍候。</p><p lang="en">Mkopo is starting; this page opens by itself.</p><p lang="sw">Mkopo inaanza; ukurasa huu utafunguka wenyewe.</p>`

/** Before the data are whole nothing of them is shown: a browser waits, everything else is refused. */
const starting: Fetch = request => {
  const headers = { 'retry-after': '1', 'cache-control': 'no-store' }
  if (!request.headers.get('accept')?.includes('text/html')) return new Response('', { status: 503, headers })
  const page = { ...headers, refresh: '2', 'content-type': 'text/html; charset=utf-8' }
  return new Response(waiting, { status: 503, headers: page })
}

type Around = Pick<Deps, 'clock' | 'payout' | 'collect' | 'bvn' | 'score' | 'lines'> & {
  log: Log
  port: number
  outside: Awaited<ReturnType<typeof openVendors>>
}

/** Everything the server does, with what it is given from outside. */
const partsOf = (config: Config, { clock, log, port, payout, collect, bvn, score, outside, lines }: Around): Module[] =>
  modules({
    clock,
    demo: config.demo,
    payout: payout,
    collect: collect,
    ...(bvn ? { bvn } : {}),
    ...(score ? { score } : {}),
    ...(config.bankDir ? { bank: bankFolders(config.bankDir) } : {}),
    exportDir: path.join(config.dataDir, 'exports'),
    uploads: { dir: path.join(config.dataDir, uploadDirectory), secret: config.secretKey },
    importDir: path.join(config.dataDir, 'imports'),
    vendors: outside.vendors,
    ...(lines ? { lines } : {}),
    ...(outside.inbox ? { inbox: inboxPath } : {}),
    address: config.publicUrl ?? `http://localhost:${port}`,
    log,
    secretKey: config.secretKey,
  })

type Place = Parameters<typeof openChannels>[1] &
  Parameters<typeof openVendors>[1] &
  Parameters<typeof openBvn>[1] &
  Parameters<typeof openScore>[1]

/** Everybody outside whom the server talks to: payment networks, vendors, the verification service. */
const openOutside = async (config: Config, place: Place) => {
  const [channels, post, banks, scores] = await Promise.all([
    openChannels(config, place),
    openVendors(config, place),
    openBvn(config, place),
    openScore(config, place),
  ])
  const { payout, collect } = channels
  return {
    payout,
    collect,
    ...(banks.bvn ? { bvn: banks.bvn } : {}),
    score: scores.score,
    post,
    stop() {
      for (const one of [channels, post, banks, scores]) one.stop()
    },
  }
}

/** Brings the whole product up on one port. `stop` takes no more calls, lets what runs come to its end and closes the database. */
export const startServer = async (config: Config, log: Log): Promise<Running> => {
  let answer = starting
  const server = createAdaptorServer({
    fetch: (request, env) => answer(request, env),
    serverOptions: { connectionsCheckingInterval: checkEveryMs },
  }) as Server
  limitConnections(server)
  const port = await listen(server, config)
  const clock = movableClock()
  const db = await openFilled(config, clock, log)
  const lines = smppLines()
  const { post, stop, ...reached } = await openOutside(config, { port, log, program: simulatorProgram, lines })
  const all = partsOf(config, { ...reached, clock, log, port, outside: post, lines })
  const metrics = createMetrics(db)
  const api = createApp({
    db,
    log,
    served: all.flatMap(module => module.served),
    observe: metrics.observe,
    clientAddress: clientAddress(config.trustedProxies),
  })
  const events = tracker(db, log)
  const live = liveEvents({ db, log, queuesOf })
  const http = createHttp({
    api,
    db,
    metrics,
    tracker: events,
    live,
    version: versionOf(),
    dist,
    operators: config.operators,
    ...(post.inbox ? { inbox: post.inbox } : {}),
  })
  const jobs = await startJobs(db, jobsOf({ db, log, modules: all }))
  const listening = all.flatMap(module => module.listens?.(db) ?? [])
  answer = (request, env) => http.fetch(request, env as object)
  log.info({ event: 'server.ready', port, kind: db.kind, version: versionOf() }, 'ready')
  return {
    port,
    async stop() {
      const lastCall = closed(server)
      live.close()
      await Promise.all([jobs.stop(), lastCall])
      for (const one of listening) one.stop()
      await events.settled()
      stop()
      await db.close()
    },
  }
}
