import { sql } from 'kysely'
import { schedule } from '../../../../core/rules/loan/schedule.ts'
import { add, formatMoney, lt, type Money, sum, toWhole } from '../../../../core/rules/money.ts'
import type { Tx } from '../../../db/database.ts'
import { refuseInTransaction } from '../../../db/in-transaction.ts'
import type {
  Failure,
  NoAnswer,
  Paid,
  PayoutChannel,
  PayoutGateway,
  QueryAnswer,
  SendAnswer,
  Attempt as Sending,
} from '../../../gateways/gateway.ts'
import { newRequestId } from '../../../http/request.ts'
import { enqueue } from '../../../jobs/queue.ts'
import type { Deps, NetworkHandler, QueueHandler, Scheduled } from '../../../module.ts'
import { notSetUp } from '../../../money/no-gateway.ts'
import { type Actor, system } from '../../../rights/actor.ts'
import { transition } from '../../../states/transition.ts'
import { byRule, type DueRule } from '../../merchant/maturity/index.ts'
import type { Order } from '../../order/order/index.ts'
import type { ReconKind } from '../reconciliation/recon-item.ts'
import { type Attempt, dueRuleOf, type HeldAttempt, lockAttempt } from './desk/loan-source.ts'
import { type AskTimes, nextAsk } from './payout.ts'
import { applyOutcome, type Outcome, openItem } from './payout-outcome.ts'

type Payout = Deps['payout']
type Prepared = { externalId: string; gateway: PayoutGateway; sending: Sending }
/** `claim`: what a callback said that made us ask; believed only as far as the answer goes. */
type Asked = Prepared & { claim: string | null }

/** What there is to say of a difference beside where it was found. */
export type Differs = { amount: Money; difference: Money; remark?: string }

/** A send, locked with what it pays for. */
export type HeldSend = {
  attempt: Attempt
  /** Applies what is known of it, whatever came before; the same news twice changes nothing. */
  apply: (outcome: Outcome, actor: Actor) => Promise<void>
  differs: (kind: ReconKind, o: Differs, actor: Actor) => Promise<void>
  /** What the payee reads beside the money. */
  message: () => Promise<string>
}

/** What money is sent for: loan codes here, refunds and transfers elsewhere. `kind` is the `parentKind` of its sends. */
export type Sender = { kind: string; hold: (tx: Tx, externalId: string) => Promise<HeldSend> }

/** Locks a send, whatever it pays for. */
export type Hold = Sender['hold']

/** After so long without a definite answer nothing is known any more. */
const answerMs = 60_000
/** Between the first and the last "not found" that together may prove a failure. */
const notFoundMs = 30 * 60_000

/** Lets a module list its network work whatever it prepares and answers. */
export const network = <P, A>(declared: NetworkHandler<P, A>) => declared as unknown as NetworkHandler<never, never>

/** What was sent over a channel that is no longer set up stays unknown until it is. */
export const gatewayOf = (payout: Payout, channel: string): PayoutGateway =>
  payout[channel as PayoutChannel] ?? notSetUp(channel as PayoutChannel)

/** What the customer reads beside the money: how much is owed in all, when, and what to pay it to. */
const repayWords = (order: Order, today: string, due: (day: string) => string): string => {
  const bills = schedule(order.terms, order.loanAmount, today, due)
  const total = sum(
    bills.flatMap(({ principal, interest, serviceFee, managementFee }) => [
      principal,
      interest,
      serviceFee,
      managementFee,
    ]),
  )
  const whole = toWhole(total)
  const amount = formatMoney(lt(whole, total) ? add(whole, '1.00') : whole)
  return `repay UGX ${amount} by ${bills.at(-1)?.dueDate} with pay code ${order.payCode}`
}

/** What the payee of an order reads beside the money. */
export const payerMessage = async (tx: Tx, order: Order, rule: DueRule): Promise<string> => {
  const { appName } = await tx.one(
    sql<{ appName: string }>`select app_name from merchant where merchant_no = ${order.merchantNo}`,
  )
  return `${appName} loan: ${repayWords(order, tx.today, byRule(rule))}`
}

/** What the network gets of a send. */
export const prepared = async (
  payout: Payout,
  { attempt, message }: Pick<HeldSend, 'attempt' | 'message'>,
): Promise<Prepared> => {
  const { externalId, gatewayRef, amount, payee } = attempt
  const sending = { externalId, gatewayRef, amount, payee: { walletAccount: payee }, payerMessage: await message() }
  return { externalId, gateway: gatewayOf(payout, attempt.channel), sending }
}

/** The same of a send of a loan code. */
export const preparedFrom = (tx: Tx, payout: Payout, { order, attempt }: HeldAttempt): Promise<Prepared> =>
  prepared(payout, { attempt, message: () => payerMessage(tx, order, dueRuleOf(attempt)) })

/** Sends of loan codes. */
export const loanSender: Sender = {
  kind: 'loanCode',
  async hold(tx, externalId) {
    const held = await lockAttempt(tx, externalId)
    return {
      attempt: held.attempt,
      apply: (outcome, actor) => applyOutcome(tx, held, outcome, actor),
      differs: (kind, o, actor) => openItem(tx, held, kind, o, actor),
      message: () => payerMessage(tx, held.order, dueRuleOf(held.attempt)),
    }
  },
}

/** Locks sends of several kinds. */
export const holdOf =
  (senders: readonly Sender[]): Hold =>
  async (tx, externalId) => {
    const { parentKind } = await tx.one(
      sql<{ parentKind: string }>`select parent_kind from gateway_attempt where external_id = ${externalId}`,
    )
    const sender = senders.find(one => one.kind === parentKind)
    if (!sender) throw new Error(`nobody sends for ${parentKind}`)
    return sender.hold(tx, externalId)
  }

export const answerOf = async <A>(ask: () => Promise<A>): Promise<A | NoAnswer> => {
  refuseInTransaction('a network is asked')
  try {
    return await ask()
  } catch (error) {
    return { kind: 'none', reason: error instanceof Error ? error.name : 'unreachable' }
  }
}

const since = (tx: Tx, time: string | null): number => (time ? tx.now.getTime() - Date.parse(time) : 0)

/** Asks about an attempt, in whatever state it is: even a settled one may turn out differently. */
export const askNow = (tx: Tx, externalId: string, key: string, claim?: string) =>
  enqueue(tx, 'attempt.ask', `${externalId}:${key}`, { externalId, claim: claim ?? null })

/** Has what a signed callback proved applied, once per event. */
export const hearProof = (tx: Tx, externalId: string, key: string, proved: Paid | Failure) =>
  enqueue(tx, 'attempt.callback', `${externalId}:${key}`, { externalId, proved })

/** Applies what a signed callback proved, whatever we knew before. */
export const callbackQueue = (hold: Hold): QueueHandler => ({
  queue: 'attempt.callback',
  async handle(tx, { payload }) {
    const held = await hold(tx, String(payload.externalId))
    if (held.attempt.attemptStatus === 'prepared') return
    await held.apply({ ...(payload.proved as Paid | Failure), by: 'callback' }, system(newRequestId()))
  },
})

const askSoon = (tx: Tx, attempt: Attempt, at: Date) =>
  tx.exec(sql`update gateway_attempt set next_query_time = ${at} where external_id = ${attempt.externalId}`)

/** Takes in what the network said to a send: of a repeated one only a success counts. */
const heard = async (tx: Tx, held: HeldSend, answer: SendAnswer, o: { repeated: boolean }) => {
  const actor = system(newRequestId())
  if (answer.kind === 'success') await held.apply(answer, actor)
  else if (answer.kind === 'failure' && !o.repeated) await held.apply(answer, actor)
  else if (answer.kind === 'exists') await askSoon(tx, held.attempt, tx.now)
  else if (answer.kind === 'none') await held.apply({ kind: 'unknown', answerCode: answer.reason }, actor)
}

/** Sends a prepared attempt. It is marked as sent before the call, so after a crash it is queried, never sent twice. */
export const sendQueue = (payout: Payout, times: AskTimes, hold: Hold) =>
  network<Prepared, SendAnswer>({
    queue: 'payout.send',
    async before(tx, job) {
      const held = await hold(tx, String(job.payload.externalId))
      const actor = system(newRequestId())
      if (held.attempt.attemptStatus === 'sent') await held.apply({ kind: 'unknown', answerCode: 'INTERRUPTED' }, actor)
      if (held.attempt.attemptStatus !== 'prepared') return null
      const set = { sentTime: tx.now, nextQueryTime: nextAsk(times, tx.now, tx.now) }
      await transition(tx, 'gatewayAttempt', held.attempt, { event: 'attempt.send', set }, actor)
      return prepared(payout, held)
    },
    send: ({ gateway, sending }) => answerOf(() => gateway.send(sending)),
    after: async (tx, { externalId }, answer) => heard(tx, await hold(tx, externalId), answer, { repeated: false }),
  })

/** Sends once more under the same reference what the network says it never got, where a repetition cannot pay twice. */
export const resendQueue = (payout: Payout, times: AskTimes, hold: Hold) =>
  network<Prepared, SendAnswer>({
    queue: 'payout.resend',
    async before(tx, job) {
      const held = await hold(tx, String(job.payload.externalId))
      if (held.attempt.attemptStatus !== 'unknown') return null
      const next = nextAsk(times, tx.now, tx.now)
      await tx.exec(
        sql`update gateway_attempt set sent_time = ${tx.now}, next_query_time = ${next} where external_id = ${held.attempt.externalId}`,
      )
      return prepared(payout, held)
    },
    send: ({ gateway, sending }) => answerOf(() => gateway.send(sending)),
    after: async (tx, { externalId }, answer) => heard(tx, await hold(tx, externalId), answer, { repeated: true }),
  })

/** Two "not found" far enough apart, after the time in which the network may still post it. */
const isProvedLost = (tx: Tx, attempt: Attempt, gateway: PayoutGateway): boolean =>
  attempt.notFoundSince !== null &&
  since(tx, attempt.notFoundSince) >= notFoundMs &&
  since(tx, attempt.sentTime) >= gateway.postingCutOffHours * 3_600_000

const notFound = async (tx: Tx, held: HeldSend, gateway: PayoutGateway) => {
  const actor = system(newRequestId())
  const { attempt } = held
  if (isProvedLost(tx, attempt, gateway)) {
    const answerMessage = `not found since ${attempt.notFoundSince}`
    await held.apply({ kind: 'failure', failType: 'other', answerCode: 'NOT_FOUND', answerMessage }, actor)
    return
  }
  if (attempt.attemptStatus === 'sent') await held.apply({ kind: 'unknown', answerCode: 'NOT_FOUND' }, actor)
  const first = attempt.notFoundSince === null
  const now = await tx.one(sql<Attempt>`select * from gateway_attempt where external_id = ${attempt.externalId}`)
  const set = { answerTime: tx.now, answerCode: 'NOT_FOUND', ...(first ? { notFoundSince: tx.now } : {}) }
  await transition(tx, 'gatewayAttempt', now, { event: 'query.notFound', set }, actor)
  if (first && gateway.idempotentOnRef)
    await enqueue(tx, 'payout.resend', `${attempt.externalId}:${attempt.queryCount}`, {
      externalId: attempt.externalId,
    })
}

/** Takes in what the network said to a question. */
export const learned = async (
  tx: Tx,
  held: HeldSend,
  { gateway, claim }: Pick<Asked, 'gateway' | 'claim'>,
  answer: QueryAnswer,
) => {
  const { attempt } = held
  const { externalId } = attempt
  const actor = system(newRequestId())
  const open = attempt.attemptStatus === 'sent' || attempt.attemptStatus === 'unknown'
  const late = attempt.attemptStatus === 'unknown' || since(tx, attempt.sentTime) >= answerMs
  if (answer.kind === 'success' || answer.kind === 'failure') await held.apply(answer, actor)
  else if (open && late && answer.kind === 'notFound') await notFound(tx, held, gateway)
  else if (open && late)
    await held.apply({ kind: 'unknown', answerCode: answer.kind === 'none' ? answer.reason : 'PENDING' }, actor)
  if (open && answer.kind === 'pending')
    await tx.exec(sql`update gateway_attempt set not_found_since = null where external_id = ${externalId}`)
  const paid = attempt.attemptStatus === 'succeeded' || answer.kind === 'success'
  if (claim === 'failure' && paid)
    await held.differs('late_contradiction', { amount: attempt.amount, difference: '0.00', remark: 'callback' }, actor)
}

/** Counts a question and sets the time of the next one. */
export const noteAsk = (tx: Tx, times: AskTimes, attempt: Attempt) => {
  const next = attempt.nextQueryTime && attempt.sentTime ? nextAsk(times, new Date(attempt.sentTime), tx.now) : null
  return tx.exec(
    sql`update gateway_attempt set query_count = query_count + 1, next_query_time = ${next} where external_id = ${attempt.externalId}`,
  )
}

/** Asks the network about a reference and applies what it says. */
export const askQueue = (payout: Payout, times: AskTimes, hold: Hold) =>
  network<Asked, QueryAnswer>({
    queue: 'attempt.ask',
    async before(tx, job) {
      const held = await hold(tx, String(job.payload.externalId))
      const { attempt } = held
      if (attempt.attemptStatus === 'prepared' || !attempt.sentTime) return null
      await noteAsk(tx, times, attempt)
      return {
        ...(await prepared(payout, held)),
        claim: job.payload.claim === null ? null : String(job.payload.claim),
      }
    },
    send: ({ gateway, sending }) => answerOf(() => gateway.query(sending)),
    after: async (tx, asked, answer) => learned(tx, await hold(tx, asked.externalId), asked, answer),
  })

/** Asks about every attempt whose time has come. */
export const askJob = (senders: readonly Sender[]): Scheduled => ({
  job: 'attempt.query',
  every: { seconds: 15 },
  run: async tx => {
    const due = await tx.rows(sql<{ externalId: string; queryCount: number }>`
      select external_id, query_count from gateway_attempt
      where attempt_status in ('sent', 'unknown') and next_query_time <= ${tx.now} and parent_kind = any(${senders.map(one => one.kind)})
      order by next_query_time limit 150`)
    for (const { externalId, queryCount } of due) await askNow(tx, externalId, `q${queryCount}`)
    return { asked: due.length }
  },
})
