import { type RawBuilder, sql } from 'kysely'
import type { flowProofs } from '../../../../core/contract/after-loan/repayment-rows.ts'
import type { ValueOf } from '../../../../core/contract/fields.ts'
import type { machines } from '../../../../core/rules/machines/machines.ts'
import { add, formatMoney, gt, isZero, lt, type Money, neg, sub } from '../../../../core/rules/money.ts'
import { eatDate } from '../../../../core/rules/time.ts'
import type { Tx } from '../../../db/database.ts'
import { SeenMeanwhile, violatedConstraint } from '../../../db/faults.ts'
import { Fault, invalid } from '../../../http/fault.ts'
import { account, post, reverse } from '../../../money/ledger.ts'
import { newNo } from '../../../money/numbers.ts'
import { spendable } from '../../../money/spendable.ts'
import type { Actor } from '../../../rights/actor.ts'
import { scope } from '../../../rights/scope.ts'
import type { Session } from '../../../session/session.ts'
import { create, createMany, transition } from '../../../states/transition.ts'

export type FlowStatus = keyof typeof machines.flow.states

/** One receipt of money. */
export type Flow = {
  flowNo: string
  channel: string
  serialNo: string
  flowStatus: FlowStatus
  amount: Money
  applied: Money
  refunded: Money
  entryTime: string
  paymentCode: string | null
  fundAccountNo: string | null
  payerName: string | null
  payerAccount: string | null
  isrecord: boolean
  source: string
  merchantNo: string | null
  customerNo: string | null
  waitReason: string | null
  /** What shows that the money came; null while nothing does. */
  proof: ValueOf<typeof flowProofs> | null
  createdBy: string
  version: number
}

export const remainingOf = ({ amount, applied, refunded }: Flow): Money => sub(amount, add(applied, refunded))

/** The data rule of flows: their merchant; of a person's own, what that person entered. */
export const flowScope = (session: Session, perm?: string) =>
  scope(session, { merchant: 'f.merchant_no', holder: person => person(sql`f.created_by`), perm })

/** Flows in the order of their numbers, which is also the order of their locks; those out of scope are left out. */
export const readFlows = async (
  tx: Tx,
  flowNos: readonly string[],
  o: { where?: RawBuilder<unknown>; lock?: boolean } = {},
): Promise<Flow[]> =>
  flowNos.length === 0
    ? []
    : tx.rows(sql<Flow>`
        select f.* from repay_flow f where f.flow_no = any(${flowNos as string[]}) and ${o.where ?? sql`true`}
        order by f.flow_no ${o.lock ? sql`for update` : sql``}`)

export const lockFlow = async (tx: Tx, flowNo: string, where?: RawBuilder<unknown>): Promise<Flow> => {
  const [flow] = await readFlows(tx, [flowNo], { where, lock: true })
  if (!flow) throw new Fault('notFound', 'errors.notFound')
  return flow
}

type Entered = Pick<Flow, 'channel' | 'serialNo' | 'amount' | 'entryTime' | 'source'> &
  Partial<
    Pick<
      Flow,
      | 'paymentCode'
      | 'fundAccountNo'
      | 'payerName'
      | 'payerAccount'
      | 'isrecord'
      | 'merchantNo'
      | 'customerNo'
      | 'waitReason'
    >
  >

const begun = {
  'flow.save': { proof: null, flowStatus: 'draft' },
  'supplement.submit': { proof: null, flowStatus: 'supplement_review' },
  'channel.callback': { proof: 'channel', flowStatus: 'available' },
  'import.row': { proof: 'statement', flowStatus: 'available' },
} as const

/** A flow as its event makes it. */
const flowOf = (tx: Tx, event: keyof typeof begun, entered: Entered, actor: Actor) => ({
  paymentCode: null,
  fundAccountNo: null,
  payerName: null,
  payerAccount: null,
  isrecord: false,
  merchantNo: null,
  customerNo: null,
  waitReason: null,
  ...entered,
  proof: begun[event].proof,
  flowNo: newNo('FL', tx.now),
  createdBy: actor.no,
})

const enteredAs = (event: keyof typeof begun, flow: ReturnType<typeof flowOf>): Flow => ({
  ...flow,
  flowStatus: begun[event].flowStatus,
  applied: '0.00',
  refunded: '0.00',
  version: 0,
})

/** A number that another transaction has entered meanwhile is found when this one runs again. */
const seenMeanwhile = (error: unknown, serialNo: string): unknown =>
  violatedConstraint(error) === 'repay_flow_serial' ? new SeenMeanwhile(serialNo, { cause: error }) : error

/** Writes a flow as its event makes it; money counts only once {@link bookReceipt} posted it. */
export const enterFlow = async (tx: Tx, event: keyof typeof begun, entered: Entered, actor: Actor): Promise<Flow> => {
  const flow = flowOf(tx, event, entered, actor)
  const values = { ...flow, createdTime: tx.now }
  await create(tx, 'flow', values, { event, payload: { amount: flow.amount } }, actor).catch(error => {
    throw seenMeanwhile(error, flow.serialNo)
  })
  return enteredAs(event, flow)
}

/** {@link enterFlow} and {@link bookReceipt} of many, each by an actor of its own. Answers the flows with the numbers of their journals. */
export const receiveFlows = async (
  tx: Tx,
  event: 'channel.callback' | 'import.row',
  all: readonly { entered: Entered; by: Actor }[],
): Promise<{ flow: Flow; journalNo: number }[]> => {
  const [first] = all
  if (!first) return []
  const flows = all.map(({ entered, by }) => ({ flow: flowOf(tx, event, entered, by), by }))
  const rows = flows.map(({ flow, by }) => ({
    values: { ...flow, createdTime: tx.now },
    payload: { amount: flow.amount },
    by,
  }))
  createMany(tx, 'flow', rows, { event }, first.by)
  await tx.flush().catch((error: unknown) => {
    throw seenMeanwhile(error, first.entered.serialNo)
  })
  const booked = []
  for (const { flow, by } of flows) {
    const entered = enteredAs(event, flow)
    booked.push({ flow: entered, journalNo: await bookReceipt(tx, entered, by) })
  }
  return booked
}

/** The account of ours that a committed flow was paid into. */
const paidInto = ({ flowNo, fundAccountNo }: Flow): string => {
  if (!fundAccountNo) throw new Error(`${flowNo} names no account of ours`)
  return fundAccountNo
}

/** The money of a flow reached our account (P3); answers the number of its journal. */
export const bookReceipt = async (tx: Tx, flow: Flow, actor: Actor): Promise<number> => {
  const { flowNo, merchantNo, customerNo, amount } = flow
  const lines = [
    { account: account.bank(paidInto(flow)), amount },
    { account: account.suspense(flowNo), amount: neg(amount) },
  ]
  const keys = { flowNo, ...(merchantNo ? { merchantNo } : {}), ...(customerNo ? { customerNo } : {}) }
  const valueDate = eatDate(flow.entryTime)
  return Number(await post(tx, { code: 'P3', cause: `repay_flow:${flowNo}`, valueDate, keys, lines }, actor))
}

type Said = Partial<
  Pick<
    Flow,
    'entryTime' | 'paymentCode' | 'fundAccountNo' | 'payerAccount' | 'merchantNo' | 'customerNo' | 'waitReason'
  >
>

/**
 * What was typed is shown to be true: by the record of the channel or the bank, or by a second person. Its money is
 * booked and may be written off. `said` is what the record says; it stands above what was typed.
 */
export const proveFlow = async (
  tx: Tx,
  flow: Flow,
  proof: NonNullable<Flow['proof']>,
  said: Said,
  actor: Actor,
): Promise<Flow> => {
  const event = proof === 'person' ? 'flow.confirm' : 'flow.prove'
  const set = { waitReason: null, ...said, proof, isrecord: proof !== 'person' }
  const proven = await transition(tx, 'flow', flow, { event, set, payload: { proof } }, actor)
  await bookReceipt(tx, proven, actor)
  return proven
}

/** The line of a statement that shows a receipt: its account, number and amount. */
const openLineOf = (tx: Tx, { fundAccountNo, serialNo, amount }: Flow) =>
  tx.maybe(sql<{ entryTime: string; payerAccount: string | null }>`
    select entry_time, payer_account from statement_line
    where fund_account_no = ${fundAccountNo} and serial_no = ${serialNo} and amount = ${amount}
      and direction = 'in' and line_kind = 'payment' and line_status in ('new', 'suggested')`)

/** Ends the typing of a draft. It is money only where a statement shows it already; otherwise it waits for proof. */
export const commitFlow = async (tx: Tx, flow: Flow, actor: Actor): Promise<Flow> => {
  const set = { waitReason: 'unproven' }
  const committed = await transition(tx, 'flow', flow, { event: 'flow.commit', set }, actor)
  const line = await openLineOf(tx, committed)
  return line ? proveFlow(tx, committed, 'statement', line, actor) : committed
}

/** Writes an amount of a flow off. */
export const useFlow = async (
  tx: Tx,
  flow: Flow,
  o: { amount: Money; customerNo: string; repaymentNo: string },
  actor: Actor,
): Promise<Flow> => {
  const remaining = remainingOf(flow)
  if (isZero(remaining)) throw new Fault('validation', 'errors.flowUsedUp')
  if (gt(o.amount, remaining)) throw new Fault('validation', 'errors.limitExceeded')
  const as = isZero(sub(remaining, o.amount)) ? 'all' : 'part'
  const set = { applied: add(flow.applied, o.amount), waitReason: null, customerNo: flow.customerNo ?? o.customerNo }
  return transition(
    tx,
    'flow',
    flow,
    { event: 'flow.writeOff', as, set, payload: { repaymentNo: o.repaymentNo, amount: o.amount } },
    actor,
  )
}

/** Gives an amount back to a flow whose write-off was rolled back. */
export const giveBack = (
  tx: Tx,
  flow: Flow,
  o: { amount: Money; repaymentNo: string },
  actor: Actor,
): Promise<Flow> => {
  const applied = sub(flow.applied, o.amount)
  const as = isZero(add(applied, flow.refunded)) ? 'all' : 'part'
  return transition(tx, 'flow', flow, { event: 'flow.rollback', as, set: { applied }, payload: { ...o } }, actor)
}

/** Voids a flow of which nothing was used, and takes its receipt back: only while our account still has that money. */
export const voidFlow = async (tx: Tx, flow: Flow, reason: string, actor: Actor): Promise<void> => {
  if (!isZero(add(flow.applied, flow.refunded))) throw new Fault('stateConflict', 'errors.flowInUse')
  await transition(tx, 'flow', flow, { event: 'flow.void', payload: { reason } }, actor)
  const fundAccountNo = paidInto(flow)
  const balance = await spendable(tx, fundAccountNo)
  if (lt(balance, flow.amount))
    throw new Fault('stateConflict', 'errors.flowPaidOn', {
      fundAccountNo,
      balance: formatMoney(balance),
      amount: formatMoney(flow.amount),
    })
  await tx.flush()
  const receipt = await tx.one(sql<{ journalNo: number }>`
    select j.journal_no from journal_line l join journal j using (journal_no)
    where l.account_code = ${account.suspense(flow.flowNo)} and j.posting_code = 'P3' order by j.journal_no desc limit 1`)
  await reverse(tx, receipt.journalNo, `repay_flow:${flow.flowNo}`, actor)
}

type Serial = { channel: string; serialNo: string; amount: Money; path: string }
type Known = {
  channel: string
  serialNo: string
  flowNo: string
  flowStatus: FlowStatus
  amount: Money
  autoNo: string | null
  autoTime: string | null
}

const refuseKnown = (known: Known, asked: Serial) => {
  const { path } = asked
  const { flowNo } = known
  if (known.autoNo)
    throw invalid(path, 'errors.serialAutoWrittenOff', { repaymentNo: known.autoNo, time: known.autoTime ?? '' })
  if (known.flowStatus === 'exhausted') throw invalid(path, 'errors.serialUsed')
  if (known.flowStatus === 'void') throw invalid(path, 'errors.serialVoid', { flowNo })
  if (!isZero(sub(known.amount, asked.amount)))
    throw invalid(path, 'errors.serialOtherAmount', { flowNo, known: known.amount, given: asked.amount })
  throw invalid(path, 'errors.serialKnown', { flowNo })
}

/** Refuses numbers of transactions that are numbers of orders, or that a flow has already. */
export const checkSerials = async (tx: Tx, serials: readonly Serial[]): Promise<void> => {
  const numbers = serials.map(({ serialNo }) => serialNo)
  if (numbers.length === 0) return
  const readingOrders = tx.rows(
    sql<{ orderNo: string }>`select order_no from loan_order where order_no = any(${numbers})`,
  )
  const readingKnown = tx.rows(sql<Known>`
    select f.channel, f.serial_no, f.flow_no, f.flow_status, f.amount, auto.repayment_no as auto_no,
      to_char(auto.repayment_time at time zone 'Africa/Kampala', 'YYYY-MM-DD HH24:MI') as auto_time
    from repay_flow f left join lateral (
      select r.repayment_no, r.repayment_time from repay_record_flow rf join repay_record r using (repayment_no)
      where rf.flow_no = f.flow_no and r.record_status = 'posted' and r.posted_by = 'system' and f.flow_status = 'exhausted' limit 1) auto on true
    where f.serial_no = any(${numbers})`)
  const [orders, known] = await Promise.all([readingOrders, readingKnown])
  const mistaken = serials.find(({ serialNo }) => orders.some(({ orderNo }) => orderNo === serialNo))
  if (mistaken) throw invalid(mistaken.path, 'validation.serialIsOrderNo')
  for (const asked of serials) {
    const same = known.find(({ channel, serialNo }) => channel === asked.channel && serialNo === asked.serialNo)
    if (same) refuseKnown(same, asked)
  }
}

type Account = { fundAccountNo: string; merchants: string[] }

/** Own accounts that receive money by a channel, for a merchant where one is named. */
export const collectionAccounts = (
  tx: Tx,
  o: { channel: string; merchantNo?: string; fundAccountNo?: string },
): Promise<Account[]> =>
  tx.rows(sql<Account>`
    select a.fund_account_no, array(select merchant_no from fund_account_merchant m where m.fund_account_no = a.fund_account_no order by 1) as merchants
    from fund_account a
    where a.enabled = 'enabled' and a.account_role in ('collection', 'both') and a.channel = ${o.channel}
      and ${o.fundAccountNo ? sql`a.fund_account_no = ${o.fundAccountNo}` : sql`true`}
      and ${o.merchantNo ? sql`exists (select 1 from fund_account_merchant m where m.fund_account_no = a.fund_account_no and m.merchant_no = ${o.merchantNo})` : sql`true`}
    order by a.fund_account_no`)
