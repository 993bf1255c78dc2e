import { sql } from 'kysely'
import { eq, gt, neg, sub } from '../../../../core/rules/money.ts'
import type { Tx } from '../../../db/database.ts'
import { account, post } from '../../../money/ledger.ts'
import type { Actor } from '../../../rights/actor.ts'
import { transition } from '../../../states/transition.ts'
import { type HeldSend, type Outcome, pauseAccount, pauseChannel } from '../../after-loan/payout/index.ts'
import { openDifference } from '../../after-loan/reconciliation/index.ts'
import { type HeldPayable, openConfirmOf } from './payable.ts'

type Success = Extract<Outcome, { kind: 'success' }>
type Failed = Extract<Outcome, { kind: 'failure' }>

const isOpen = (status: string) => status === 'sent' || status === 'unknown'

/** Opens a difference once per reference. */
export const differs = (
  tx: Tx,
  { payable, attempt }: HeldPayable,
  ...[kind, o, actor]: Parameters<HeldSend['differs']>
): Promise<void> => {
  const { externalId: reference, channel, fundAccountNo } = attempt
  const object = { objectType: payable.kind, objectNo: payable.no }
  return openDifference(tx, { kind, fundAccountNo, channel, reference, ...o, ...object }, actor)
}

/** A confirmation that two people are at is over once the network has answered. */
const endConfirm = async (tx: Tx, { payable }: HeldPayable, actor: Actor) => {
  const open = await openConfirmOf(tx, payable)
  if (open) await transition(tx, 'confirmRecord', open, { event: 'confirm.withdraw' }, actor)
}

const move = (tx: Tx, { payable }: HeldPayable, made: Parameters<typeof transition>[3], actor: Actor) =>
  transition(tx, payable.machine, payable.row, made, actor)

/** Money left that nothing was waiting for any more: it is held apart until it is explained (P18). */
const holdApart = async (tx: Tx, held: HeldPayable, actor: Actor) => {
  const { externalId, amount, fundAccountNo } = held.attempt
  const lines = [
    { account: account.exception(externalId), amount },
    { account: account.bank(fundAccountNo), amount: neg(amount) },
  ]
  await post(tx, { code: 'P18', cause: `payout_attempt:${externalId}`, keys: {}, lines }, actor)
  await differs(tx, held, 'paid_not_expected', { amount, difference: amount }, actor)
}

const chargeFee = async (tx: Tx, { attempt }: HeldPayable, { fee }: Success, actor: Actor) => {
  if (!fee || !gt(fee, '0.00')) return
  const lines = [
    { account: account.channelCost(attempt.channel), amount: fee },
    { account: account.bank(attempt.fundAccountNo), amount: neg(fee) },
  ]
  await post(tx, { code: 'P16', cause: `payout_attempt:${attempt.externalId}`, keys: {}, lines }, actor)
}

/** Which row of *gateway.success* applies: whether the payable still waits for this send. */
const expectation = ({ payable, attempt }: HeldPayable): { as?: string; takes: boolean } => {
  const newest = attempt.attemptNo === payable.row.attemptNo
  const { running, failed, paid } = payable.states
  if (payable.status === running) return newest ? { as: 'newest', takes: true } : { as: 'earlier', takes: false }
  if (payable.status === failed) return newest ? { as: 'late', takes: true } : { as: 'overtaken', takes: false }
  return payable.status === paid ? { as: 'other', takes: false } : { takes: false }
}

const stated = (tx: Tx, o: Success) => ({
  serialNo: o.serialNo,
  answerTime: tx.now,
  answerCode: o.manual ? 'MANUAL' : 'SUCCESS',
  answerMessage: null,
  nextQueryTime: null,
  unknownSince: null,
  fee: o.fee ?? null,
})

const heardAgain = async (tx: Tx, held: HeldPayable, actor: Actor) => {
  const { payable, attempt } = held
  if (payable.status !== payable.states.paid) return
  const as = payable.row.serialNo === attempt.serialNo ? 'again' : 'other'
  await move(tx, held, { event: 'gateway.success', as, payload: { repeated: attempt.externalId } }, actor)
}

const succeed = async (tx: Tx, held: HeldPayable, o: Success, actor: Actor) => {
  const { payable, attempt } = held
  if (attempt.attemptStatus === 'prepared') throw new Error(`${attempt.externalId} was paid before it was sent`)
  if (attempt.attemptStatus === 'succeeded') return heardAgain(tx, held, actor)
  const asked = { sent: 'answer.ok', unknown: 'query.ok' }[attempt.attemptStatus]
  const event = (o.by !== 'callback' && asked) || 'callback.success'
  await transition(tx, 'gatewayAttempt', attempt, { event, set: stated(tx, o) }, actor)
  await chargeFee(tx, held, o, actor)
  if (!o.manual) await endConfirm(tx, held, actor)
  const { as, takes } = expectation(held)
  const payload = { externalId: attempt.externalId, serialNo: o.serialNo }
  if (!takes) {
    await move(tx, held, { event: 'gateway.success', ...(as ? { as } : {}), payload }, actor)
    return holdApart(tx, held, actor)
  }
  if (as === 'late') await payable.book('sent', attempt, actor)
  const set = { serialNo: o.serialNo, failType: null, failReason: null, ...payable.paidSet }
  const made = o.manual
    ? { event: 'manual.confirm', as: 'success', set, payload }
    : { event: 'gateway.success', ...(as ? { as } : {}), set, payload }
  await move(tx, held, made, actor)
  await payable.book('arrived', attempt, actor)
  await payable.paid(actor)
}

const fail = async (tx: Tx, held: HeldPayable, o: Failed, actor: Actor) => {
  const { payable, attempt } = held
  const { answerCode, answerMessage } = o
  if (attempt.attemptStatus === 'succeeded') {
    await transition(tx, 'gatewayAttempt', attempt, { event: 'callback.fail', payload: { answerCode } }, actor)
    const said = { amount: attempt.amount, difference: '0.00' as const, remark: answerCode }
    return differs(tx, held, 'late_contradiction', said, actor)
  }
  if (!isOpen(attempt.attemptStatus)) return
  const asked = attempt.attemptStatus === 'sent' ? 'answer.fail' : 'query.fail'
  const event = o.by === 'callback' ? 'callback.fail' : asked
  const heard = { answerTime: tx.now, answerCode, answerMessage, nextQueryTime: null, unknownSince: null }
  await transition(tx, 'gatewayAttempt', attempt, { event, set: heard }, actor)
  if (!o.manual) await endConfirm(tx, held, actor)
  const set = { failType: o.failType, failReason: answerMessage }
  const payload = { externalId: attempt.externalId, answerCode }
  const made = o.manual
    ? { event: 'manual.confirm', as: 'failure', set, payload }
    : { event: 'gateway.failure', set, payload }
  await move(tx, held, made, actor)
  await payable.book('failed', attempt, actor)
  if (o.failType === 'our_balance') await pauseAccount(tx, attempt.fundAccountNo, attempt.amount)
  if (o.failType === 'config') await pauseChannel(tx, attempt.channel, `${answerCode} ${answerMessage}`, actor)
}

const leaveUnknown = async (tx: Tx, held: HeldPayable, answerCode: string, actor: Actor) => {
  const { payable, attempt } = held
  if (attempt.attemptStatus !== 'sent') {
    await tx.exec(
      sql`update gateway_attempt set answer_time = ${tx.now}, answer_code = ${answerCode} where external_id = ${attempt.externalId}`,
    )
    return
  }
  const set = { unknownSince: tx.now, answerTime: tx.now, answerCode }
  await transition(tx, 'gatewayAttempt', attempt, { event: 'answer.none', set }, actor)
  if (payable.notesUnknown && payable.status === payable.states.running)
    await move(tx, held, { event: 'gateway.unknown', payload: { answerCode } }, actor)
}

/** The network speaks of other money than we sent: nobody decides by that. */
const disagree = async (tx: Tx, held: HeldPayable, o: Success, actor: Actor) => {
  const { attempt } = held
  const amount = o.amount ?? attempt.amount
  const remark = eq(amount, attempt.amount)
    ? `payee ${attempt.payee.slice(-3)} / ${o.payee?.slice(-3)}`
    : `${attempt.amount} / ${amount}`
  await differs(tx, held, 'amount_differs', { amount, difference: sub(amount, attempt.amount), remark }, actor)
  if (isOpen(attempt.attemptStatus)) await leaveUnknown(tx, held, 'AMOUNT_DIFFERS', actor)
}

/**
 * Applies what is known of a send to it and to what it pays for, whatever came in between; both are locked. The same news twice
 * changes nothing.
 */
export const applyTo = async (tx: Tx, held: HeldPayable, o: Outcome, actor: Actor): Promise<void> => {
  const { attempt } = held
  if (o.kind === 'unknown') {
    if (isOpen(attempt.attemptStatus)) await leaveUnknown(tx, held, o.answerCode, actor)
  } else if (o.kind === 'failure') await fail(tx, held, o, actor)
  else {
    const same = eq(o.amount ?? attempt.amount, attempt.amount) && (o.payee ?? attempt.payee) === attempt.payee
    await (same || attempt.attemptStatus === 'succeeded' ? succeed : disagree)(tx, held, o, actor)
  }
}
