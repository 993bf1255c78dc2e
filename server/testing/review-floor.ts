import { sql } from 'kysely'
import { contract } from '../../core/contract/contract.ts'
import type { OutputOf } from '../../core/contract/endpoint.ts'
import type { Terms } from '../../core/rules/loan/terms.ts'
import { approvalModule } from '../approval/approval.ts'
import type { Tx } from '../db/database.ts'
import { type Attempt, GatewayUnavailable } from '../gateways/gateway.ts'
import type { Deps } from '../module.ts'
import { system } from '../rights/actor.ts'
import { create, transition } from '../states/transition.ts'
import { allotModule } from '../systems/audit/allotment/allot.ts'
import { orderManageModule } from '../systems/audit/order-list/order-manage.ts'
import { orderShortModule } from '../systems/audit/order-list/order-short.ts'
import { auditPersonModule } from '../systems/audit/person/person.ts'
import { questionModule } from '../systems/audit/question/question.ts'
import { reReviewModule } from '../systems/audit/re-review/re-review.ts'
import { reReviewConfigModule } from '../systems/audit/re-review/re-review-config.ts'
import { retrievalModule } from '../systems/audit/retrieval/retrieval.ts'
import { auditTaskModule } from '../systems/audit/task/audit-task.ts'
import { myAuditModule } from '../systems/audit/task/my-audit.ts'
import { blacklistModule } from '../systems/merchant/blacklist/blacklist.ts'
import { orderDetailModule } from '../systems/order/order/order-detail.ts'
import { fixtureTerms, openKit, type Person } from './kit.ts'
import { servesOwn } from './people.ts'

const { audit } = contract

const unused = (): never => {
  throw new Error('not part of reviewing')
}

/** Who the mobile money network says an account belongs to; `silent` does not answer. */
export type Holders = Map<string, string | null | 'silent'>

const depsWith = (holders: Holders): Deps => ({
  clock: { now: unused },
  demo: false,
  exportDir: '',
  uploads: { dir: '', secret: Buffer.alloc(32) },
  importDir: '',
  secretKey: Buffer.alloc(32),
  collect: { mtn_momo: { channel: 'mtn_momo', requestToPay: unused, query: unused, parseCallback: unused } },
  payout: {
    mtn_momo: {
      channel: 'mtn_momo',
      idempotentOnRef: true,
      postingCutOffHours: 24,
      send: (_: Attempt) => unused(),
      query: unused,
      balance: unused,
      parseCallback: unused,
      async verifyHolder(account) {
        const name = holders.get(account) ?? null
        if (name === 'silent') throw new GatewayUnavailable('no answer')
        return name === null ? null : { name }
      },
    },
  },
})

type OrderOptions = {
  merchantNo?: 'M1' | 'M2'
  loanKind?: 'first' | 'repeat'
  amount?: string
  customerNo?: string
  customerName?: string
  remainingLimit?: string
  terms?: Partial<Terms>
  payoutVerify?: string
  phone?: string
  suggestedAmount?: string
}

type AuditorOptions = {
  name?: string
  perms?: readonly string[]
  merchants?: readonly string[]
  limit?: 'own' | 'all' | 'own_merchants'
  sensitive?: readonly string[]
  queueCap?: number
  approvalCap?: string
  acceptFirst?: boolean
  acceptRepeat?: boolean
  auto?: boolean
  shift?: 'on' | 'off' | 'scheduled'
  ai?: boolean
  stepMax?: number
}

export const auditorPerms = ['audit:self:page', 'audit:order:handle', 'audit:order:changePayout', 'order:detail:view']
export const supervisorPerms = ['audit:allot:page', 'audit:order:allot']

/** A review floor: two merchants, orders in the queue, auditors and supervisors, and a network that knows who owns an account. */
export const openFloor = async (url?: string, now?: string) => {
  const holders: Holders = new Map()
  const deps = depsWith(holders)
  const atWork = auditTaskModule(deps)
  const retrieval = retrievalModule()
  const modules = [
    allotModule(deps),
    myAuditModule(deps),
    atWork,
    approvalModule([...(atWork.approvals ?? []), ...(retrieval.approvals ?? [])]),
    orderDetailModule(deps),
    orderManageModule(deps),
    orderShortModule(deps),
    questionModule(),
    auditPersonModule(),
    reReviewConfigModule(),
    reReviewModule(),
    retrieval,
    blacklistModule(deps),
  ]
  const kit = await openKit({ url, now, modules, handmade: true })
  const { db, call } = kit
  const scheduled = modules.flatMap(module => module.scheduled ?? [])
  let count = 0

  const one = <T>(query: ReturnType<typeof sql<T>>) => db.read(tx => tx.one(query))
  const rows = <T>(query: ReturnType<typeof sql<T>>) => db.read(tx => tx.rows(query))
  const exec = (query: ReturnType<typeof sql>) => db.withTx(tx => tx.exec(query))

  const customer = async (tx: Tx, customerNo: string, o: OrderOptions) => {
    const n = String(++count)
    await tx.exec(sql`
      insert into customer (customer_no, customer_name, id_number, phone, gender, birth_date, credit_limit, remaining_limit, register_time)
      values (${customerNo}, ${o.customerName ?? 'Sarah Nakato'}, ${`CF92${n.padStart(10, '0')}`}, ${o.phone ?? `25677${n.padStart(7, '0')}`}, 'female', '1992-05-06', 2000000, ${o.remainingLimit ?? '900000.00'}, ${tx.now})
      on conflict do nothing`)
  }

  /** An order that machine review has passed, in the queue. */
  const order = async (o: OrderOptions = {}): Promise<string> =>
    db.withTx(async tx => {
      const orderNo = `LO${String(++count).padStart(6, '0')}`
      const customerNo = o.customerNo ?? `CU${orderNo}`
      await customer(tx, customerNo, o)
      const { phone, customerName } = await tx.one(
        sql<{
          phone: string
          customerName: string
        }>`select phone, customer_name from customer where customer_no = ${customerNo}`,
      )
      const merchantNo = o.merchantNo ?? 'M1'
      const amount = o.amount ?? '200000.00'
      const terms = { ...fixtureTerms, ...o.terms }
      const actor = { ...system('intake'), no: `merchant:${merchantNo}` }
      await create(
        tx,
        'order',
        {
          orderNo,
          thirdOrderNo: `T${orderNo}`,
          merchantNo,
          customerNo,
          productNo: merchantNo === 'M1' ? 'P1' : 'P2',
          terms: JSON.stringify(terms),
          requestedAmount: amount,
          loanAmount: amount,
          actualLoanAmount: amount,
          term: terms.termDays,
          installmentCount: terms.installmentCount,
          loanKind: o.loanKind ?? 'first',
          applyTime: tx.now,
          statusTime: tx.now,
          payoutType: 'wallet',
          payoutSubtype: 'mtn',
          walletAccount: phone,
          cardholderName: customerName,
          payoutVerify: o.payoutVerify ?? 'passed',
          payoutHolderName: customerName,
          modelLevel: 'B',
          modelScore: 640,
          suggestedAmount: o.suggestedAmount ?? null,
        },
        { event: 'order.create' },
        actor,
      )
      const created = await tx.one(
        sql<{
          orderNo: string
          orderStatus: string
          version: number
        }>`select order_no, order_status, version from loan_order where order_no = ${orderNo}`,
      )
      await transition(
        tx,
        'order',
        created,
        { event: 'machine.pass', set: { machineTime: tx.now, statusTime: tx.now } },
        system('machine'),
      )
      return orderNo
    })

  const orders = async (n: number, o: OrderOptions = {}): Promise<string[]> => {
    const made = []
    for (let i = 0; i < n; i++) made.push(await order(o))
    return made
  }

  const auditor = async (o: AuditorOptions = {}): Promise<Person> => {
    const person = await kit.person({
      perms: o.perms ?? auditorPerms,
      limit: o.limit ?? 'own',
      name: o.name,
      merchants: o.merchants,
      sensitive: o.sensitive,
    })
    await exec(sql`
      insert into audit_person (user_no, queue_cap, approval_cap, accept_first, accept_repeat, auto_allocation, shift_override, ai_employee, audit_step_max)
      values (${person.userNo}, ${o.queueCap ?? 20}, ${o.approvalCap ?? '2000000.00'}, ${o.acceptFirst ?? true}, ${o.acceptRepeat ?? true}, ${o.auto ?? false}, ${o.shift ?? 'on'}, ${o.ai ?? false}, ${o.stepMax ?? 3})`)
    await exec(servesOwn(person))
    return person
  }

  const supervisor = (o: Partial<Parameters<typeof kit.person>[0]> = {}) => kit.person({ perms: supervisorPerms, ...o })

  const statusOf = async (orderNo: string) =>
    (await one(sql<{ orderStatus: string }>`select order_status from loan_order where order_no = ${orderNo}`))
      .orderStatus

  /** Puts an order into a status without its history, for tests of what a status refuses. */
  const forceStatus = (orderNo: string, status: string) =>
    db.withTx(async tx => {
      await tx.exec(
        sql`update loan_order set order_status = case when set_config('app.transition', 'on', true) = 'on' then ${status} end where order_no = ${orderNo}`,
      )
    })

  const allotTo = async (lead: Person, who: Person, orderNos: readonly string[]) =>
    call(audit.allot, { orderNos: [...orderNos], auditorNos: [who.userNo] }, { as: lead })

  type Opened = OutputOf<typeof audit.open>
  const open = async (who: Person, orderNo: string): Promise<Opened> => {
    const { code, msg, data } = await call(audit.open, { orderNo }, { as: who })
    if (code !== 0) throw new Error(`${code} ${msg}`)
    return data
  }

  /** The body of a complete pass; tests spoil one thing of it. */
  const passing = (task: Opened, approvalAmount = '200000.00') => ({
    orderNo: task.orderNo,
    leaseToken: task.leaseToken,
    version: task.orderVersion,
    auditResult: 'pass' as const,
    approvalAmount,
    approvalTime: kit.clock.now().toISOString(),
    faceConsistency: 'consistent' as const,
    answers: task.questions.map(question => ({
      questionNo: question.questionNo,
      optionNos: question.options.slice(0, 1).map(option => option.optionNo),
      ...(question.questionType === 'text' ? { text: 'Runs a stall' } : {}),
    })),
  })

  const run = async (job: string) => {
    const found = scheduled.find(one => one.job === job)
    if (!found) throw new Error(`no job ${job}`)
    return db.withTx(tx => found.run(tx, { date: tx.today }))
  }

  /** Everything business tables hold, to see that a refusal changed nothing. */
  const snapshot = async () =>
    JSON.stringify(
      await db.read(async tx => {
        const all = []
        for (const table of [
          'loan_order',
          'audit_task',
          'audit_record',
          'customer',
          'loan_code',
          'state_transition',
          'audit_log',
          'follow_record',
          'order_payout_history',
        ])
          all.push(
            await tx.rows(
              sql`select to_jsonb(x) - 'last_seen_time' as row from ${sql.table(table)} x order by to_jsonb(x)::text`,
            ),
          )
        return all
      }),
    )

  return {
    ...kit,
    holders,
    one,
    rows,
    exec,
    order,
    orders,
    auditor,
    supervisor,
    statusOf,
    forceStatus,
    allotTo,
    open,
    passing,
    run,
    snapshot,
  }
}

export type Floor = Awaited<ReturnType<typeof openFloor>>
