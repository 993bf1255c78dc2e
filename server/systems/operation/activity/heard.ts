import { sql } from 'kysely'
import type { Tx } from '../../../db/database.ts'
import { enqueue } from '../../../jobs/queue.ts'

/** The queue of what happened and may be rewarded, or was undone. */
export const activityQueue = 'activity.event'

const rewarded = ['order.submitted', 'payout.success', 'repay.settled'] as const
/** What may be rewarded. */
export type RewardedEvent = (typeof rewarded)[number]

/** What is kept of an event until it is looked at. */
export type Heard = {
  event: RewardedEvent | 'undone'
  orderNo: string
  customerNo: string
  merchantNo: string
  at: string
}

const isRewarded = (event: string): event is RewardedEvent => (rewarded as readonly string[]).includes(event)

/** In the transaction of what happened: while an activity of its merchant runs, it is looked at for a reward. */
export const hearOf = async (
  tx: Tx,
  one: { event: string; objectNo: string; orderNo?: string | null; customerNo: string; merchantNo: string },
): Promise<void> => {
  const { event, objectNo, orderNo, customerNo, merchantNo } = one
  if (!orderNo || !isRewarded(event)) return
  const running = await tx.maybe(sql`
    select 1 from activity where enabled = 'enabled' and deleted_time is null and start_time <= ${tx.now} and end_time > ${tx.now}
      and ${merchantNo} = any(merchant_nos) limit 1`)
  if (!running) return
  const kept: Heard = { event, orderNo, customerNo, merchantNo, at: tx.now.toISOString() }
  await enqueue(tx, activityQueue, `${event} ${objectNo}`, kept)
}

/** In the transaction that undoes a payout or the repayment that settled an order: what was earned by it is looked at once more. */
export const hearUndone = async (
  tx: Tx,
  {
    orderNo,
    customerNo,
    merchantNo,
    cause,
  }: { orderNo: string; customerNo: string; merchantNo: string; cause: string },
): Promise<void> => {
  const earned = await tx.maybe(sql`select 1 from activity_award where order_no = ${orderNo} limit 1`)
  const waiting = await tx.maybe(sql`
    select 1 from activity where ${merchantNo} = any(merchant_nos) and enabled_time is not null limit 1`)
  if (!earned && !waiting) return
  const kept: Heard = { event: 'undone', orderNo, customerNo, merchantNo, at: tx.now.toISOString() }
  await enqueue(tx, activityQueue, `undone ${orderNo} ${cause}`, kept)
}
