import { sql } from 'kysely'
import { can } from '../../../../core/rules/machines/machine.ts'
import { machines } from '../../../../core/rules/machines/machines.ts'
import { eq, type Money, money, sub } from '../../../../core/rules/money.ts'
import { eatDate } from '../../../../core/rules/time.ts'
import type { Tx } from '../../../db/database.ts'
import type { CollectQueryAnswer, WalletChannel } from '../../../gateways/gateway.ts'
import { enqueue } from '../../../jobs/queue.ts'
import type { Deps, Module, NetworkHandler } from '../../../module.ts'
import { type Actor, system } from '../../../rights/actor.ts'
import { transition } from '../../../states/transition.ts'
import { linkPaid } from '../pay-link/pay-link-store.ts'
import { openDifference } from '../reconciliation/recon-item.ts'
import { type Standing, standingOf } from '../repayment/trial.ts'
import { autoWriteOff, type FlowWait, matchOrder } from '../write-off/auto-write-off.ts'
import { suspect } from './callback.ts'
import { bookReceipt, collectionAccounts, enterFlow, type Flow, lockFlow, proveFlow } from './flow-store.ts'

const queue = 'payin.query'
/** Seconds until an unanswered question is put again; the last one is repeated. */
const pauses = [15, 60, 300, 1800, 3600]
const maxRounds = 72
/** An unknown reference is queried this many times before it counts as forged. */
const maxUnknown = 3

type Event = { eventNo: number; channel: WalletChannel; body: string }
/** `stated`: the amount that the callback claims; it is never booked, only compared. */
type Asked = Event & { round: number; ref: string | null; stated: Money | null }
type Success = Extract<CollectQueryAnswer, { kind: 'success' }>

const note = (tx: Tx, eventNo: number, outcome: string) =>
  tx.exec(sql`update inbound_event set handled_time = ${tx.now}, outcome = ${outcome} where event_no = ${eventNo}`)

const askAgain = (tx: Tx, { eventNo, round }: Asked) => {
  const seconds = pauses[Math.min(round, pauses.length - 1)] ?? 3600
  const runAt = new Date(tx.now.getTime() + seconds * 1000)
  return enqueue(tx, queue, `${eventNo}:${round + 1}`, { eventNo, round: round + 1 }, { runAt })
}

const differs = async (
  tx: Tx,
  channel: string,
  serialNo: string,
  o: { booked: Money; stated: Money; flowNo: string },
  actor: Actor,
) => {
  const { fundAccountNo } = await tx.one(
    sql<{ fundAccountNo: string | null }>`select fund_account_no from repay_flow where flow_no = ${o.flowNo}`,
  )
  const difference = sub(o.stated, o.booked)
  const object = { objectType: 'flow', objectNo: o.flowNo }
  const item = {
    kind: 'amount_differs',
    fundAccountNo,
    channel,
    reference: serialNo,
    amount: o.booked,
    difference,
  } as const
  await openDifference(tx, { ...item, ...object }, actor)
}

/** The customer behind a phone, when it is one person's. */
const customerOf = async (tx: Tx, phone: string): Promise<string | null> => {
  const found = await tx.rows(
    sql<{ customerNo: string }>`select distinct customer_no from merchant_customer where phone = ${phone} limit 2`,
  )
  return found.length === 1 ? (found[0]?.customerNo ?? null) : null
}

/** How we know of a payment to us: the account is the one that the statement is of, else the one of the order's merchant. */
export type Notice = {
  event: 'channel.callback' | 'import.row'
  channel: string
  fundAccountNo?: string
}

/** The account of ours that receives money by a channel, with its merchant where it serves one alone; one of a merchant where it has one. */
export const receivingAccount = async (
  tx: Tx,
  o: { channel: string; fundAccountNo?: string; merchantNo?: string },
): Promise<{ fundAccountNo: string; merchantNo: string | null }> => {
  const { merchantNo, ...any } = o
  const own = merchantNo ? await collectionAccounts(tx, o) : []
  const [account] = own.length > 0 ? own : await collectionAccounts(tx, any)
  if (!account) throw new Error(`no account of ours receives money by ${o.channel}`)
  const [only, ...others] = account.merchants
  return { fundAccountNo: account.fundAccountNo, merchantNo: others.length === 0 ? (only ?? null) : null }
}

/** Books what was paid: as a new receipt, or as the one that staff typed and that is proven by it. */
const receive = async (
  tx: Tx,
  { event, channel, fundAccountNo }: Notice,
  paid: Success,
  typed: Flow | undefined,
  standing: Standing | null,
  wait: FlowWait | null,
  actor: Actor,
): Promise<Flow> => {
  const order = standing?.order
  const account = await receivingAccount(tx, {
    channel,
    fundAccountNo,
    ...(order ? { merchantNo: order.merchantNo } : {}),
  })
  const said = {
    entryTime: [paid.time, tx.now.toISOString()].sort()[0] as string,
    paymentCode: paid.externalId,
    fundAccountNo: account.fundAccountNo,
    payerAccount: paid.payer,
    merchantNo: order?.merchantNo ?? account.merchantNo,
    customerNo: order?.customerNo ?? (await customerOf(tx, paid.payer)),
    waitReason: wait,
  }
  if (typed) return proveFlow(tx, typed, event === 'import.row' ? 'statement' : 'channel', said, actor)
  const flow = await enterFlow(
    tx,
    event,
    {
      ...said,
      channel,
      serialNo: paid.serialNo,
      amount: money(paid.amount),
      source: event === 'import.row' ? 'import' : 'callback',
      isrecord: true,
    },
    actor,
  )
  await bookReceipt(tx, flow, actor)
  return flow
}

/**
 * The receipt of a transaction number. What staff only typed gives way to what the network says: a draft, or other money,
 * ends; what waits for proof of this very amount has it now. A void one counts as none.
 */
const receiptOf = async (
  tx: Tx,
  channel: string,
  { serialNo, amount }: Success,
  actor: Actor,
): Promise<{ known?: Flow; typed?: Flow }> => {
  const found = await tx.maybe(sql<{ flowNo: string }>`
    select flow_no from repay_flow where channel = ${channel} and serial_no = ${serialNo} and (flow_status <> 'void' or proof in ('channel', 'statement'))
    order by flow_status = 'void' limit 1`)
  if (!found) return {}
  const flow = await lockFlow(tx, found.flowNo)
  const ends = (['flow.delete', 'supplement.reject'] as const).find(event => can(machines.flow, flow.flowStatus, event))
  if (!ends) return { known: flow }
  if (can(machines.flow, flow.flowStatus, 'flow.prove') && eq(flow.amount, money(amount))) return { typed: flow }
  const payload = { reason: 'the network announced it', amount: money(amount) }
  await transition(tx, 'flow', flow, { event: ends, payload }, actor)
  return {}
}

/**
 * Books what the network says was paid, once per transaction number, and writes it off where nothing is in doubt. Locks the
 * order that it means. `known`: the receipt that is there already.
 */
export const takePayment = async (
  tx: Tx,
  notice: Notice,
  paid: Success,
  actor: Actor,
): Promise<{ flow: Flow; known: boolean; writtenOff: boolean }> => {
  const { channel } = notice
  const match = await matchOrder(tx, paid.externalId, channel)
  const matched = 'orderNo' in match ? match.orderNo : null
  const from = () => eatDate(paid.time)
  const standing = matched ? await standingOf(tx, matched, { lock: true, from }) : null
  const { known, typed } = await receiptOf(tx, channel, paid, actor)
  if (known) {
    await linkPaid(tx, paid.externalId, known, actor)
    return { flow: known, known: true, writtenOff: false }
  }
  const flow = await receive(tx, notice, paid, typed, standing, 'wait' in match ? match.wait : null, actor)
  await linkPaid(tx, paid.externalId, flow, actor)
  const wait = standing ? await autoWriteOff(tx, standing, flow, actor) : null
  if (wait) await tx.exec(sql`update repay_flow set wait_reason = ${wait} where flow_no = ${flow.flowNo}`)
  return { flow, known: false, writtenOff: standing !== null && wait === null }
}

/** Books what a callback announced, and opens a difference where another amount was stated. */
const book = async (tx: Tx, { channel, stated, eventNo }: Asked, paid: Success): Promise<string> => {
  const actor = system(`payin ${eventNo}`)
  const { flow, known, writtenOff } = await takePayment(tx, { event: 'channel.callback', channel }, paid, actor)
  const other = known ? money(paid.amount) : stated
  if (other && !eq(other, flow.amount))
    await differs(tx, channel, paid.serialNo, { booked: flow.amount, stated: other, flowNo: flow.flowNo }, actor)
  if (known) return 'duplicate'
  return `${writtenOff ? 'written_off' : 'booked'} ${flow.flowNo}`
}

const conclude = async (tx: Tx, asked: Asked, answer: CollectQueryAnswer): Promise<void> => {
  const { eventNo, round } = asked
  switch (answer.kind) {
    case 'success':
      await note(tx, eventNo, await book(tx, asked, answer))
      return
    case 'failure':
      await note(tx, eventNo, 'not_paid')
      return
    case 'notFound':
      await note(tx, eventNo, 'forged')
      if (round === 0) suspect(tx, 'forged', String(eventNo))
      if (round < maxUnknown) await askAgain(tx, asked)
      return
    default:
      if (round < maxRounds) await askAgain(tx, asked)
      else await note(tx, eventNo, 'unanswered')
  }
}

/** Payments to us that a callback announced: the network is asked for the truth, and only its answer is booked. */
export const payInModule = ({ collect }: Pick<Deps, 'collect'>): Module => {
  const handler: NetworkHandler<Asked, CollectQueryAnswer> = {
    queue,
    async before(tx, { payload }) {
      const eventNo = Number(payload.eventNo)
      const event = await tx.maybe(sql<Event & { outcome: string | null }>`
        select event_no, channel, body, outcome from inbound_event where event_no = ${eventNo}`)
      if (!event || (event.outcome !== null && event.outcome !== 'forged')) return null
      const hint = collect[event.channel]?.parseCallback({}, event.body)
      const ref = hint?.gatewayRef ?? hint?.externalId ?? null
      if (!ref) {
        await note(tx, eventNo, 'unreadable')
        return null
      }
      return { ...event, round: Number(payload.round ?? 0), ref, stated: hint?.amount ?? null }
    },
    send: async ({ channel, ref }) =>
      (await collect[channel]?.query(String(ref))) ?? { kind: 'none', reason: 'not set up' },
    after: conclude,
  }
  return { served: [], queues: [handler as unknown as NetworkHandler<never, never>] }
}
