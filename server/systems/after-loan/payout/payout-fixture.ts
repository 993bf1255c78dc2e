import { sql } from 'kysely'
import { loan } from '../../../../core/contract/after-loan/loan.ts'
import { common } from '../../../../core/contract/common/common.ts'
import { payoutOf } from '../../../../core/rules/loan/fees.ts'
import { type Money, neg, sub } from '../../../../core/rules/money.ts'
import { approvalModule } from '../../../approval/approval.ts'
import type { Database, Tx } from '../../../db/database.ts'
import {
  type CallbackHint,
  type CollectGateway,
  GatewayUnavailable,
  type PayoutGateway,
  type QueryAnswer,
  type SendAnswer,
  type Statement,
} from '../../../gateways/gateway.ts'
import { jsonFields } from '../../../gateways/read.ts'
import type { AnyHandler, Deps, Module, NetworkHandler } from '../../../module.ts'
import { account, post } from '../../../money/ledger.ts'
import { system } from '../../../rights/actor.ts'
import { create, transition } from '../../../states/transition.ts'
import { fixtureTerms, openKit, type Person } from '../../../testing/kit.ts'
import { begunItems, reopened, switched } from '../../../testing/proven.ts'
import { readyFile } from '../../../testing/ready-file.ts'
import { ordersAndMoney, wipe } from '../../../testing/wipe.ts'
import type { Order } from '../../order/order/index.ts'
import { callbackModule } from '../flow/callback.ts'
import { loanModule } from './desk/loan.ts'
import type { Attempt, LoanCode } from './desk/loan-source.ts'
import { createLoanCode } from './payout.ts'

/** What an officer may do with payouts alone. */
export const payoutPerms = [
  'fund:payout:page',
  'fund:payout:cancel',
  'fund:payout:retry',
  'fund:userInfo:update',
  'fund:payout:recreate',
  'fund:payout:verify',
  'fund:channel:update',
]

/** What a second person holds who agrees to payees. */
export const payeeCheckerPerms = ['fund:payout:page', 'fund:userInfo:update:check', 'fund:payout:verify:check']

export const payee = '256772000031'
export const otherPayee = '256772000041'
export const principal = '200000.00'
/** What the fixture product pays out of {@link principal}: the service fee is kept back. */
export const paidOut = payoutOf(fixtureTerms, principal)
export const fee = sub(principal, paidOut)
export const paid = (o: Partial<Extract<QueryAnswer, { kind: 'success' }>> = {}): QueryAnswer => ({
  kind: 'success',
  serialNo: 'MP1',
  amount: paidOut,
  payee,
  ...o,
})
export const refused = (failType: 'payee_invalid' | 'other' | 'our_balance' | 'config' = 'other') =>
  ({ kind: 'failure', failType, answerCode: 'FAILED', answerMessage: `refused ${failType}` }) as const
export const none = { kind: 'none', reason: 'timeout' } as const

/** A callback of the network of this fixture. */
type Callback = Partial<Pick<CallbackHint, 'gatewayRef' | 'externalId' | 'amount' | 'signature' | 'proved'>> & {
  status?: string
  payee?: string
}

/** A network with scripted answers; without a script it answers `accepted`, then `pending`. It keeps what it was sent. */
export const fakeGateway = () => {
  const sends: SendAnswer[] = []
  const queries: QueryAnswer[] = []
  const sent: string[] = []
  const asked: string[] = []
  const messages: string[] = []
  const holders = new Map<string, string | null>()
  const statements = new Map<string, Statement>()
  const gateway: PayoutGateway & { idempotentOnRef: boolean } = {
    channel: 'mtn_momo',
    idempotentOnRef: true,
    postingCutOffHours: 24,
    send: async attempt => {
      sent.push(attempt.gatewayRef)
      messages.push(attempt.payerMessage)
      return sends.shift() ?? { kind: 'accepted' }
    },
    query: async attempt => {
      asked.push(attempt.gatewayRef)
      return queries.shift() ?? { kind: 'pending' }
    },
    verifyHolder: async wallet => {
      const name = holders.has(wallet) ? holders.get(wallet) : 'Grace Nakato'
      return name ? { name } : null
    },
    balance: async () => '1000000.00',
    statement: async date => {
      const said = statements.get(date)
      if (!said) throw new GatewayUnavailable(`no statement of ${date}`)
      return said
    },
    parseCallback: (_, body) => {
      const {
        gatewayRef = null,
        externalId = null,
        status = '',
        payee: to,
        ...more
      } = (jsonFields(body) ?? {}) as Callback
      if (!to) return null
      const claim = status === 'FAILED' ? { claim: 'failure' as const } : {}
      return { eventId: `${gatewayRef ?? externalId}:${status}`, gatewayRef, externalId, party: to, ...claim, ...more }
    },
  }
  return { gateway, sends, queries, sent, asked, messages, holders, statements }
}

const collect: CollectGateway = {
  channel: 'mtn_momo',
  requestToPay: async () => ({ kind: 'accepted' }),
  query: async () => ({ kind: 'notFound' }),
  parseCallback: (_, body) => {
    const { gatewayRef = null, externalId = null, payer } = (jsonFields(body) ?? {}) as Record<string, string>
    return payer ? { eventId: String(gatewayRef ?? externalId), gatewayRef, externalId } : null
  },
}

type Job = { id: number; queue: string; jobKey: string; payload: Record<string, unknown> }

const runJob = async (db: Database, handler: AnyHandler, job: Job) => {
  if ('handle' in handler) {
    await db.withTx(tx => handler.handle(tx, job))
    return
  }
  if ('step' in handler) {
    while (await db.withTx(tx => handler.step(tx, job)));
    return
  }
  const { before, send, after } = handler as unknown as NetworkHandler
  const prepared = await db.withTx(tx => before(tx, job))
  if (prepared === null) return
  const answer = await send(prepared)
  await db.withTx(tx => after(tx, prepared, answer))
}

const order = (tx: Tx, orderNo: string) => tx.one(sql<Order>`select * from loan_order where order_no = ${orderNo}`)

const walletPayee = (p: { subtype?: string; wallet?: string }) => ({
  payoutType: 'wallet',
  payoutSubtype: p.subtype ?? 'mtn',
  walletAccount: p.wallet ?? payee,
})
const bankPayee = (bankCardNo: string) => ({
  payoutType: 'bank',
  payoutSubtype: 'bank_transfer',
  bankName: 'Stanbic Bank',
  branch: 'Kampala Road',
  bankCardNo,
})

export type Made = { orderNo: string; loanCode: string }

/** A server with money in its account and a scripted network; `pay` advances the clock and runs the workers. */
export const openPayouts = async (
  o: {
    gateway?: PayoutGateway
    /** Airtel Money, with an account of ours. */
    airtel?: PayoutGateway
    collect?: Deps['collect']
    now?: string
    url?: string
    dataDir?: string
    more?: (payouts: Module) => readonly Module[]
    /** Further modules, whose queues `run` takes as well. */
    running?: readonly Module[]
  } = {},
) => {
  const network = fakeGateway()
  const deps: Pick<Deps, 'payout' | 'collect'> = {
    payout: { mtn_momo: o.gateway ?? network.gateway, ...(o.airtel ? { airtel_money: o.airtel } : {}) },
    collect: o.collect ?? { mtn_momo: collect },
  }
  const module = loanModule(deps)
  const running = [module, ...(o.running ?? [])]
  const modules = [...running, ...(o.more?.(module) ?? [])]
  const approvals = approvalModule(running.flatMap(one => one.approvals ?? []))
  const kit = await openKit({
    modules: [...modules, callbackModule(deps), approvals],
    now: o.now,
    url: o.url,
    dataDir: o.dataDir,
  })
  const { db, clock } = kit
  const queues = running.flatMap(({ queues = [] }) => queues)
  const handlers = new Map(queues.map(handler => [handler.queue, handler]))
  const actor = system('fixture')
  const start = clock.now()
  let orders = 0
  if (o.airtel)
    await db.withTx(async tx => {
      await tx.exec(
        sql`insert into fund_account (fund_account_no, account_name, account_role, lender_name, channel, account_number) values ('FA2', 'Airtel payout', 'both', 'Nile Credit', 'airtel_money', '256750000001')`,
      )
      await tx.exec(sql`insert into fund_account_merchant values ('FA2', 'M1'), ('FA2', 'M2')`)
      await begunItems(tx)
    })

  const one = <T>(query: Parameters<Tx['one']>[0]) => db.read(tx => tx.one(query)) as Promise<T>
  const code = (loanCode: string) => one<LoanCode>(sql`select * from loan_code where loan_code = ${loanCode}`)

  /** Runs one round of jobs of the given queues, or all queues until nothing is left. */
  const run = async (...queues: string[]): Promise<number> => {
    const wanted = queues.length ? queues : [...handlers.keys()]
    for (let total = 0; ; ) {
      const jobs = await db.read(tx =>
        tx.rows(
          sql<Job>`select id, queue, job_key, payload from job where state = 'ready' and queue = any(${wanted}) and run_at <= ${tx.now} order by id`,
        ),
      )
      for (const job of jobs) {
        await runJob(db, handlers.get(job.queue) as AnyHandler, job)
        await db.withTx(tx => tx.exec(sql`update job set state = 'done' where id = ${job.id}`))
      }
      total += jobs.length
      if (jobs.length === 0 || queues.length) return total
    }
  }

  return {
    ...kit,
    ...network,
    modules,
    run,

    officer: (o: Partial<Parameters<typeof kit.person>[0]> = {}) => kit.person({ perms: payoutPerms, ...o }),

    /** Back to how it was opened: no orders, one million in the account. */
    async reset() {
      clock.set(start)
      orders = 0
      for (const callbacks of [network.sends, network.queries, network.sent, network.asked, network.messages])
        callbacks.length = 0
      network.holders.clear()
      network.gateway.idempotentOnRef = true
      await db.withTx(async tx => {
        await wipe(tx, ...ordersAndMoney, 'importJob', 'bankBatch')
        await tx.exec(sql`update channel set enabled = ${switched('enabled')}`)
        await reopened(tx)
        await tx.exec(sql`update fund_account set enabled = ${switched('enabled')}, short_amount = null`)
      })
      await this.fund('1000000.00')
    },
    code,
    versionOf: async (loanCode: string) => (await code(loanCode)).version,
    handlers,
    one,
    actor,
    order: (orderNo: string) => db.read(tx => order(tx, orderNo)),
    attempt: (loanCode: string, attemptNo = 1) =>
      one<Attempt>(sql`select * from gateway_attempt where external_id = ${`${loanCode}-${attemptNo}`}`),
    balance: async (accountCode: string): Promise<Money> =>
      (
        await one<{ balance: Money }>(
          sql`select coalesce(sum(amount), 0)::numeric(18,2) as balance from journal_line where account_code = ${accountCode}`,
        )
      ).balance,
    postings: (loanCode: string) =>
      db.read(async tx =>
        (
          await tx.rows(
            sql<{
              postingCode: string
            }>`select distinct j.journal_no, j.posting_code from journal j join journal_line l using (journal_no) where l.loan_code = ${loanCode} order by j.journal_no`,
          )
        ).map(row => row.postingCode),
      ),
    items: () =>
      db.read(tx =>
        tx.rows(
          sql<{
            reconKind: string
            reference: string
            difference: string
          }>`select recon_kind, reference, difference from recon_item order by created_time, recon_kind`,
        ),
      ),

    /** Puts own money into the paying account. */
    fund: (amount: Money, fundAccountNo = 'FA1') =>
      db.withTx(tx =>
        post(
          tx,
          {
            code: 'P0',
            cause: `fund_account:${fundAccountNo}`,
            keys: {},
            lines: [
              { account: account.bank(fundAccountNo), amount },
              { account: account.ownerFunds('Nile Credit'), amount: neg(amount) },
            ],
          },
          actor,
        ),
      ),

    /** An order as the review leaves it, with its loan code; the merchant chooses the product. */
    async approved(
      p: { merchant?: 'M1' | 'M2'; wallet?: string; verify?: string; subtype?: string; bankCardNo?: string } = {},
    ): Promise<Made> {
      const n = ++orders
      const orderNo = `LO${n}`
      const product = p.merchant === 'M2' ? 'P2' : 'P1'
      const loanCode = await db.withTx(async tx => {
        await tx.exec(sql`
          insert into customer (customer_no, customer_name, id_number, phone, credit_limit, remaining_limit, register_time)
          values (${`CU${n}`}, 'Grace Nakato', ${`CF0000000000${n}`}, ${p.wallet ?? payee}, 500000, 300000, ${tx.now})`)
        const values = {
          orderNo,
          thirdOrderNo: `T${n}`,
          merchantNo: p.merchant ?? 'M1',
          customerNo: `CU${n}`,
          productNo: product,
          terms: fixtureTerms,
          requestedAmount: principal,
          loanAmount: principal,
          actualLoanAmount: paidOut,
          term: 14,
          installmentCount: 2,
          loanKind: 'first',
          applyTime: tx.now,
          statusTime: tx.now,
          ...(p.bankCardNo ? bankPayee(p.bankCardNo) : walletPayee(p)),
          cardholderName: 'Grace Nakato',
          payoutVerify: p.verify ?? 'passed',
        }
        await create(tx, 'order', values, { event: 'order.create' }, actor)
        await transition(tx, 'order', await order(tx, orderNo), { event: 'machine.autoApprove' }, actor)
        return createLoanCode(tx, await order(tx, orderNo), actor)
      })
      return { orderNo, loanCode }
    },

    /** An order whose payout the network refused. */
    async failed(failType: Parameters<typeof refused>[0] = 'other', o: Parameters<typeof this.approved>[0] = {}) {
      const made = await this.approved(o)
      network.sends.push(refused(failType))
      await run()
      return made
    },
    /** An order that was paid out at once. */
    async succeeded() {
      const made = await this.approved()
      network.sends.push({ kind: 'success', serialNo: `MP${made.orderNo}` })
      await run()
      return made
    },
    /** A second person, new each time, agrees to what was asked. */
    agree: async (approvalNo: string) =>
      kit.call(common.approve, { approvalNo, version: 0 }, { as: await kit.person({ perms: payeeCheckerPerms }) }),
    /** Asks for another wallet of a failed payout. */
    async correct(loanCode: string, to: { walletAccount: string; payoutSubtype?: 'mtn' | 'airtel' }, as: Person) {
      const { version } = await code(loanCode)
      const evidence = await readyFile(db, as.userNo)
      const account = { payoutType: 'wallet', payoutSubtype: 'mtn', cardholderName: 'Grace Nakato', ...to } as const
      return kit.call(loan.userInfo, { loanCode, version, evidence, ...account }, { as })
    },
    /** The same with a second person who agrees. */
    async corrected(loanCode: string, to: { walletAccount: string; payoutSubtype?: 'mtn' | 'airtel' }, as: Person) {
      const { data } = await this.correct(loanCode, to, as)
      return this.agree(data.approvalNo)
    },
    /** The states of a code and its order. */
    async stateOf(of: string | { loanCode: string }): Promise<string[]> {
      const { loanCodeStatus, orderNo } = await code(typeof of === 'string' ? of : of.loanCode)
      return [loanCodeStatus, (await db.read(tx => order(tx, orderNo))).orderStatus]
    },

    async tick(job: 'payout.dispatch' | 'attempt.query' | 'balance.poll' | 'statement.fetch' | 'recon.run') {
      const scheduled = running.flatMap(one => one.scheduled ?? []).find(one => one.job === job)
      return db.withTx(tx => scheduled!.run(tx, { date: tx.today }))
    },
    expireApprovals: () => db.withTx(tx => approvals.scheduled![0]!.run(tx, { date: tx.today })),
    async pass(seconds: number) {
      clock.advance(seconds * 1000)
      await this.tick('attempt.query')
      await run()
    },
  }
}
export type Payouts = Awaited<ReturnType<typeof openPayouts>>
