import { once } from 'node:events'
import type { Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setTimeout as pause } from 'node:timers/promises'
import { createAdaptorServer } from '@hono/node-server'
import { sql } from 'kysely'
import { base } from '../../core/contract/endpoint.ts'
import { addDays, eatDate, startOfEatDay } from '../../core/rules/time.ts'
import { approvalModule } from '../../server/approval/approval.ts'
import { airtelMoney } from '../../server/gateways/airtel-money.ts'
import { airtelMoneyCollection } from '../../server/gateways/airtel-money-collection.ts'
import { bankFolders } from '../../server/gateways/bank/folders.ts'
import type { WalletChannel } from '../../server/gateways/gateway.ts'
import { mtnMomo } from '../../server/gateways/mtn-momo.ts'
import { mtnMomoCollection } from '../../server/gateways/mtn-momo-collection.ts'
import { createLog } from '../../server/log.ts'
import type { Deps, Module } from '../../server/module.ts'
import { account, post } from '../../server/money/ledger.ts'
import { system } from '../../server/rights/actor.ts'
import { type Jobs, jobsOf } from '../../server/run.ts'
import { defaultMix } from '../../server/simulators/network/seed.ts'
import {
  freshDir,
  type SimulatedBank,
  type SimulatedNetwork,
  startAirtel,
  startBank,
  startMomo,
} from '../../server/simulators/testing.ts'
import { bankBatchModule } from '../../server/systems/after-loan/bank-batch/bank-batch.ts'
import { callbackModule } from '../../server/systems/after-loan/flow/callback.ts'
import { flowModule } from '../../server/systems/after-loan/flow/flow.ts'
import { payInModule } from '../../server/systems/after-loan/flow/pay-in.ts'
import { ledgerModule } from '../../server/systems/after-loan/ledger/ledger.ts'
import { loanRouteModule } from '../../server/systems/after-loan/loan-route/loan-route.ts'
import { loanModule } from '../../server/systems/after-loan/payout/desk/loan.ts'
import { askTimes } from '../../server/systems/after-loan/payout/index.ts'
import { reconModule } from '../../server/systems/after-loan/reconciliation/recon.ts'
import { statementModule } from '../../server/systems/after-loan/reconciliation/statement.ts'
import { dayRollModule } from '../../server/systems/after-loan/repayment/day-roll.ts'
import { repayModule } from '../../server/systems/after-loan/repayment/repay.ts'
import { refundModule } from '../../server/systems/charge/refund/refund.ts'
import { refundSender } from '../../server/systems/charge/refund/refund-sender.ts'
import { transferModule } from '../../server/systems/charge/transfer/transfer.ts'
import { transferSender } from '../../server/systems/charge/transfer/transfer-sender.ts'
import { daySnapshotModule } from '../../server/systems/report/snapshot/day-snapshot.ts'
import { type Kit, openKit } from '../../server/testing/kit.ts'
import { begunItems } from '../../server/testing/proven.ts'

/** Accounts of ours: one of each network, one at a bank. */
export const accounts = { mtn_momo: 'FA1', airtel_money: 'FA2', bank_file: 'FA3' } as const
export const wallets: readonly WalletChannel[] = ['mtn_momo', 'airtel_money']
/** The number of our account with Airtel, to which money is moved from MTN. */
export const airtelNumber = '256750000001'
const bankNumber = '0140001112223'
/** What each account holds before the month, in whole shillings. */
export const opening = 40_000_000_000

/** Every case is drawn, also those that a statement alone shows. */
const mix = { ...defaultMix, G18: 1, G19: 1, G22: 1, G23: 1, G24: 6, G28: 2, R03: 4, R04: 4, R08: 2 }

const furnish = async (kit: Kit) =>
  kit.db.withTx(async tx => {
    await tx.exec(sql`insert into channel (channel, channel_name) values ('bank_file', 'Bank') on conflict do nothing`)
    await tx.exec(sql`
      insert into fund_account (fund_account_no, account_name, account_role, lender_name, channel, account_number, bank_name)
      values ('FA2', 'Airtel', 'both', 'Nile Credit', 'airtel_money', ${airtelNumber}, null),
        ('FA3', 'Bank', 'payout', 'Nile Credit', 'bank_file', ${bankNumber}, 'Stanbic Bank')`)
    await tx.exec(
      sql`insert into fund_account_merchant values ('FA2', 'M1'), ('FA2', 'M2'), ('FA3', 'M1'), ('FA3', 'M2')`,
    )
    await begunItems(tx)
    for (const fundAccountNo of Object.values(accounts)) {
      const amount = `${opening}.00`
      const lines = [
        { account: account.bank(fundAccountNo), amount },
        { account: account.ownerFunds('Nile Credit'), amount: `-${amount}` },
      ]
      await post(tx, { code: 'P0', cause: `fund_account:${fundAccountNo}`, keys: {}, lines }, system('month'))
    }
  })

/** What the server of the month does: everything by which money moves. */
const modulesOf = (deps: Deps): Module[] => {
  const own = [
    loanModule(deps, askTimes, [refundSender, transferSender]),
    refundModule(deps, askTimes),
    transferModule(deps, askTimes),
    repayModule(deps),
    flowModule(deps),
    payInModule(deps),
    callbackModule(deps),
    dayRollModule(deps),
    daySnapshotModule(),
    bankBatchModule(deps),
    statementModule(deps),
    reconModule(),
    loanRouteModule(deps),
    ledgerModule(),
  ]
  return [...own, approvalModule(own.flatMap(module => module.approvals ?? []))]
}

/** The programs of both networks and the bank, at one moment of business time. */
const startOthers = async (callbackUrl: (channel: WalletChannel) => string, seed: number, start: Date) => {
  const folder = freshDir()
  const [momo, airtel, bank] = await Promise.all([
    startMomo({ callbackUrl: callbackUrl('mtn_momo'), openingBalance: opening }),
    startAirtel({ callbackUrl: callbackUrl('airtel_money'), openingBalance: opening }),
    startBank({ folder, openingBalance: opening }),
  ])
  for (const network of [momo, airtel]) await network.seed(seed, mix)
  const ahead = Math.floor((start.getTime() - Date.now()) / 1000)
  await Promise.all([momo, airtel, bank].map(one => one.clock(ahead)))
  return { folder, momo, airtel, bank }
}

/** Waits for nothing that is due, and answers what is left to do. */
const dueQuery = (queues: readonly string[], now: Date) => sql<{ jobs: number; asks: number }>`
  select (select count(*)::int from job where queue = any(${queues as string[]}) and state = 'ready' and (run_at <= ${now} or worker is not null)) as jobs,
    (select count(*)::int from gateway_attempt where attempt_status in ('sent', 'unknown') and next_query_time <= ${now}) as asks`

/**
 * A server, both networks and a bank, each a process or a record of its own; they share nothing but HTTP and a folder. All clocks run,
 * and are moved together. @param url a PostgreSQL; the embedded database without it
 */
export const openWorld = async (o: { url?: string; seed: number }) => {
  let answer = async (_: Request): Promise<Response> => new Response(null, { status: 503 })
  const server = createAdaptorServer({ fetch: request => answer(request) }) as Server
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  /** Tomorrow at eight in Kampala. */
  const start = new Date(Date.parse(startOfEatDay(addDays(eatDate(new Date()), 1))) + 8 * 3_600_000)
  const others = await startOthers(channel => `http://127.0.0.1:${port}${base}/callback/pay/${channel}`, o.seed, start)
  const { momo, airtel, bank } = others
  const networks: Record<WalletChannel, SimulatedNetwork> = { mtn_momo: momo, airtel_money: airtel }
  const options = { timeoutMs: 2_500, asksPerSecond: 10_000 }
  const payout = { mtn_momo: mtnMomo(momo.config, options), airtel_money: airtelMoney(airtel.config, options) }
  const deps = {
    payout,
    collect: {
      mtn_momo: mtnMomoCollection(momo.config, options),
      airtel_money: airtelMoneyCollection(airtel.config, options),
    },
    bank: bankFolders(others.folder, { quietMs: 0 }),
    secretKey: Buffer.alloc(32),
    demo: false,
  } as unknown as Deps
  const modules = modulesOf(deps)
  const before = new Date(start.getTime() - 86_400_000).toISOString()
  const kit = await openKit({ modules, now: before, ...(o.url ? { url: o.url } : {}) })
  answer = async request => kit.app.fetch(request)
  await furnish(kit)
  kit.clock.startAt(start)
  const { worker, scheduler } = jobsOf({
    db: kit.db,
    log: createLog(process.env.LOG_LEVEL ?? 'silent'),
    modules,
    concurrency: o.url ? 12 : 6,
    pollMs: 50,
  })
  worker.start()
  const queues = modules.flatMap(module => (module.queues ?? []).map(({ queue }) => queue))
  const run = { kit, networks, bank, worker, scheduler, queues }
  return {
    ...run,
    payout,
    ...timeOf(run),
    async close() {
      await worker.stop()
      await kit.db.close()
      await Promise.all([momo.stop(), airtel.stop(), bank.stop()])
      server.close()
      server.closeAllConnections()
    },
  }
}
export type World = Awaited<ReturnType<typeof openWorld>>

type Running = {
  kit: Kit
  networks: Record<WalletChannel, SimulatedNetwork>
  bank: SimulatedBank
  worker: Jobs['worker']
  scheduler: Jobs['scheduler']
  queues: readonly string[]
}

/** How time goes by for everybody at once. */
const timeOf = ({ kit, networks, bank, worker, scheduler, queues }: Running) => {
  /** Lets everybody say and do what is due by now, until nothing is left. */
  const calm = async (): Promise<void> => {
    const until = Date.now() + 1_800_000
    for (;;) {
      await scheduler.runDue()
      worker.wake()
      await bank.look()
      await Promise.all(Object.values(networks).map(network => network.quiet()))
      const { jobs, asks } = await kit.db.read(tx => tx.one(dueQuery(queues, tx.now)))
      if (jobs === 0 && asks === 0) return
      if (jobs === 0) await move(16)
      else await pause(20)
      if (Date.now() > until) throw new Error(`the month stands still: ${jobs} jobs, ${asks} questions`)
    }
  }
  /** Sets all clocks forward; people stay signed in. */
  const move = async (seconds: number) => {
    await Promise.all([...Object.values(networks), bank].map(one => one.clock(seconds)))
    kit.clock.advance(seconds * 1000)
    await kit.db.withTx(tx => tx.exec(sql`update session set created_time = ${tx.now}, last_seen_time = ${tx.now}`))
  }
  return {
    calm,
    async pass(seconds: number) {
      await move(seconds)
      await calm()
    },
    /** Until a time of the business day, or of the next one where that is over. */
    async until(time: `${number}:${number}`) {
      const now = kit.clock.now()
      const [hours = 0, minutes = 0] = time.split(':').map(Number)
      const at = (date: string) => Date.parse(startOfEatDay(date)) + (hours * 60 + minutes) * 60_000
      const today = eatDate(now)
      const then = at(today) > now.getTime() ? at(today) : at(addDays(today, 1))
      await move(Math.ceil((then - now.getTime()) / 1000))
      await calm()
    },
  }
}
