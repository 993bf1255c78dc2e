import { sql } from 'kysely'
import { upfrontFees } from '../../../../core/rules/loan/fees.ts'
import { payoutChannel } from '../../../../core/rules/machines/after-loan/payout-channel.ts'
import { eq, gt, type Money, neg, sub } from '../../../../core/rules/money.ts'
import type { Tx } from '../../../db/database.ts'
import type { Failure, Paid } from '../../../gateways/gateway.ts'
import { account, post } from '../../../money/ledger.ts'
import type { Actor } from '../../../rights/actor.ts'
import { transition } from '../../../states/transition.ts'
import { consume } from '../../merchant/consumption/index.ts'
import { useLimitCoupon } from '../../operation/coupon/index.ts'
import { giveBack, takeAnyway } from '../../operation/loan-limit/index.ts'
import { happened } from '../../operation/message-engine/index.ts'
import { type Order, useGrant } from '../../order/order/index.ts'
import { openDifference, type ReconKind } from '../reconciliation/recon-item.ts'
import { createPlans } from '../repayment/plan.ts'
import { dueRuleOf, type HeldAttempt, type LoanCode, lockConfirm } from './desk/loan-source.ts'
import { payoutKeys } from './payout.ts'

/**
 * What became of a send. `manual` is the word of two people instead of the network's: on a success it names the day of
 * the statement that shows the payment. `by: 'callback'`: the network called us, and signed it.
 */
export type Outcome =
  | (Paid & { manual?: { date: string }; by?: 'callback' })
  | (Failure & { manual?: true; by?: 'callback' })
  | { kind: 'unknown'; answerCode: string }

const isOpen = (status: string) => status === 'sent' || status === 'unknown'

/** Opens a difference once per reference. */
export const openItem = async (
  tx: Tx,
  held: HeldAttempt,
  kind: ReconKind,
  o: { amount: Money; difference: Money; remark?: string },
  actor: Actor,
): Promise<void> => {
  const { externalId: reference, channel, fundAccountNo } = held.attempt
  const object = { objectType: 'loanCode', objectNo: held.code.loanCode }
  await openDifference(tx, { kind, fundAccountNo, channel, reference, ...o, ...object }, actor)
}

/** A confirmation that two people are at is over once the network has answered. */
const endConfirm = async (tx: Tx, loanCode: string, actor: Actor) => {
  const open = await lockConfirm(tx, loanCode)
  if (open) await transition(tx, 'confirmRecord', open, { event: 'confirm.withdraw' }, actor)
}

/** The network refuses how we speak to it: nothing more is sent over it until somebody has looked. */
export const pauseChannel = async (tx: Tx, channel: string, reason: string, actor: Actor) => {
  const row = await tx.maybe(sql<{ channel: string; pauseStatus: string; version: number }>`
    select channel, pause_status, version from channel where channel = ${channel} and pause_status = 'open' for update`)
  if (!row) return
  const set = { pauseReason: reason, pausedTime: tx.now, pausedBy: null, pausedName: null }
  await transition(tx, payoutChannel, row, { event: 'channel.pause', as: 'system', set, payload: { reason } }, actor)
}

/** So many sends over a channel without an outcome, one after the other, and it is paused: something is wrong with it. */
const pauseWhenSilent = async (tx: Tx, channel: string, actor: Actor) => {
  const silent = await tx.maybe(sql<{ n: number }>`
    select ch.pause_after_unknown as n from channel ch where ch.channel = ${channel} and ch.channel <> 'bank_file' and (
      select count(*) = ch.pause_after_unknown and bool_and(x.attempt_status = 'unknown') from (
        select attempt_status from gateway_attempt where channel = ch.channel and sent_time is not null
        order by sent_time desc, external_id desc limit ch.pause_after_unknown) x)`)
  if (silent) await pauseChannel(tx, channel, `${silent.n} unknown`, actor)
}

/** The network says that our account holds too little, whatever the books say: nothing more leaves it until it holds enough. */
export const pauseAccount = (tx: Tx, fundAccountNo: string, amount: Money) =>
  tx.exec(sql`
    update fund_account set short_amount = greatest(short_amount, ${amount}) where fund_account_no = ${fundAccountNo}`)

const cause = (code: LoanCode) => `loan_code:${code.loanCode}`

/** Takes the money that left for a payout as the customer's principal. */
const bookPayout = async (tx: Tx, { order, code }: HeldAttempt, date: string, actor: Actor) => {
  const fees = upfrontFees(order.terms, order.loanAmount)
  await post(
    tx,
    {
      code: 'P1b',
      cause: cause(code),
      valueDate: date,
      keys: payoutKeys(order, code.loanCode),
      lines: [
        { account: account.principal(order.orderNo), amount: order.loanAmount, component: 'principal' },
        { account: account.inFlight(code.loanCode), amount: neg(code.actualLoanAmount) },
        { account: account.feeIncome, amount: neg(fees.serviceFee), component: 'serviceFee' },
        { account: account.feeIncome, amount: neg(fees.managementFee), component: 'managementFee' },
      ],
    },
    actor,
  )
}

/** Moves the money of a code between our account and the payouts under way. */
const moveInFlight = (tx: Tx, { order, code, attempt }: HeldAttempt, way: 'P1a' | 'P1c', actor: Actor) => {
  const amount = way === 'P1a' ? code.actualLoanAmount : neg(code.actualLoanAmount)
  const lines = [
    { account: account.inFlight(code.loanCode), amount },
    { account: account.bank(attempt.fundAccountNo), amount: neg(amount) },
  ]
  return post(tx, { code: way, cause: cause(code), keys: payoutKeys(order, code.loanCode), lines }, actor)
}

const disburse = async (
  tx: Tx,
  held: HeldAttempt,
  date: string,
  event: 'payout.success' | 'payout.lateSuccess',
  actor: Actor,
) => {
  await bookPayout(tx, held, date, actor)
  const set = { statusTime: tx.now, payoutTime: tx.now, payoutDate: date, lendingChannel: held.attempt.channel }
  const order: Order = await transition(tx, 'order', held.order, { event, set }, actor)
  await consume(tx, { meter: 'payout', subjectNo: held.code.loanCode, merchantNo: order.merchantNo })
  await useLimitCoupon(tx, { orderNo: order.orderNo }, actor)
  await useGrant(tx, { orderNo: order.orderNo }, actor)
  await createPlans(tx, order, { payoutDate: date, rule: dueRuleOf(held.attempt) }, actor)
  const { externalId: objectNo } = held.attempt
  await happened(tx, { ...order, event: 'payout.success', objectType: 'payout_attempt', objectNo })
}

/** Money left that nothing was waiting for: it is held apart and explained, and nothing more is sent by itself. */
const holdApart = async (tx: Tx, held: HeldAttempt, actor: Actor) => {
  const { order, code, attempt } = held
  await post(
    tx,
    {
      code: 'P1e',
      cause: `payout_attempt:${attempt.externalId}`,
      keys: payoutKeys(order, code.loanCode),
      lines: [
        { account: account.exception(attempt.externalId), amount: attempt.amount },
        { account: account.bank(attempt.fundAccountNo), amount: neg(attempt.amount) },
      ],
    },
    actor,
  )
  await openItem(tx, held, 'paid_not_expected', { amount: attempt.amount, difference: attempt.amount }, actor)
  await blockWaiting(tx, order.orderNo, actor)
}

/** Nothing more is sent for an order by itself while a payment of it stands apart. The order is locked. */
export const blockWaiting = async (tx: Tx, orderNo: string, actor: Actor): Promise<void> => {
  const waiting = await tx.rows(sql<LoanCode>`
    select * from loan_code where order_no = ${orderNo} and loan_code_status = 'created' and wait_reason is distinct from 'blocked' for update`)
  for (const one of waiting)
    await transition(tx, 'loanCode', one, { event: 'code.block', set: { waitReason: 'blocked' } }, actor)
}

/** Whether a success may still be taken as the payout of its code: nothing newer was made or sent since. */
const isExpected = async (tx: Tx, { order, code, attempt }: HeldAttempt): Promise<'running' | 'late' | null> => {
  if (attempt.attemptNo !== code.attemptNo) return null
  if (code.loanCodeStatus === 'remitting' || code.loanCodeStatus === 'unknown') return 'running'
  if (code.loanCodeStatus !== 'failed' || !['loan_failed', 're_withdrawal_allowed'].includes(order.orderStatus))
    return null
  const newer = await tx.maybe(
    sql`select 1 from loan_code where order_no = ${order.orderNo} and loan_code_seq > ${code.loanCodeSeq}`,
  )
  return newer ? null : 'late'
}

const chargeFee = async (tx: Tx, { order, code, attempt }: HeldAttempt, fee: Money | undefined, actor: Actor) => {
  if (!fee || !gt(fee, '0.00')) return
  const lines = [
    { account: account.channelCost(attempt.channel), amount: fee },
    { account: account.bank(attempt.fundAccountNo), amount: neg(fee) },
  ]
  await post(
    tx,
    { code: 'P16', cause: `payout_attempt:${attempt.externalId}`, keys: payoutKeys(order, code.loanCode), lines },
    actor,
  )
}

const statedBy = (tx: Tx, o: Extract<Outcome, { kind: 'success' }>) => ({
  serialNo: o.serialNo,
  answerTime: tx.now,
  answerCode: o.manual ? 'MANUAL' : 'SUCCESS',
  answerMessage: null,
  nextQueryTime: null,
  unknownSince: null,
  fee: o.fee ?? null,
})

const succeed = async (tx: Tx, held: HeldAttempt, o: Extract<Outcome, { kind: 'success' }>, actor: Actor) => {
  const { code, attempt } = held
  if (attempt.attemptStatus === 'prepared') throw new Error(`${attempt.externalId} was paid before it was sent`)
  if (attempt.attemptStatus === 'succeeded') {
    await transition(
      tx,
      'loanCode',
      code,
      {
        event: 'gateway.success',
        as: code.serialNo === attempt.serialNo ? 'repeated' : 'unexpected',
        payload: { repeated: attempt.externalId },
      },
      actor,
    )
    return
  }
  const expected = await isExpected(tx, held)
  const asked = { sent: 'answer.ok', unknown: 'query.ok' }[attempt.attemptStatus]
  const event = (o.by !== 'callback' && asked) || 'callback.success'
  const stated = statedBy(tx, o)
  await transition(tx, 'gatewayAttempt', attempt, { event, set: stated }, actor)
  if (expected === 'late') await takeAnyway(tx, held.order, attempt)
  await chargeFee(tx, held, o.fee, actor)
  if (!o.manual) await endConfirm(tx, code.loanCode, actor)
  if (!expected) {
    await transition(
      tx,
      'loanCode',
      code,
      { event: 'gateway.success', as: 'unexpected', payload: { externalId: attempt.externalId, serialNo: o.serialNo } },
      actor,
    )
    await holdApart(tx, held, actor)
    return
  }
  if (expected === 'late') await moveInFlight(tx, held, 'P1a', actor)
  const [move, as] = o.manual ? (['manual.confirm', 'success'] as const) : (['gateway.success', 'expected'] as const)
  const set = { serialNo: o.serialNo, finishTime: tx.now, failType: null, failReason: null, unknownSince: null }
  await transition(
    tx,
    'loanCode',
    code,
    { event: move, as, set, payload: { externalId: attempt.externalId, late: expected === 'late' } },
    actor,
  )
  await disburse(
    tx,
    held,
    o.manual?.date ?? tx.today,
    expected === 'late' ? 'payout.lateSuccess' : 'payout.success',
    actor,
  )
}

const fail = async (tx: Tx, held: HeldAttempt, o: Extract<Outcome, { kind: 'failure' }>, actor: Actor) => {
  const { order, code, attempt } = held
  if (attempt.attemptStatus === 'succeeded') {
    await transition(
      tx,
      'gatewayAttempt',
      attempt,
      { event: 'callback.fail', payload: { answerCode: o.answerCode } },
      actor,
    )
    await openItem(
      tx,
      held,
      'late_contradiction',
      { amount: attempt.amount, difference: '0.00', remark: o.answerCode },
      actor,
    )
    return
  }
  if (!isOpen(attempt.attemptStatus)) return
  const asked = attempt.attemptStatus === 'sent' ? 'answer.fail' : 'query.fail'
  const event = o.by === 'callback' ? 'callback.fail' : asked
  const stated = {
    answerTime: tx.now,
    answerCode: o.answerCode,
    answerMessage: o.answerMessage,
    nextQueryTime: null,
    unknownSince: null,
  }
  await transition(tx, 'gatewayAttempt', attempt, { event, set: stated }, actor)
  if (!o.manual) await endConfirm(tx, code.loanCode, actor)
  const [move, as] = o.manual ? (['manual.confirm', 'failure'] as const) : (['gateway.failure', undefined] as const)
  const set = { failType: o.failType, failReason: o.answerMessage, finishTime: tx.now, unknownSince: null }
  await transition(
    tx,
    'loanCode',
    code,
    { event: move, as, set, payload: { externalId: attempt.externalId, answerCode: o.answerCode } },
    actor,
  )
  await giveBack(tx, attempt.externalId)
  await moveInFlight(tx, held, 'P1c', actor)
  await transition(tx, 'order', order, { event: 'payout.fail', set: { statusTime: tx.now } }, actor)
  const { externalId: objectNo } = attempt
  await happened(tx, { ...order, event: 'payout.failed', objectType: 'payout_attempt', objectNo })
  if (o.failType === 'our_balance') await pauseAccount(tx, attempt.fundAccountNo, attempt.amount)
  if (o.failType === 'config') await pauseChannel(tx, attempt.channel, `${o.answerCode} ${o.answerMessage}`, actor)
}

const leaveUnknown = async (tx: Tx, { code, attempt }: HeldAttempt, answerCode: string, actor: Actor) => {
  if (attempt.attemptStatus !== 'sent') {
    await tx.exec(
      sql`update gateway_attempt set answer_time = ${tx.now}, answer_code = ${answerCode} where external_id = ${attempt.externalId}`,
    )
    return
  }
  await transition(
    tx,
    'gatewayAttempt',
    attempt,
    { event: 'answer.none', set: { unknownSince: tx.now, answerTime: tx.now, answerCode } },
    actor,
  )
  await pauseWhenSilent(tx, attempt.channel, actor)
  if (code.loanCodeStatus === 'remitting')
    await transition(
      tx,
      'loanCode',
      code,
      { event: 'gateway.timeout', set: { unknownSince: tx.now }, payload: { answerCode } },
      actor,
    )
}

/** The network speaks of other money than we sent: nobody decides by that. */
export const disagree = async (tx: Tx, held: HeldAttempt, o: Pick<Paid, 'amount' | 'payee'>, actor: Actor) => {
  const { attempt } = held
  const stated = o.amount ?? attempt.amount
  const remark = eq(stated, attempt.amount)
    ? `payee ${attempt.payee.slice(-3)} / ${o.payee?.slice(-3)}`
    : `${attempt.amount} / ${stated}`
  await openItem(tx, held, 'amount_differs', { amount: stated, difference: sub(stated, attempt.amount), remark }, actor)
  if (isOpen(attempt.attemptStatus)) await leaveUnknown(tx, held, 'AMOUNT_DIFFERS', actor)
}

/**
 * Applies what is known of a send to its attempt, its loan code and its order, whatever came in between. The three are
 * locked by the caller; the same news twice changes nothing.
 */
export const applyOutcome = async (tx: Tx, held: HeldAttempt, o: Outcome, actor: Actor): Promise<void> => {
  if (o.kind === 'unknown') {
    if (isOpen(held.attempt.attemptStatus)) await leaveUnknown(tx, held, o.answerCode, actor)
  } else if (o.kind === 'failure') {
    await fail(tx, held, o, actor)
  } else {
    const same =
      eq(o.amount ?? held.attempt.amount, held.attempt.amount) && (o.payee ?? held.attempt.payee) === held.attempt.payee
    await (same || held.attempt.attemptStatus === 'succeeded' ? succeed : disagree)(tx, held, o, actor)
  }
}
