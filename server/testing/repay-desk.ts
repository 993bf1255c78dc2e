import { randomUUID } from 'node:crypto'
import { type RawBuilder, sql } from 'kysely'
import { contract } from '../../core/contract/contract.ts'
import type { InputOf } from '../../core/contract/endpoint.ts'
import { quote } from '../../core/rules/loan/price.ts'
import type { Terms } from '../../core/rules/loan/terms.ts'
import { neg } from '../../core/rules/money.ts'
import { addDays, type EatDate, eatDate, parseEat } from '../../core/rules/time.ts'
import { approvalModule } from '../approval/approval.ts'
import type { CollectQueryAnswer } from '../gateways/gateway.ts'
import { mtnMomoCollection } from '../gateways/mtn-momo-collection.ts'
import { sweep } from '../invariants/sweep.ts'
import { handler, Worker } from '../jobs/queue.ts'
import { silentLog } from '../log.ts'
import type { Deps, NetworkHandler } from '../module.ts'
import { account, post } from '../money/ledger.ts'
import { system } from '../rights/actor.ts'
import { create, transition } from '../states/transition.ts'
import { delayedModule } from '../systems/after-loan/delayed/delayed.ts'
import { flowModule } from '../systems/after-loan/flow/flow.ts'
import { payInModule } from '../systems/after-loan/flow/pay-in.ts'
import { payLinkModule } from '../systems/after-loan/pay-link/pay-link.ts'
import { receiptModule } from '../systems/after-loan/receipt/receipt.ts'
import { rollDay } from '../systems/after-loan/repayment/day-roll.ts'
import { createPlans } from '../systems/after-loan/repayment/plan.ts'
import { repayModule } from '../systems/after-loan/repayment/repay.ts'
import { supplementModule } from '../systems/after-loan/supplement/supplement.ts'
import { dueRule } from '../systems/merchant/maturity/index.ts'
import { fixtureTerms, openKit, type Person } from './kit.ts'
import { readyFile } from './ready-file.ts'
import { withReceived } from './received.ts'

const { repay, common } = contract

export type Desk = Awaited<ReturnType<typeof openDesk>>
type Commit = InputOf<typeof repay.commit>
type FlowLine = Commit['flows'][number]
type Row = Record<string, unknown>

/** Everything that a repayment officer of the demo may do. */
export const officerPerms = [
  'repay:order:page',
  'repay:flow:list',
  'repay:flow:save',
  'repay:flow:commit',
  'repay:flow:void',
  'repay:settle:small',
  'postloan:repay:commit',
  'postloan:repay:link',
  'postloan:rollback:full',
]

/** A repayment desk in memory: paid-out orders, officers, a network that says what a test tells it, days that pass. */
export const openDesk = async (o: { terms?: Partial<Terms>; now?: string } = {}) => {
  const terms: Terms = { ...fixtureTerms, ...o.terms }
  const truth = new Map<string, CollectQueryAnswer>()
  const network = mtnMomoCollection({
    baseUrl: 'http://none',
    subscriptionKey: '',
    apiUser: '',
    apiKey: '',
    callbackUrl: '',
    targetEnvironment: 'test',
  } as never)
  const collect = {
    mtn_momo: {
      ...network,
      requestToPay: async () => ({ kind: 'accepted' }) as const,
      query: async (ref: string) => truth.get(ref) ?? ({ kind: 'notFound' } as const),
    },
  }
  const deps = { collect, payout: {} } as unknown as Deps
  const modules = [
    repayModule(deps),
    flowModule(deps),
    payInModule(deps),
    supplementModule(deps),
    delayedModule(deps),
    payLinkModule(deps),
    receiptModule(),
  ]
  const actions = modules.flatMap(module => module.approvals ?? [])
  const kit = await openKit({ modules: [...modules, approvalModule(actions)], now: o.now })
  const { db, clock } = kit
  let made = 0

  const rows = <T = Row>(query: RawBuilder<T>): Promise<T[]> => db.read(tx => tx.rows(query))
  const exec = (query: RawBuilder<unknown>) => db.withTx(tx => tx.exec(query))

  /** A customer with an order that was paid out today. */
  const order = async (
    p: {
      merchantNo?: 'M1' | 'M2'
      loanAmount?: string
      customerNo?: string
      payCode?: string
      terms?: Partial<Terms>
    } = {},
  ) => {
    const n = ++made
    const orderNo = `LO${String(n).padStart(6, '0')}`
    const merchantNo = p.merchantNo ?? 'M1'
    const own: Terms = { ...terms, ...p.terms }
    const { loanAmount, actualLoanAmount, upfront } = quote(own, { loanAmount: p.loanAmount ?? '200000.00' })
    const customerNo = p.customerNo ?? `CU${n}`
    await db.withTx(async tx => {
      const actor = system(`fixture ${orderNo}`)
      const phone = `25677${String(1_000_000 + n)}`
      if (!p.customerNo)
        await tx.exec(sql`
          insert into customer (customer_no, customer_name, id_number, phone, credit_limit, remaining_limit, register_time)
          values (${customerNo}, ${`Akello Customer ${n}`}, ${`CM${String(n).padStart(12, '0')}`}, ${phone}, 1000000, ${`${1_000_000 - Number(loanAmount)}`}, ${tx.now})`)
      else
        await tx.exec(
          sql`update customer set remaining_limit = remaining_limit - ${loanAmount}::numeric where customer_no = ${customerNo}`,
        )
      const productNo = merchantNo === 'M1' ? 'P1' : 'P2'
      const values = {
        orderNo,
        thirdOrderNo: `T-${orderNo}`,
        merchantNo,
        customerNo,
        productNo,
        terms: own,
        requestedAmount: loanAmount,
        loanAmount,
        actualLoanAmount,
        term: own.termDays,
        installmentCount: own.installmentCount,
        loanKind: 'first',
        applyTime: tx.now,
        statusTime: tx.now,
        payoutType: 'wallet',
        payoutSubtype: 'mtn',
        walletAccount: phone,
        cardholderName: `Akello Customer ${n}`,
        payCode: p.payCode ?? `7${String(n).padStart(9, '0')}`,
        version: 0,
      }
      await create(tx, 'order', values, { event: 'order.create' }, actor)
      let held = { orderNo, orderStatus: 'machine_reviewing', version: 0 }
      held = await transition(tx, 'order', held, { event: 'machine.autoApprove' }, actor)
      const loanCode = `LC${orderNo}`
      await create(
        tx,
        'loanCode',
        {
          loanCode,
          orderNo,
          loanCodeSeq: 1,
          actualLoanAmount,
          payoutType: 'wallet',
          payoutSubtype: 'mtn',
          walletAccount: phone,
          cardholderName: 'A',
          channel: 'mtn_momo',
          fundAccountNo: 'FA1',
          requestTime: tx.now,
        },
        { event: 'code.create' },
        actor,
      )
      let code = { loanCode, loanCodeStatus: 'created', version: 0 }
      const keys = { orderNo, loanCode, merchantNo, customerNo }
      await post(
        tx,
        {
          code: 'P0',
          cause: 'fund_account:FA1',
          keys: {},
          lines: [
            { account: account.bank('FA1'), amount: actualLoanAmount },
            { account: account.ownerFunds('Nile Credit'), amount: neg(actualLoanAmount) },
          ],
        },
        actor,
      )
      held = await transition(tx, 'order', held, { event: 'payout.start' }, actor)
      code = await transition(tx, 'loanCode', code, { event: 'payout.dispatch' }, actor)
      await post(
        tx,
        {
          code: 'P1a',
          cause: `loan_code:${loanCode}`,
          keys,
          lines: [
            { account: account.inFlight(loanCode), amount: actualLoanAmount },
            { account: account.bank('FA1'), amount: neg(actualLoanAmount) },
          ],
        },
        actor,
      )
      code = await transition(
        tx,
        'loanCode',
        code,
        { event: 'gateway.success', as: 'expected', set: { finishTime: tx.now } },
        actor,
      )
      await post(
        tx,
        {
          code: 'P1b',
          cause: `loan_code:${loanCode}`,
          valueDate: tx.today,
          keys,
          lines: [
            { account: account.principal(orderNo), amount: loanAmount, component: 'principal' },
            { account: account.inFlight(loanCode), amount: neg(actualLoanAmount) },
            { account: account.feeIncome, amount: neg(upfront.serviceFee), component: 'serviceFee' },
            { account: account.feeIncome, amount: neg(upfront.managementFee), component: 'managementFee' },
          ],
        },
        actor,
      )
      await transition(
        tx,
        'order',
        held,
        { event: 'payout.success', set: { payoutTime: tx.now, payoutDate: tx.today } },
        actor,
      )
      await createPlans(
        tx,
        { orderNo, merchantNo, customerNo, terms: own, loanAmount },
        { payoutDate: tx.today, rule: await dueRule(tx, { merchantNo, productNo }) },
        actor,
      )
    })
    return orderNo
  }

  /** The clock at a time of an EAT day; who is signed in stays so. */
  const at = async (date: EatDate, time = '10:00') => {
    clock.set(new Date(parseEat(`${date} ${time}`) as string))
    await exec(sql`update session set created_time = ${clock.now()}, last_seen_time = ${clock.now()}`)
  }

  /** Lets days pass, each with its day-end, until ten o'clock of the given one. */
  const until = async (date: EatDate) => {
    for (let day = addDays(eatDate(clock.now()), 1); day <= date; day = addDays(day, 1)) {
      await at(day, '00:05')
      await db.withTx(tx => rollDay(tx, day))
    }
    await at(date)
  }

  const officer = (p: Omit<Parameters<typeof kit.person>[0], 'perms'> & { perms?: readonly string[] } = {}) =>
    kit.person({ perms: officerPerms, ...p })

  let serial = 0
  /** A row of the form: money that just arrived and that the officer types in. */
  const typed = (amount: string, more: Partial<FlowLine> = {}): FlowLine => ({
    paymentCode: '7000000001',
    paymentChannel: 'mtn_momo',
    serialNo: `SN${++serial}`,
    amount,
    entryTime: clock.now().toISOString(),
    writeOffAmount: amount,
    ...more,
  })

  /** A row of the form that names money which has arrived. */
  const arrived = async (orderNo: string, amount: string, more: Partial<FlowLine> = {}): Promise<FlowLine> => {
    const { flows } = await withReceived(db, { orderNo, repayType: 'partial', flows: [typed(amount, more)] })
    return flows[0] as FlowLine
  }

  /** Has the money of typed lines arrive, tries, and commits what the trial showed, with its confirmations. */
  const pay = async (as: Person, asked: InputOf<typeof repay.trial>, more: Partial<Commit> = {}) => {
    const looked = await kit.call(repay.trial, asked, { as })
    if (looked.code !== 0) return { ...looked, data: null as never }
    const form = await withReceived(db, asked)
    const tried = await kit.call(repay.trial, form, { as })
    if (tried.code !== 0) return { ...tried, data: null as never }
    const [{ version }] = (await rows(
      sql<{ version: number }>`select version from loan_order where order_no = ${form.orderNo}`,
    )) as [{ version: number }]
    const { trialKey, flags } = tried.data
    const commit = { ...form, version, trialKey, ...flags, ...more }
    return kit.call(repay.commit, commit, { as })
  }

  /** A second person agrees to what was asked for; answers the state of the request and why it failed. */
  const agree = async (approvalNo: string) => {
    const checker = await kit.person({
      perms: [...officerPerms, 'postloan:rollback:full:check', 'repay:flow:void:check', 'repay:flow:commit:check'],
    })
    return kit.call(common.approve, { approvalNo, version: 0 }, { as: checker })
  }

  /** A second person confirms a typed receipt by a document; answers the request as it ended. */
  const confirm = async (as: Person, flowNo: string) => {
    const evidence = await readyFile(db, as.userNo)
    const [flow] = await rows(sql<{ version: number }>`select version from repay_flow where flow_no = ${flowNo}`)
    const version = flow?.version ?? 0
    const asked = await kit.call(repay.flowConfirm, { flowNo, version, evidence }, { as })
    return asked.code === 0 ? agree(asked.data.approvalNo) : { ...asked, data: null as never }
  }

  const rollback = async (as: Person, repaymentNo: string, rollbackAs: 'plain' | 'settle' | 'extension' = 'plain') => {
    const input = { repaymentNo, version: 0, rollbackAs, reason: 'wrong order' }
    const asked = await kit.call(repay.rollback, input, { as })
    return asked.code === 0 ? agree(asked.data.approvalNo) : asked
  }

  const queues = Object.fromEntries(
    modules
      .flatMap(module => module.queues ?? [])
      .map(queue => {
        const q = queue as unknown as NetworkHandler
        const run = handler<Record<string, unknown>, { prepared: unknown; answer: unknown } | null>({
          async before(job) {
            const prepared = await db.withTx(tx => q.before(tx, { jobKey: job.key, payload: job.payload }))
            return prepared === null ? null : { prepared, answer: await q.send(prepared) }
          },
          async effect(tx, _job, sent) {
            if (sent) await q.after(tx, sent.prepared, sent.answer)
          },
        })
        return [q.queue, run]
      }),
  )
  const worker = new Worker({ db, log: silentLog, handlers: queues })

  /** A callback arrives; the network then says `says` when it is asked. */
  const hear = async (ref: string, body: Row, says?: CollectQueryAnswer) => {
    if (says) truth.set(ref, says)
    const text = JSON.stringify({ payer: { partyId: '256770000000' }, externalId: 'x', referenceId: ref, ...body })
    await db.withTx(async tx => {
      const { eventNo } = await tx.one(sql<{ eventNo: number }>`
        insert into inbound_event (channel, event_id, body_hash, body, received_time) values ('mtn_momo', ${randomUUID()}, 'hash', ${text}, ${tx.now}) returning event_no`)
      await tx.exec(
        sql`insert into job (queue, job_key, payload, run_at, created_time) values ('payin.query', ${String(eventNo)}, ${JSON.stringify({ eventNo })}::jsonb, ${tx.now}, ${tx.now})`,
      )
    })
    await worker.drain()
    return (
      (await rows(sql<{ outcome: string | null }>`select outcome from inbound_event order by event_no desc limit 1`))[0]
        ?.outcome ?? null
    )
  }

  const broken = () => sweep(db)
  const balance = async (code: string) =>
    (await rows(sql<{ balance: string }>`select balance from ledger_balance where account_code = ${code}`))[0]
      ?.balance ?? '0.00'
  const detail = async (as: Person, orderNo: string) => (await kit.call(repay.detail, { orderNo }, { as })).data

  return {
    ...kit,
    rows,
    exec,
    order,
    at,
    until,
    officer,
    typed,
    pay,
    arrived,
    agree,
    confirm,
    rollback,
    hear,
    worker,
    truth,
    broken,
    balance,
    detail,
    deps,
  }
}
