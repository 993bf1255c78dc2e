import { sql } from 'kysely'
import type { Tx } from '../../../db/database.ts'
import { eachItem, type Step } from '../../../jobs/scheduler.ts'
import { serveListed } from '../../../lists/listed.ts'
import type { Deps, Module } from '../../../module.ts'
import { type Actor, system } from '../../../rights/actor.ts'
import { transition } from '../../../states/transition.ts'
import { batchApproval, batchCalls, batchQueue } from './batch.ts'
import { couponLists } from './coupon-lists.ts'
import { startCoupon } from './issue.ts'
import { codeApproval, promoCalls, redeem } from './promo.ts'
import { revoke, revokeApproval } from './revoke.ts'
import { stat, templateChoices, templates } from './template.ts'

type Coupon = { couponNo: string; couponType: string; couponStatus: string; expireTime: string; version: number }
type Order = { orderNo: string }

const chunkSize = 500
const columns = sql`coupon_no, coupon_type, coupon_status, expire_time, version`

/** The coupon bound to a locked order, if it is in this state. Take it after the order and before any overpayment. */
const lockBound = (tx: Tx, { orderNo }: Order, status: 'frozen' | 'used') =>
  tx.maybe(sql<Coupon>`
    select ${columns} from coupon where bound_order_no = ${orderNo} and coupon_status = ${status} for update`)

/** The coupon leaves its order, to be used again unless its time is over. */
const back = (tx: Tx, { orderNo }: Order, coupon: Coupon, event: string, actor: Actor): Promise<Coupon> => {
  const as = Date.parse(coupon.expireTime) > tx.now.getTime() ? 'valid' : 'late'
  const set = { boundOrderNo: null, usedTime: null, usedAmount: null, returnedAmount: '0.00' }
  return transition(tx, 'coupon', coupon, { event, as, set, payload: { orderNo } }, actor)
}

/** An order ends without having used its coupon: refused, cancelled, or repaid without a reduction. */
export const releaseCoupon = async (tx: Tx, order: Order, actor: Actor): Promise<void> => {
  const coupon = await lockBound(tx, order, 'frozen')
  if (coupon) await back(tx, order, coupon, 'coupon.unfreeze', actor)
}

/** A repayment is undone: the coupon that it was made with, if any, is the customer's again. */
export const restoreDiscount = async (
  tx: Tx,
  { orderNo, couponNo }: Order & { couponNo: string | null },
  actor: Actor,
): Promise<void> => {
  if (!couponNo) return
  const used = await lockBound(tx, { orderNo }, 'used')
  if (used?.couponNo === couponNo) await back(tx, { orderNo }, used, 'coupon.restore', actor)
}

/** An order that is reviewed once more has the coupon again that it gave back at its refusal, if that is still to be used. */
export const refreezeCoupon = async (tx: Tx, { orderNo }: Order, actor: Actor): Promise<void> => {
  const coupon = await tx.maybe(sql<Coupon>`
    select ${columns} from coupon where coupon_status = 'waiting_used' and bound_order_no is null and expire_time > ${tx.now}
      and coupon_no = (
        select t.object_no from state_transition t where t.machine = 'M50' and t.event = 'coupon.unfreeze' and t.payload ->> 'orderNo' = ${orderNo}
        order by t.at desc limit 1) for update`)
  if (coupon)
    await transition(
      tx,
      'coupon',
      coupon,
      { event: 'coupon.freeze', set: { boundOrderNo: orderNo }, payload: { orderNo } },
      actor,
    )
}

/** A payout is undone: the customer has the coupon back, whether the payout had used it or not. */
export const restoreCoupon = async (tx: Tx, order: Order, actor: Actor): Promise<void> => {
  const used = await lockBound(tx, order, 'used')
  if (used) await back(tx, order, used, 'coupon.restore', actor)
  else await releaseCoupon(tx, order, actor)
}

/** The payout of its order uses a coupon that raised the limit; the other kinds wait for a repayment. */
export const useLimitCoupon = async (tx: Tx, order: Order, actor: Actor): Promise<void> => {
  const coupon = await lockBound(tx, order, 'frozen')
  if (coupon?.couponType !== 'increase_loan_limit_coupon') return
  await transition(tx, 'coupon', coupon, { event: 'coupon.use', set: { usedTime: tx.now }, payload: order }, actor)
}

/** Coupons whose first day has come may be used. */
const startChunk = async (tx: Tx, { date, cursor }: { date: string; cursor: string | null }): Promise<Step> => {
  const due = await tx.rows(sql<Coupon>`
    select ${columns} from coupon where coupon_status = 'pending' and start_time <= ${tx.now} and expire_time > ${tx.now} and coupon_no > ${cursor ?? ''}
    order by coupon_no limit ${chunkSize} for update`)
  return chunked(tx, due, 'started', (inner, coupon) => startCoupon(inner, coupon, system(`coupon.start ${date}`)))
}

const chunked = async (
  tx: Tx,
  due: readonly Coupon[],
  count: string,
  act: (tx: Tx, coupon: Coupon) => Promise<unknown>,
): Promise<Step> => {
  const parked = await eachItem(tx, due, coupon => coupon.couponNo, act)
  return {
    cursor: due.length < chunkSize ? null : (due.at(-1)?.couponNo ?? null),
    counts: { [count]: due.length - parked.length },
    parked,
  }
}

/** Ends coupons whose time is over; those bound to an order wait for it. */
const expireChunk = async (tx: Tx, { date, cursor }: { date: string; cursor: string | null }): Promise<Step> => {
  const due = await tx.rows(sql<Coupon>`
    select ${columns} from coupon
    where coupon_status in ('pending', 'waiting_used') and expire_time <= (${date}::date::timestamp at time zone 'Africa/Kampala')
      and coupon_no > ${cursor ?? ''}
    order by coupon_no limit ${chunkSize} for update`)
  const actor = system(`coupon.expire ${date}`)
  return chunked(tx, due, 'expired', (inner, coupon) =>
    transition(inner, 'coupon', coupon, { event: 'clock.expire' }, actor),
  )
}

/** Coupons: the kinds there are, how they are given, and what becomes of those that customers hold. */
export const couponModule = ({ secretKey }: Partial<Pick<Deps, 'secretKey'>> = {}): Module => ({
  ...templates,
  served: [
    ...templates.served,
    ...couponLists.map(serveListed),
    stat,
    ...batchCalls,
    ...promoCalls,
    revoke,
    redeem({ secretKey: secretKey ?? Buffer.alloc(32) }),
  ],
  lists: [...templates.lists, ...couponLists],
  approvals: [...templates.approvals, batchApproval, codeApproval, revokeApproval],
  choices: [templateChoices],
  queues: [batchQueue],
  chunked: [
    { job: 'coupon.expire', dailyAt: '00:05', chunk: expireChunk },
    { job: 'coupon.start', dailyAt: '00:05', chunk: startChunk },
  ],
})
