import { sql } from 'kysely'
import { refund as calls } from '../../../../core/contract/charge/refund.ts'
import type { ParsedOf } from '../../../../core/contract/endpoint.ts'
import { mask } from '../../../../core/rules/mask.ts'
import { add, type Money, money } from '../../../../core/rules/money.ts'
import type { Tx } from '../../../db/database.ts'
import { checkVersion, Fault, notFound } from '../../../http/fault.ts'
import { type Call, serve } from '../../../http/serve.ts'
import { newNo } from '../../../money/numbers.ts'
import type { Actor } from '../../../rights/actor.ts'
import { begin, transition } from '../../../states/transition.ts'
import {
  freeOf,
  lockOverpayment,
  type Overpayment,
  releaseOverflow,
  reserveOverflow,
} from '../../after-loan/repayment/index.ts'
import { findOrder } from '../../order/order/index.ts'
import { refundBlocks } from './refund-blocks.ts'
import { checkAmount, checkedPayee, keepFiles, type Payee } from './refund-rules.ts'
import { lastOrder } from './refund-source.ts'
import { bookPromise, type HeldRefund, lockRefund, overflowScope, type Refund, reread } from './refund-store.ts'

type Command = Parameters<typeof refundBlocks.check>[1]

/** What a command on a refund answers. */
export const standingOf = ({ refundNo, refundStatus, auditStatus, verifyStatus, version }: Refund) => ({
  refundNo,
  refundStatus: refundStatus as 'created',
  auditStatus: auditStatus as 'pending',
  verifyStatus: verifyStatus as 'not_verified',
  version,
})

/** A refund within the data rule, locked, seen as it is, and in a state for what is asked. */
export const held = async (
  call: Call<{ refundNo: string; version?: number }>,
  command: Command,
): Promise<HeldRefund> => {
  const { tx, session, input } = call
  const found = await lockRefund(tx, session, input.refundNo)
  if (input.version !== undefined) checkVersion(found.refund, input.version)
  await refundBlocks.check(call, command, input.refundNo)
  return found
}

/** A line of the log about a refund. */
export const noted = (call: Call<never> | Call, refundNo: string, before: object | null, after: object): void =>
  (call as Call).audit({ objectType: 'refund', objectNo: refundNo, before: { ...before }, after: { ...after } })

const logged = (payee: Payee) => ({
  ...payee,
  payeeAccount: mask(payee.payeeAccount),
  sourceAccount: payee.sourceAccount && mask(payee.sourceAccount),
  payeeName: mask(payee.payeeName),
})

/** The overflow of a customer within the data rule, locked. */
const lockOverflow = async (
  { tx, session }: Pick<Call, 'tx' | 'session'>,
  customerNo: string,
): Promise<Overpayment> => {
  const within = await tx.maybe(
    sql`select 1 from overpayment v where v.customer_no = ${customerNo} and ${overflowScope(session)}`,
  )
  const overpayment = within ? await lockOverpayment(tx, customerNo) : undefined
  if (!overpayment) throw notFound()
  return overpayment
}

const orderOf = async ({ tx, session }: Call, customerNo: string, orderNo: string | undefined) => {
  if (orderNo === undefined) {
    const found = await tx.one(
      sql<{
        orderNo: string | null
      }>`select ${lastOrder} as order_no from overpayment v where v.customer_no = ${customerNo}`,
    )
    return found.orderNo
  }
  const order = await findOrder(tx, session, orderNo)
  if (order.customerNo !== customerNo) throw notFound()
  return order.orderNo
}

/** What a refund is asked for with, as its row keeps it. */
const askedOf = (input: Omit<ParsedOf<typeof calls.resubmit>, 'refundNo' | 'version'>, amount: Money) => ({
  refundSource: input.refundSource,
  refundAmount: amount,
  refundReason: input.refundReason,
  remark: input.remark || null,
})

/** Asks for a refund: its amount is promised at once, so that nothing else can use it. */
const submit = serve(calls.submit, async call => {
  const { tx, actor, input } = call
  const overpayment = await lockOverflow(call, input.customerNo)
  const open = await tx.maybe(sql<{ refundNo: string }>`
    select refund_no from client_refund where customer_no = ${input.customerNo} and refund_status in ('created', 'in_progress', 'failure')`)
  if (open) throw new Fault('stateConflict', 'errors.refundOpen', { refundNo: open.refundNo })
  const amount = money(input.refundAmount)
  checkAmount(amount, freeOf(overpayment))
  const payee = await checkedPayee(tx, overpayment, input, Boolean(input.attachNos?.length))
  const refundNo = newNo('RF', tx.now)
  const { customerNo, merchantNo, overpaymentNo } = overpayment
  const values = {
    refundNo,
    overpaymentNo,
    customerNo,
    merchantNo,
    orderNo: await orderOf(call, customerNo, input.orderNo),
    ...askedOf(input, amount),
    ...payee,
    applyTime: tx.now,
    submitTime: tx.now,
    makerNo: actor.no,
    makerName: actor.name,
    askedBy: [actor.no],
  }
  const machines = [
    ['refund', { event: 'refund.submit' }],
    ['refundAudit', { event: 'audit.start' }],
    ['refundVerification', { event: 'verify.start' }],
  ] as const
  await begin(tx, machines, values, actor)
  await reserveOverflow(tx, overpayment, { refundNo, amount }, actor)
  await bookPromise(tx, { refundNo, customerNo, refundAmount: amount }, 'P7a', actor)
  const files = await keepFiles(tx, refundNo, input.attachNos, actor)
  noted(call, refundNo, null, { refundAmount: amount, ...logged(payee), refundReason: input.refundReason, ...files })
  return standingOf(await reread(tx, refundNo))
})

/** The account is another one: whatever was known of it is not any more. */
const forgetAccount = async (tx: Tx, refund: Refund, actor: Actor): Promise<Refund> => {
  const set = {
    matchScore: null,
    holderName: null,
    ignoreVerification: false,
    ignoreReason: null,
    ignoreSeen: [],
    ignoredBy: null,
    ignoredName: null,
    ignoredTime: null,
  }
  if (refund.verifyStatus === 'passed')
    return transition(tx, 'refundVerification', refund, { event: 'account.change', set }, actor)
  await tx.exec(sql`
    update client_refund set match_score = null, holder_name = null, ignore_verification = false, ignore_reason = null, ignore_seen = '{}',
      ignored_by = null, ignored_name = null, ignored_time = null where refund_no = ${refund.refundNo}`)
  return { ...refund, ...set }
}

const sameAccount = (refund: Refund, payee: Pick<Payee, 'channel' | 'payeeAccount' | 'payeeName'>) =>
  refund.channel === payee.channel && refund.payeeAccount === payee.payeeAccount && refund.payeeName === payee.payeeName

const askers = ({ askedBy }: Refund, actor: Actor) => [...new Set([...askedBy, actor.no])]

/** Promises another amount instead of the one that is promised. */
const repromise = async (tx: Tx, { refund, overpayment }: HeldRefund, amount: Money, actor: Actor) => {
  const { refundNo, customerNo, refundAmount } = refund
  checkAmount(amount, add(freeOf(overpayment), refundAmount))
  if (amount === refundAmount) return
  const free = await releaseOverflow(tx, overpayment, { refundNo, amount: refundAmount }, actor)
  await bookPromise(tx, refund, 'P7-REV', actor)
  await reserveOverflow(tx, free, { refundNo, amount }, actor)
  await bookPromise(tx, { refundNo, customerNo, refundAmount: amount }, 'P7a', actor)
}

/** Its maker corrects a rejected refund; every rule is asked again. */
const resubmit = serve(calls.resubmit, async call => {
  const { tx, actor, input } = call
  const found = await held(call, calls.resubmit)
  const amount = money(input.refundAmount)
  const shown = Boolean(input.attachNos?.length) || sameAccount(found.refund, input)
  const payee = await checkedPayee(tx, found.overpayment, input, shown)
  await repromise(tx, found, amount, actor)
  const changed = sameAccount(found.refund, payee) ? found.refund : await forgetAccount(tx, found.refund, actor)
  const set = {
    ...askedOf(input, amount),
    ...payee,
    submitTime: tx.now,
    auditorNo: null,
    auditorName: null,
    auditTime: null,
    auditReason: null,
    askedBy: askers(changed, actor),
  }
  const moved = await transition(tx, 'refundAudit', changed, { event: 'refund.resubmit', set }, actor)
  const kept = await keepFiles(tx, moved.refundNo, input.attachNos, actor)
  noted(
    call,
    moved.refundNo,
    { refundAmount: found.refund.refundAmount, auditStatus: 'rejected' },
    { refundAmount: amount, auditStatus: 'pending', ...logged(payee), ...kept },
  )
  return standingOf(moved)
})

/** Another account for a refund whose payment failed: review and verification start again. */
const editPayee = serve(calls.editPayee, async call => {
  const { tx, actor, input } = call
  const { refund, overpayment } = await held(call, calls.editPayee)
  const payee = await checkedPayee(tx, overpayment, input, Boolean(input.attachNos?.length))
  if (sameAccount(refund, payee)) throw new Fault('stateConflict', 'errors.payeeUnchanged')
  const set = { ...payee, failType: null, failReason: null, payerUserNo: null, payerUserName: null }
  const created = await transition(tx, 'refund', refund, { event: 'refund.editPayee', set }, actor)
  const again = {
    submitTime: tx.now,
    auditorNo: null,
    auditorName: null,
    auditTime: null,
    auditReason: null,
    askedBy: askers(refund, actor),
  }
  const pending = await transition(
    tx,
    'refundAudit',
    created,
    { event: 'audit.revoke', set: again, payload: { because: 'refund.editPayee' } },
    actor,
  )
  const moved = await forgetAccount(tx, pending, actor)
  const kept = await keepFiles(tx, refund.refundNo, input.attachNos, actor)
  noted(call, refund.refundNo, { payeeAccount: mask(refund.payeeAccount) }, { ...logged(payee), ...kept })
  return standingOf(moved)
})

/** Ends a refund that was not paid: its amount is the customer's overflow again. */
export const endRefund = async (
  tx: Tx,
  { refund, overpayment }: HeldRefund,
  o: { event: 'refund.close' | 'clock.autoClose'; reason?: string },
  actor: Actor,
): Promise<Refund> => {
  const payload = o.reason === undefined ? {} : { reason: o.reason }
  const closed = await transition(tx, 'refund', refund, { event: o.event, payload }, actor)
  await releaseOverflow(tx, overpayment, { refundNo: refund.refundNo, amount: refund.refundAmount }, actor)
  await bookPromise(tx, refund, 'P7-REV', actor)
  return closed
}

const close = serve(calls.close, async call => {
  const { tx, actor, input } = call
  const found = await held(call, calls.close)
  const closed = await endRefund(tx, found, { event: 'refund.close', reason: input.reason }, actor)
  const before = { refundStatus: found.refund.refundStatus }
  noted(call, closed.refundNo, before, { refundStatus: 'closed', reason: input.reason })
  return standingOf(closed)
})

/** What those who ask for refunds do. */
export const submitServed = [submit, resubmit, editPayee, close]
