import { Agent, request, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { createAdaptorServer } from '@hono/node-server'
import { sql } from 'kysely'
import { base } from '../../core/contract/endpoint.ts'
import { approvalModule } from '../../server/approval/approval.ts'
import { json } from '../../server/db/json.ts'
import { runInvariants } from '../../server/invariants/invariants.ts'
import type { Deps, NetworkHandler, QueueHandler } from '../../server/module.ts'
import { account, post } from '../../server/money/ledger.ts'
import { system } from '../../server/rights/actor.ts'
import { create, transition } from '../../server/states/transition.ts'
import { callbackModule } from '../../server/systems/after-loan/flow/callback.ts'
import { flowModule } from '../../server/systems/after-loan/flow/flow.ts'
import { payInModule } from '../../server/systems/after-loan/flow/pay-in.ts'
import { loanModule } from '../../server/systems/after-loan/payout/desk/loan.ts'
import { createLoanCode } from '../../server/systems/after-loan/payout/payout.ts'
import { rollDay } from '../../server/systems/after-loan/repayment/day-roll.ts'
import { repayModule } from '../../server/systems/after-loan/repayment/repay.ts'
import type { Order as StoredOrder } from '../../server/systems/order/order/order-source.ts'
import { openKit } from '../../server/testing/kit.ts'
import { begunItems } from '../../server/testing/proven.ts'
import { ordersAndMoney, wipe } from '../../server/testing/wipe.ts'
import { openCalendar } from './calendar.ts'
import { customerName, networks, newScript, type Script } from './network.ts'
import type { Order } from './state.ts'
import { type Cents, cents, money } from './sums.ts'

const start = Date.parse('2026-03-02T07:00:00Z')
const makerPerms = [
  'fund:payout:page',
  'fund:payout:cancel',
  'fund:payout:retry',
  'fund:payout:recreate',
  'fund:payout:verify',
  'fund:payout:confirm',
  'fund:channel:update',
  'fund:cancelPay',
  'repay:order:page',
  'repay:flow:list',
  'repay:flow:save',
  'repay:flow:commit',
  'repay:flow:void',
  'repay:settle:small',
  'postloan:repay:commit',
  'postloan:rollback:full',
]
const checkerPerms = ['postloan:rollback:full', 'repay:flow:void', 'repay:flow:commit', 'fund:cancelPay'].flatMap(
  perm => [perm, `${perm}:check`],
)

export const lotName = (lot: number) => `B${String(lot).padStart(3, '0')}`
export const accountsOf = (lot: number) => ({ main: `FB${lotName(lot)}`, spare: `FC${lotName(lot)}` })
/** A wallet of a lot; its last digit says who the network names. */
export const walletOf = (lot: number, n: number) => `25677${String(lot).padStart(4, '0')}${String(n).padStart(3, '0')}`
const lotOfWallet = (wallet: string) => Number(wallet.slice(5, 9))
const lotOf = (about: string) => (/^25677\d{7}$/.test(about) ? lotOfWallet(about) : Number(about.slice(1, 4)))

type Job = { id: number; queue: string; jobKey: string; payload: Record<string, unknown> }

/** A server in memory, heard over HTTP, with a merchant for each life that is lived at the same time. */
export const openFixture = async ({ lots, url }: { lots: number; url?: string }) => {
  const scripts = new Map<number, Script>()
  const script = (lot: number): Script => {
    const known = scripts.get(lot) ?? newScript()
    scripts.set(lot, known)
    return known
  }
  const { payout, collect } = networks(about => script(lotOf(about)))
  const deps = { payout: { mtn_momo: payout }, collect: { mtn_momo: collect } } as unknown as Deps
  const modules = [loanModule(deps), repayModule(deps), flowModule(deps), payInModule(deps)]
  const actions = modules.flatMap(module => module.approvals ?? [])
  const approvals = approvalModule(actions)
  const kit = await openKit({
    handmade: true,
    modules: [...modules, callbackModule(deps), approvals],
    url,
    database: { connectionTimeoutMs: 120_000 },
    now: new Date(start).toISOString(),
  })
  const { db, clock } = kit
  const actor = system('model')
  const handlers = new Map(modules.flatMap(module => module.queues ?? []).map(one => [one.queue, one]))
  const numbers = Array.from({ length: lots }, (_, index) => index + 1)

  await db.withTx(async tx => {
    for (const lot of numbers) {
      const name = lotName(lot)
      await tx.exec(
        sql`insert into merchant (merchant_no, merchant_name, app_name, org_no) values (${name}, ${name}, ${name}, 'O1')`,
      )
      await tx.exec(
        sql`insert into merchant_credential (api_key_id, merchant_no, secret) values (${`K-${name}`}, ${name}, ${`secret-${name}`})`,
      )
      await tx.exec(
        sql`insert into product (product_no, product_name, merchant_no, terms) select ${`P${name}`}, ${name}, ${name}, terms from product where product_no = 'P1'`,
      )
      for (const no of Object.values(accountsOf(lot))) {
        await tx.exec(
          sql`insert into fund_account (fund_account_no, account_name, account_role, lender_name, channel, account_number) values (${no}, ${no}, 'both', 'Nile Credit', 'mtn_momo', ${no})`,
        )
        await tx.exec(sql`insert into fund_account_merchant values (${no}, ${name})`)
      }
      await tx.exec(sql`insert into auto_write_off_config (config_no, merchant_no) values (${`W${name}`}, ${name})`)
      await begunItems(tx)
    }
  })
  const maker = await kit.person({ perms: makerPerms, merchants: ['M1'] })
  const checker = await kit.person({
    perms: [...makerPerms, ...checkerPerms.filter(perm => !makerPerms.includes(perm))],
    merchants: ['M1'],
  })

  /** Two who have nothing to do but payees: who changes one confirms no payout of it. */
  const clerk = await kit.person({ perms: ['fund:payout:page', 'fund:userInfo:update'], merchants: ['M1'] })
  const reader = await kit.person({ perms: ['fund:payout:page', 'fund:userInfo:update:check'], merchants: ['M1'] })

  const server = createAdaptorServer({ fetch: kit.app.fetch }) as Server
  /** A life may sleep for long between two calls of one connection. */
  server.keepAliveTimeout = 0
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  const agent = new Agent({ keepAlive: true })
  const send = (method: 'GET' | 'POST', path: string, o: { headers: Record<string, string>; body?: string }) =>
    new Promise<string>((resolve, reject) => {
      const headers = { 'content-type': 'application/json', language: 'en', ...o.headers }
      const asked = request({ host: '127.0.0.1', port, agent, method, path: `${base}${path}`, headers }, answer => {
        let text = ''
        answer.setEncoding('utf8')
        answer.on('data', (part: string) => void (text += part))
        answer.on('end', () => resolve(text))
        answer.on('error', reject)
      })
      asked.on('error', reject)
      asked.end(o.body)
    })

  const move = async (at: number, newDay: string | null) => {
    clock.set(new Date(at))
    await db.withTx(async tx => {
      await tx.exec(sql`update session set created_time = ${tx.now}, last_seen_time = ${tx.now}`)
      if (newDay) await rollDay(tx, newDay)
    })
    for (const { run } of approvals.scheduled ?? []) await db.withTx(tx => run(tx, { date: tx.today }))
  }

  /** Every table as at the beginning: no orders, no money. */
  const reset = async () => {
    clock.set(new Date(start))
    scripts.clear()
    await db.withTx(async tx => {
      await wipe(tx, ...ordersAndMoney, 'attachment', 'idempotency', 'stepUp', 'overpayment')
      await tx.exec(sql`update session set created_time = ${tx.now}, last_seen_time = ${tx.now}`)
    })
    return openCalendar({ start, move })
  }

  /** Own money of a lot, its limits, and its customer with orders that are waiting for their payout. */
  const furnish = async (
    lot: number,
    o: {
      customerNo: string
      phone: string
      bank: Record<string, Cents>
      limits: { shortfall: Cents; principal: Cents; overflow: Cents }
      orders: readonly Omit<Order, 'codes'>[]
    },
  ): Promise<string[]> =>
    db.withTx(async tx => {
      await tx.exec(
        sql`update auto_write_off_config set shortfall_limit = ${money(o.limits.shortfall)}, principal_limit = ${money(o.limits.principal)}, overflow_limit = ${money(o.limits.overflow)} where merchant_no = ${lotName(lot)}`,
      )
      for (const [no, amount] of Object.entries(o.bank)) {
        const lines = [
          { account: account.bank(no), amount: money(amount) },
          { account: account.ownerFunds('Nile Credit'), amount: money(-amount) },
        ]
        await post(tx, { code: 'P0', cause: `fund_account:${no}`, keys: {}, lines }, actor)
      }
      await tx.exec(sql`
        insert into customer (customer_no, customer_name, id_number, phone, credit_limit, remaining_limit, register_time)
        values (${o.customerNo}, ${customerName}, ${`CF${String(lot).padStart(12, '0')}`}, ${o.phone}, 5000000, 1000000, ${tx.now})`)
      const codes: string[] = []
      for (const order of o.orders) {
        const values = {
          orderNo: order.orderNo,
          thirdOrderNo: `T${order.orderNo}`,
          merchantNo: lotName(lot),
          customerNo: o.customerNo,
          productNo: `P${lotName(lot)}`,
          terms: json(order.terms),
          requestedAmount: money(order.amount),
          loanAmount: money(order.amount),
          actualLoanAmount: money(order.payout),
          term: order.terms.termDays,
          installmentCount: order.terms.installmentCount,
          loanKind: 'first',
          applyTime: tx.now,
          statusTime: tx.now,
          payoutType: 'wallet',
          payoutSubtype: 'mtn',
          walletAccount: order.payee.wallet,
          cardholderName: order.payee.name,
          payoutVerify: order.verify,
          payCode: order.payCode,
          version: 0,
        }
        await create(tx, 'order', values, { event: 'order.create' }, actor)
        const held = { orderNo: order.orderNo, orderStatus: 'machine_reviewing', version: 0 }
        await transition(tx, 'order', held, { event: 'machine.autoApprove' }, actor)
        const stored = await tx.one(sql<StoredOrder>`select * from loan_order where order_no = ${order.orderNo}`)
        codes.push(await createLoanCode(tx, stored, actor))
      }
      return codes
    })

  const run = async (job: Job) => {
    const handler = handlers.get(job.queue) as unknown as QueueHandler | NetworkHandler
    if ('handle' in handler) return db.withTx(tx => handler.handle(tx, job))
    const prepared = await db.withTx(tx => handler.before(tx, job))
    if (prepared === null) return undefined
    const answer = await handler.send(prepared)
    return db.withTx(tx => handler.after(tx, prepared, answer))
  }

  /** Does what is due in the queues of one lot, and what that makes due. */
  const work = async (lot: number): Promise<void> => {
    const own = sql`(
      split_part(coalesce(payload ->> 'loanCode', payload ->> 'externalId'), '-', 1) in (
        select lc.loan_code from loan_code lc join loan_order o using (order_no) where o.merchant_no = ${lotName(lot)})
      or (payload ->> 'eventNo')::bigint in (select event_no from inbound_event where body::text like ${`%"${lotName(lot)}-%`}))`
    for (;;) {
      const jobs = await db.read(tx =>
        tx.rows(
          sql<Job>`select id, queue, job_key, payload from job where state = 'ready' and run_at <= ${tx.now} and ${own} order by id`,
        ),
      )
      if (jobs.length === 0) return
      for (const job of jobs) {
        await run(job)
        await db.withTx(tx => tx.exec(sql`update job set state = 'done' where id = ${job.id}`))
      }
    }
  }

  /** The kept balances of a lot, what stands as a difference of its payments, and what became of the news about them. */
  const books = (lot: number, customerNo: string) =>
    db.read(async tx => {
      const { main, spare } = accountsOf(lot)
      const ours = sql`in (select lc.loan_code from loan_code lc join loan_order o using (order_no) where o.merchant_no = ${lotName(lot)})`
      const balances = await tx.rows(sql<{ accountCode: string; balance: string }>`
        select account_code, balance from ledger_balance
        where account_code = any(${[`bank:${main}`, `bank:${spare}`, `overpayment:${customerNo}`]})
          or account_code like 'payout_exception:%' and split_part(split_part(account_code, ':', 2), '-', 1) ${ours}`)
      const recon = await tx.rows(sql<{ item: string }>`
        select recon_kind || ' ' || reference as item from recon_item
        where object_type = 'loanCode' and object_no ${ours} or reference like ${`N-${lotName(lot)}-%`}`)
      const events = await tx.rows(sql<{ outcome: string | null }>`
        select split_part(outcome, ' ', 1) as outcome from inbound_event where body like ${`%"${lotName(lot)}-p%`} order by event_no`)
      return {
        balances: Object.fromEntries(balances.map(({ accountCode, balance }) => [accountCode, cents(balance)])),
        recon: recon.map(({ item }) => item),
        outcomes: events.map(({ outcome }) => outcome),
      }
    })

  return {
    ...kit,
    send,
    maker,
    checker,
    clerk,
    reader,
    script,
    reset,
    furnish,
    work,
    books,
    broken: () => db.read(runInvariants),
    async close() {
      agent.destroy()
      server.closeAllConnections()
      await new Promise(resolve => server.close(resolve))
      await kit.close()
    },
  }
}
export type Fixture = Awaited<ReturnType<typeof openFixture>>
