import { sql } from 'kysely'
import { can } from '../../../../core/rules/machines/machine.ts'
import { machines } from '../../../../core/rules/machines/machines.ts'
import { addDays, type EatDate } from '../../../../core/rules/time.ts'
import type { Tx } from '../../../db/database.ts'
import { eachItem, type Step } from '../../../jobs/scheduler.ts'
import type { Module } from '../../../module.ts'
import { type Actor, system } from '../../../rights/actor.ts'
import { transition } from '../../../states/transition.ts'
import { releaseCoupon } from '../../operation/coupon/index.ts'
import { lockOrder, orderApproval, restoreCredit } from '../../order/order/index.ts'
import { type HeldCode, lockNewestCode } from './desk/loan-source.ts'

type End = {
  event: 'order.cancel' | 'clock.autoCancel'
  payload: { reason: string; remark?: string | null; configNo?: string }
}

const chunkSize = 200

/** An approved order ends before its money left: its code is cancelled, and the customer has credit and coupon back. */
export const endUnpaid = async (tx: Tx, { order, code }: HeldCode, { event, payload }: End, actor: Actor) => {
  const set = { cancelReason: payload.reason, statusTime: tx.now }
  await transition(tx, 'loanCode', code, { event: 'code.cancel', set: { finishTime: tx.now }, payload }, actor)
  await transition(tx, 'order', order, { event, set, payload }, actor)
  await restoreCredit(tx, order, actor)
  await releaseCoupon(tx, { orderNo: order.orderNo }, actor)
}

/** Ends one order by the clock, unless its money may have left by now; answers whether it did. */
export const endByClock = async (tx: Tx, orderNo: string, payload: End['payload'], actor: Actor): Promise<boolean> => {
  const order = await lockOrder(tx, null, orderNo)
  const code = await lockNewestCode(tx, orderNo)
  if (!code || !can(machines.order, order.orderStatus, 'clock.autoCancel')) return false
  if (!can(machines.loanCode, code.loanCodeStatus, 'code.cancel')) return false
  await endUnpaid(tx, { order, code }, { event: 'clock.autoCancel', payload }, actor)
  tx.append('auditLog', {
    action: 'clock.autoCancel',
    objectType: 'order',
    objectNo: orderNo,
    orderNo,
    actor: actor.no,
    actorName: actor.name,
    at: tx.now,
    requestId: actor.requestId,
    ip: null,
    before: { orderStatus: order.orderStatus, loanCodeStatus: code.loanCodeStatus },
    after: { orderStatus: 'cancelled', loanCodeStatus: 'cancelled', ...payload },
  })
  return true
}

/**
 * An approved order keeps the credit it took for one more day after the credit expired; then, if it was not paid out, it ends.
 * What waits for a second person is left until they have decided.
 */
const endChunk = async (tx: Tx, { date, cursor }: { date: string; cursor: string | null }): Promise<Step> => {
  const lastDay = addDays(date as EatDate, -1)
  const due = await tx.rows(sql<{ orderNo: string }>`
    select o.order_no from loan_order o join credit c using (customer_no)
    where o.order_status in ('pending_disbursement', 'loan_failed', 're_withdrawal_allowed') and c.credit_status = 'expired'
      and c.credit_expiry < ${lastDay}::date and ${orderApproval} is null and o.order_no > ${cursor ?? ''}
    order by o.order_no limit ${chunkSize}`)
  const actor = system(`credit.reservation ${date}`)
  let ended = 0
  const parked = await eachItem(
    tx,
    due,
    ({ orderNo }) => orderNo,
    async (inner, { orderNo }) => {
      if (await endByClock(inner, orderNo, { reason: 'credit_expired' }, actor)) ended++
    },
  )
  return { cursor: due.length < chunkSize ? null : (due.at(-1)?.orderNo ?? null), counts: { ended }, parked }
}

export const reservationModule = (): Module => ({
  served: [],
  chunked: [{ job: 'credit.reservation', dailyAt: '00:06', chunk: endChunk }],
})
