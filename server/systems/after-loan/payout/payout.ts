import { type RawBuilder, sql } from 'kysely'
import type { waitReasons } from '../../../../core/contract/after-loan/loan.ts'
import type { ValueOf } from '../../../../core/contract/fields.ts'
import { upfrontFees } from '../../../../core/rules/loan/fees.ts'
import { add, eq, isWhole, lt, type Money, neg, sum } from '../../../../core/rules/money.ts'
import { provenResults } from '../../../../core/rules/payee.ts'
import type { Tx } from '../../../db/database.ts'
import { refOf } from '../../../gateways/gateway.ts'
import { newRequestId } from '../../../http/request.ts'
import { enqueue } from '../../../jobs/queue.ts'
import type { QueueHandler, Scheduled } from '../../../module.ts'
import { account, post } from '../../../money/ledger.ts'
import { newNo, newPayCode } from '../../../money/numbers.ts'
import { leaving, spendable } from '../../../money/spendable.ts'
import { type Actor, system } from '../../../rights/actor.ts'
import { create, transition } from '../../../states/transition.ts'
import { type DueRule, dueRule } from '../../merchant/maturity/index.ts'
import { signContracts } from '../../operation/app-content/index.ts'
import { keptByLimit, lockLimitsOf, noteTaken, type Taken, takeLimits } from '../../operation/loan-limit/index.ts'
import type { Order } from '../../order/order/index.ts'
import { isBarred, type ListValues, noteNamed } from '../../risk/name-list/index.ts'
import { leftToday } from '../fund-account/fund-account-source.ts'
import { routesInForce, routeTarget } from '../loan-route/route-target.ts'
import { type HeldCode, lockCode } from './desk/loan-source.ts'
import { payeeOf } from './payee/loan-payee.ts'
import { type Channel, channelOf } from './payout-channel.ts'

type Frag = RawBuilder<unknown>
type WaitReason = ValueOf<typeof waitReasons>

/** When an attempt without an answer is asked about: seconds after it was sent, then again and again. */
export type AskTimes = { after: readonly number[]; thenEvery: number }
export const askTimes: AskTimes = { after: [60, 120, 300, 600, 1800], thenEvery: 3600 }

/** When to ask next about something sent at `sent`. */
export const nextAsk = (times: AskTimes, sent: Date, now: Date): Date => {
  const passed = (now.getTime() - sent.getTime()) / 1000
  const next = times.after.find(seconds => seconds > passed)
  return new Date(next === undefined ? now.getTime() + times.thenEvery * 1000 : sent.getTime() + next * 1000)
}

export const payoutKeys = (order: Pick<Order, 'orderNo' | 'merchantNo' | 'customerNo'>, loanCode: string) => ({
  orderNo: order.orderNo,
  merchantNo: order.merchantNo,
  customerNo: order.customerNo,
  loanCode,
})

/** The account that pays for a merchant over a channel. */
const routed = (merchantNo: Frag, channel: Frag): Frag => sql`(
  select r.fund_account_no from fund_account r join fund_account_merchant rm on rm.fund_account_no = r.fund_account_no
  where rm.merchant_no = ${merchantNo} and r.channel = ${channel} and r.enabled = 'enabled' and r.account_role in ('payout', 'both')
  order by r.created_time, r.fund_account_no limit 1)`

/** Has a created code looked at as soon as this transaction is committed. */
export const wakeDispatch = (tx: Tx, loanCode: string): Promise<boolean> =>
  enqueue(tx, 'payout.dispatch', `${loanCode}:${crypto.randomUUID()}`, { loanCode })

/** Makes the instruction to pay an approved, locked order; answers its number. */
export const createLoanCode = async (
  tx: Tx,
  order: Order,
  actor: Actor,
  /** The order was agreed to before: a new instruction changes nothing of that. */
  o: { isAgreed?: true } = {},
): Promise<string> => {
  const amount = order.actualLoanAmount
  const fees = sum(Object.values(upfrontFees(order.terms, order.loanAmount)))
  if (!isWhole(amount) || !eq(add(amount, fees), order.loanAmount))
    throw new Error(`${order.orderNo}: ${amount} is not what its terms pay out of ${order.loanAmount}`)
  const loanCode = newNo('LC', tx.now)
  const channel = channelOf[order.payoutSubtype]
  const { seq, fundAccountNo } = await tx.one(sql<{ seq: number; fundAccountNo: string | null }>`
    select (select count(*)::int + 1 from loan_code where order_no = ${order.orderNo}) as seq,
      ${routed(sql`${order.merchantNo}`, sql`${channel}`)} as fund_account_no`)
  const values = {
    loanCode,
    orderNo: order.orderNo,
    loanCodeSeq: seq,
    actualLoanAmount: amount,
    ...payeeOf(order),
    verifyResult: order.payoutVerify,
    holderName: order.payoutHolderName,
    channel,
    fundAccountNo,
    requestTime: tx.now,
  }
  await create(tx, 'loanCode', values, { event: 'code.create' }, actor)
  if (!o.isAgreed) await signContracts(tx, order, loanCode)
  await wakeDispatch(tx, loanCode)
  return loanCode
}

/** How codes may leave: over which channels, and whether those to a bank are looked at for a file that is being made. */
export type Ways = { served: readonly string[]; inFile?: true }

type Candidate = {
  loanCode: string
  amount: Money
  fundAccountNo: string | null
  channel: Channel
  /** The route that chose the account; none where a person or the merchant's own account did. */
  routeNo: string | null
  waitReason: WaitReason | null
  reason: WaitReason | null
  /** What its account may still send today; null for no limit. */
  capLeft: Money | null
}

/**
 * Created codes with the account that would pay them now, and what keeps them from being sent: those to a bank wait for
 * the file of their account. `where` speaks of `lc`, `o` its order and `fa` the account.
 */
export const candidates = async (tx: Tx, { served, inFile }: Ways, where: Frag): Promise<Candidate[]> => {
  const ways = Object.entries(channelOf).map(([subtype, channel]) => sql`when ${subtype} then ${channel}`)
  const channel = sql`case o.payout_subtype ${sql.join(ways, sql` `)} end`
  const routes = await routesInForce(tx)
  const byRule = routes
    ? sql`left join lateral ${routeTarget(tx)} rt on not lc.account_fixed`
    : sql`left join (select null::text as route_no, null::text as fund_account_no) rt on true`
  const routedNo = routes
    ? sql`case when lc.account_fixed then lc.fund_account_no else rt.fund_account_no end`
    : sql`coalesce(lc.fund_account_no, ${routed(sql`o.merchant_no`, channel)})`
  return tx.rows(sql<Candidate>`
    select lc.loan_code, lc.actual_loan_amount as amount, fa.fund_account_no, fa.channel, lc.wait_reason, rt.route_no,
      case when lc.wait_reason = 'blocked' then 'blocked'
        when ${isBarred(tx, { orderNo: sql`lc.order_no`, merchantNo: sql`o.merchant_no`, since: sql`lc.list_released_time` })} then 'blacklist_check'
        when lc.verify_result <> all(${[...provenResults]}) then 'payee_unproven'
        when ${keptByLimit(tx.today)} then 'merchant_limit'
        when fa.fund_account_no is null or fa.channel <> all(${served as string[]}) then 'no_route'
        when ch.enabled <> 'enabled' or ch.pause_status = 'paused' then 'channel_paused'
        when fa.short_amount is not null or coalesce(b.balance, 0) - ${leaving(sql`fa.fund_account_no`)} < lc.actual_loan_amount then 'short_balance'
        when cap.left < lc.actual_loan_amount then 'cap_reached'
        when fa.channel = 'bank_file' and not ${inFile ?? false} then 'window_closed' end as reason,
      cap.left as cap_left
    from loan_code lc join loan_order o on o.order_no = lc.order_no
      ${byRule}
      left join fund_account fa on fa.enabled = 'enabled' and fa.fund_account_no = ${routedNo}
      left join channel ch on ch.channel = fa.channel
      left join ledger_balance b on b.account_code = 'bank:' || fa.fund_account_no
      left join lateral (select ${leftToday(tx)} as left) cap on true
    where lc.loan_code_status = 'created' and ${where}
    order by lc.request_time, lc.loan_code limit 500`)
}

const noteReason = (tx: Tx, loanCode: string, reason: WaitReason | null) =>
  tx.exec(sql`
    update loan_code set wait_reason = ${reason}
    where loan_code = ${loanCode} and loan_code_status = 'created' and wait_reason is distinct from ${reason} and wait_reason is distinct from 'blocked'`)

/** Reserves the money of a locked code for a new send, by itself or in a payout file; answers its reference, the order as it is now, and what moves its due dates. */
export const reserve = async (
  tx: Tx,
  { order, code }: HeldCode,
  way: { fundAccountNo: string; channel: Channel; routeNo?: string | null; batchNo?: string; taken: Taken },
  actor: Actor,
): Promise<{ externalId: string; order: Order; rule: DueRule }> => {
  const { fundAccountNo, channel, routeNo, batchNo, taken } = way
  const amount = code.actualLoanAmount
  const attemptNo = code.attemptNo + 1
  const externalId = `${code.loanCode}-${attemptNo}`
  const chosen = { channel, fundAccountNo, routeNo: routeNo ?? code.routeNo, accountFixed: true }
  const set = { attemptNo, ...chosen, waitReason: null }
  await transition(tx, 'loanCode', code, { event: 'payout.dispatch', set }, actor)
  const payCode = order.payCode ?? newPayCode()
  const started: Order = await transition(
    tx,
    'order',
    order,
    { event: 'payout.start', set: { statusTime: tx.now, payCode } },
    actor,
  )
  const rule = await dueRule(tx, order)
  const attempt = {
    externalId,
    gatewayRef: refOf(channel, externalId),
    parentKind: 'loanCode',
    parentNo: code.loanCode,
    attemptNo,
    channel,
    amount,
    payee: code.walletAccount ?? code.bankCardNo ?? '',
    fundAccountNo,
    createdTime: tx.now,
    batchNo: batchNo ?? null,
    dueRule: rule,
  }
  await create(tx, 'gatewayAttempt', attempt, { event: 'attempt.prepare' }, actor)
  await noteTaken(tx, externalId, taken)
  await post(
    tx,
    {
      code: 'P1a',
      cause: `loan_code:${code.loanCode}`,
      keys: payoutKeys(order, code.loanCode),
      lines: [
        { account: account.inFlight(code.loanCode), amount },
        { account: account.bank(fundAccountNo), amount: neg(amount) },
      ],
    },
    actor,
  )
  return { externalId, order: started, rule }
}

/** Reserves the money of one created code and hands it over for sending, or notes why it waits. */
export const dispatch = async (tx: Tx, served: readonly string[], loanCode: string): Promise<void> => {
  const actor = system(newRequestId())
  const { order, code } = await lockCode(tx, null, loanCode)
  if (code.loanCodeStatus !== 'created' || order.orderStatus !== 'pending_disbursement') return
  const [found] = await candidates(tx, { served }, sql`lc.loan_code = ${loanCode}`)
  if (!found || found.reason || !found.fundAccountNo) {
    await noteReason(tx, loanCode, found?.reason ?? 'no_route')
    return
  }
  await lockLimitsOf(tx, [order.orderNo])
  const balance = await spendable(tx, found.fundAccountNo)
  if (lt(balance, code.actualLoanAmount)) return void (await noteReason(tx, loanCode, 'short_balance'))
  if (found.capLeft !== null) {
    // What another payout took from the cap meanwhile is known now that the balance is locked.
    const [still] = await candidates(tx, { served }, sql`lc.loan_code = ${loanCode}`)
    if (still?.reason !== null) return void (await noteReason(tx, loanCode, still?.reason ?? 'no_route'))
    // Another account is chosen now: it is locked at the next look.
    if (still.fundAccountNo !== found.fundAccountNo) return void (await wakeDispatch(tx, loanCode))
  }
  const taken = await takeLimits(tx, order, code.actualLoanAmount)
  if (!taken) return void (await noteReason(tx, loanCode, 'merchant_limit'))
  const way = { fundAccountNo: found.fundAccountNo, channel: found.channel, routeNo: found.routeNo, taken }
  const { externalId } = await reserve(tx, { order, code }, way, actor)
  await enqueue(tx, 'payout.send', externalId, { externalId })
}

/** `lists` hashes what the order names now: its payee may be another than machine review saw. */
export const dispatchQueue = (served: readonly string[], lists: ListValues): QueueHandler => ({
  queue: 'payout.dispatch',
  async handle(tx, job) {
    const loanCode = String(job.payload.loanCode)
    const { order } = await lockCode(tx, null, loanCode)
    await noteNamed(tx, lists, order)
    await dispatch(tx, served, loanCode)
  },
})

/** Looks at every created code: what can go is dispatched, each in its own transaction; the others say why they wait. */
export const dispatchJob = (served: readonly string[]): Scheduled => ({
  job: 'payout.dispatch',
  every: { seconds: 5 },
  run: async tx => {
    const queued = sql`exists (select 1 from job j where j.queue = 'payout.dispatch' and j.state = 'ready' and j.payload ->> 'loanCode' = lc.loan_code)`
    const waiting = await candidates(
      tx,
      { served },
      sql`lc.wait_reason is distinct from 'blocked' and not ${queued} and (lc.wait_reason is distinct from 'window_closed' or fa.channel is distinct from 'bank_file')`,
    )
    const ready = waiting.filter(({ reason }) => reason === null)
    for (const { loanCode } of ready) await wakeDispatch(tx, loanCode)
    for (const { loanCode, reason, waitReason } of waiting)
      if (reason && reason !== waitReason) await noteReason(tx, loanCode, reason)
    return { ready: ready.length, waiting: waiting.length - ready.length }
  },
})
