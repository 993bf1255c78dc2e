/**
 * The server of a storm: payouts, repayments and their jobs on a directory that outlives a kill, with a door for the process that makes
 * the storm. Environment: PORT, CONTROL_PORT, DATA_DIR or DATABASE_URL, MOMO_URL.
 */
import { createServer, type Server } from 'node:http'
import { createAdaptorServer } from '@hono/node-server'
import { sql } from 'kysely'
import { base } from '../../core/contract/endpoint.ts'
import { approvalModule } from '../../server/approval/approval.ts'
import { movableClock } from '../../server/db/clock.ts'
import { openDatabase } from '../../server/db/database.ts'
import { keepClock, restoreClock } from '../../server/db/kept-clock.ts'
import { momoAccess } from '../../server/demo/simulator.ts'
import { mtnMomo } from '../../server/gateways/mtn-momo.ts'
import { mtnMomoCollection } from '../../server/gateways/mtn-momo-collection.ts'
import { createApp } from '../../server/http/app.ts'
import { runInvariants } from '../../server/invariants/invariants.ts'
import { createLog } from '../../server/log.ts'
import type { Deps } from '../../server/module.ts'
import { system } from '../../server/rights/actor.ts'
import { jobsOf, startJobs } from '../../server/run.ts'
import { callbackModule } from '../../server/systems/after-loan/flow/callback.ts'
import { flowModule } from '../../server/systems/after-loan/flow/flow.ts'
import { payInModule } from '../../server/systems/after-loan/flow/pay-in.ts'
import { loanModule } from '../../server/systems/after-loan/payout/desk/loan.ts'
import { dayRollModule } from '../../server/systems/after-loan/repayment/day-roll.ts'
import { repayModule } from '../../server/systems/after-loan/repayment/repay.ts'
import { reopened } from '../../server/testing/proven.ts'
import { booksOf, furnish, orders, progressOf, waitingOf } from './books.ts'

const { env } = process
const port = Number(env.PORT)
const clock = movableClock()
const place = env.DATABASE_URL ? { url: env.DATABASE_URL, poolSize: 10 } : { dataDir: String(env.DATA_DIR) }
const log = createLog(env.LOG_LEVEL ?? 'error')
const db = await openDatabase({ ...place, clock, connectionTimeoutMs: 120_000 })
await restoreClock(db, clock)

const momo = {
  ...momoAccess().config,
  baseUrl: String(env.MOMO_URL),
  targetEnvironment: 'mtnuganda',
  callbackUrl: `http://127.0.0.1:${port}${base}/callback/pay/mtn_momo`,
}
/** A storm has no hours to wait for the pace of the real network. */
const options = { timeoutMs: 4_000, asksPerSecond: 2_000, now: () => clock.now().getTime() }
const deps = {
  payout: { mtn_momo: mtnMomo(momo, options) },
  collect: { mtn_momo: mtnMomoCollection(momo, options) },
} as unknown as Deps
const modules = [
  loanModule(deps),
  repayModule(deps),
  flowModule(deps),
  payInModule(deps),
  callbackModule(deps),
  dayRollModule(deps),
]
const approvals = approvalModule(modules.flatMap(module => module.approvals ?? []))
/** What money waits for; texts to customers are sent by others. */
const queues = modules.flatMap(module => (module.queues ?? []).map(({ queue }) => queue))
const served = [...modules, approvals].flatMap(module => module.served)

const app = createApp({ db, log, served, expected: [] })
const server = createAdaptorServer({ fetch: app.fetch }) as Server
await new Promise<void>(resolve => server.listen(port, '127.0.0.1', resolve))
await startJobs(db, jobsOf({ db, log, modules: [...modules, approvals], concurrency: 16, pollMs: 200 }))

type Asked = Record<string, unknown>
const actor = system('storm')
const deeds: Record<string, (given: Asked) => Promise<unknown>> = {
  health: async () => ({ ok: true }),
  furnish: ({ money }) => db.withTx(tx => furnish(tx, String(money), actor)),
  orders: ({ from, count }) => db.withTx(tx => orders(tx, Number(from), Number(count), actor)),
  waiting: () => db.read(tx => waitingOf(tx, queues)),
  progress: () => db.read(progressOf),
  books: () => db.read(booksOf),
  broken: () => db.read(runInvariants),
  clock: ({ seconds }) =>
    db.withTx(async tx => {
      clock.advance(Number(seconds) * 1000)
      await keepClock(tx, clock)
      await tx.exec(sql`update session set created_time = ${clock.now()}, last_seen_time = ${clock.now()}`)
      await reopened(tx)
      await tx.exec(sql`update fund_account set short_amount = null`)
    }),
}
createServer(async (request, response) => {
  const chunks: Buffer[] = []
  for await (const chunk of request as AsyncIterable<Buffer>) chunks.push(chunk)
  const act = deeds[String(request.url).slice(1)] as (given: Asked) => Promise<unknown>
  try {
    const found = await act(JSON.parse(Buffer.concat(chunks).toString() || '{}') as Asked)
    response.end(JSON.stringify(found ?? null))
  } catch (error) {
    response.statusCode = 500
    response.end(error instanceof Error ? error.stack : String(error))
  }
}).listen(Number(env.CONTROL_PORT), '127.0.0.1', () => process.stdout.write('ready\n'))
