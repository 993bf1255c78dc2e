import { once } from 'node:events'
import type { Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { createAdaptorServer } from '@hono/node-server'
import { sql } from 'kysely'
import { base } from '../../../core/contract/endpoint.ts'
import { add, type Money, money, neg, sum } from '../../../core/rules/money.ts'
import { addDays, eatDate } from '../../../core/rules/time.ts'
import { type SimulatedNetwork, startAirtel, startMomo } from '../../simulators/testing.ts'
import { payInModule } from '../../systems/after-loan/flow/pay-in.ts'
import { type Made, openPayouts } from '../../systems/after-loan/payout/payout-fixture.ts'
import { statementModule } from '../../systems/after-loan/reconciliation/statement.ts'
import { airtelMoney } from '../airtel-money.ts'
import { airtelMoneyCollection } from '../airtel-money-collection.ts'
import type { PayoutGateway, WalletChannel } from '../gateway.ts'
import { mtnMomo } from '../mtn-momo.ts'
import { mtnMomoCollection } from '../mtn-momo-collection.ts'

export const channels: readonly WalletChannel[] = ['mtn_momo', 'airtel_money']
export const own = {
  mtn_momo: { account: 'FA1', subtype: 'mtn', prefix: '25677' },
  airtel_money: { account: 'FA2', subtype: 'airtel', prefix: '25675' },
} as const

/** What each account of ours holds before anything is paid. */
const opening: Money = '50000000.00'
/** A short timeout only where a case wants it: a slow machine is no case. */
const [patient, impatient] = [10_000, 300]
/** How we spare the networks is tested elsewhere. */
const asksPerSecond = 10_000

/** Noon of tomorrow in Kampala: nothing falls into a night, and no clock goes back. */
export const noon = () => new Date(`${new Date(Date.now() + 86_400_000).toISOString().slice(0, 10)}T09:00:00Z`)

/** Our server with both networks, each in a process of its own that it speaks with over HTTP, both ways. */
export const openFixture = async () => {
  let answer = async (_: Request) => new Response(null, { status: 503 })
  const server = createAdaptorServer({ fetch: request => answer(request) }) as Server
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  const callbackUrl = (channel: WalletChannel) => `http://127.0.0.1:${port}${base}/callback/pay/${channel}`
  const [momo, airtel] = await Promise.all([
    startMomo({ callbackUrl: callbackUrl('mtn_momo') }),
    startAirtel({ callbackUrl: callbackUrl('airtel_money') }),
  ])
  const networks: Record<WalletChannel, SimulatedNetwork> = { mtn_momo: momo, airtel_money: airtel }

  const impatientWith = new Set<string>()
  const over = (slow: PayoutGateway, quick: PayoutGateway): PayoutGateway => {
    const chosen = (to: string) => (impatientWith.has(to) ? quick : slow)
    return {
      ...slow,
      send: attempt => chosen(attempt.payee.walletAccount).send(attempt),
      query: attempt => chosen(attempt.payee.walletAccount).query(attempt),
    }
  }
  const mtn = (timeoutMs: number) => mtnMomo(momo.config, { timeoutMs, asksPerSecond })
  const money256 = (timeoutMs: number) => airtelMoney(airtel.config, { timeoutMs, asksPerSecond })
  const payout = {
    mtn_momo: over(mtn(patient), mtn(impatient)),
    airtel_money: over(money256(patient), money256(impatient)),
  }
  const collect = {
    mtn_momo: mtnMomoCollection(momo.config, { timeoutMs: patient, asksPerSecond }),
    airtel_money: airtelMoneyCollection(airtel.config, { timeoutMs: patient, asksPerSecond }),
  }
  const start = noon()
  for (const network of Object.values(networks)) await network.clock(Math.floor((start.getTime() - Date.now()) / 1000))
  const p = await openPayouts({
    gateway: payout.mtn_momo,
    airtel: payout.airtel_money,
    collect,
    now: start.toISOString(),
    running: [payInModule({ collect }), statementModule({ payout, collect })],
  })
  answer = async request => p.app.fetch(request)
  for (const channel of channels) await p.fund(opening, own[channel].account)
  let orders = 0

  const quiet = () => Promise.all(Object.values(networks).map(network => network.quiet()))
  /** Lets everybody say and do what is due, until nothing is left. */
  const settle = async () => {
    do await quiet()
    while ((await p.run()) > 0)
  }

  return {
    p,
    networks,
    settle,
    quiet,

    /** A new approved order to a payee of a channel who meets a case. */
    async order(channel: WalletChannel, o: { code: string; variant?: string; impatient?: boolean }): Promise<Made> {
      const wallet = `${own[channel].prefix}${String(++orders).padStart(6, '0')}1`
      if (o.impatient) impatientWith.add(wallet)
      await networks[channel].scenario({ match: 'payee', value: wallet, case: o.code, variant: o.variant })
      return p.approved({ wallet, subtype: own[channel].subtype })
    },

    /** Advances all clocks: first the networks do and report what falls due, then we query. */
    async pass(seconds: number) {
      for (const network of Object.values(networks)) await network.clock(seconds)
      p.clock.advance(seconds * 1000)
      await settle()
      await p.tick('attempt.query')
      await settle()
    },

    /** The night goes by: statements of the day are there, and books are compared with them. */
    async closeDay() {
      const now = p.clock.now()
      const morning = Date.parse(`${addDays(eatDate(now), 1)}T03:30:00Z`)
      const seconds = Math.floor((morning - now.getTime()) / 2000)
      for (let half = 0; half < 2; half += 1) await this.pass(seconds)
      await p.tick('statement.fetch')
      await settle()
      await p.tick('recon.run')
      await settle()
    },

    /** Time goes by, and only news are heard: nothing new is sent. */
    async hear(seconds: number) {
      for (const network of Object.values(networks)) await network.clock(seconds)
      p.clock.advance(seconds * 1000)
      for (let heard = 1; heard > 0; ) {
        await quiet()
        heard = (await p.run('attempt.ask')) + (await p.run('attempt.callback'))
      }
    },

    /** What really moved because of the sends of an order. */
    async moved(channel: WalletChannel, orderNo: string) {
      const refs = await p.db.read(tx =>
        tx.rows(sql<{ gatewayRef: string }>`
          select gateway_ref from gateway_attempt join loan_code on loan_code = parent_no where order_no = ${orderNo}`),
      )
      const { movements } = await networks[channel].truth()
      return movements.filter(({ ref }) => refs.some(({ gatewayRef }) => gatewayRef === ref))
    },

    /** How many callbacks came for a send, and what was suspicious about them. */
    callbacks: (loanCode: string) =>
      p.one<{ deliveries: number; suspicions: string[] }>(sql`
        select coalesce(sum(deliveries), 0)::int as deliveries,
          coalesce(array_agg(security_kind order by security_no) filter (where security_kind is not null), '{}') as suspicions
        from gateway_attempt join inbound_event on event_id like external_id || ':%' or event_id like gateway_ref || ':%'
          left join security_log on object_no = event_no::text
        where parent_no = ${loanCode}`),

    /** Our account of a channel by the ledger, and by what the network did since we opened it. */
    async bothBalances(channel: WalletChannel) {
      const { movements } = await networks[channel].truth()
      const real = movements
        .filter(({ kind }) => kind !== 'funding')
        .map(({ kind, amount }) => (kind === 'payIn' || kind === 'return' ? money(amount) : neg(money(amount))))
      return {
        ledger: await p.balance(`bank:${own[channel].account}`),
        truth: add(opening, sum(real)),
      }
    },

    async close() {
      await p.close()
      await Promise.all(Object.values(networks).map(network => network.stop()))
      server.close()
      server.closeAllConnections()
    },
  }
}
export type Fixture = Awaited<ReturnType<typeof openFixture>>
