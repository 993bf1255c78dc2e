import { sql } from 'kysely'
import type { Tx } from '../../../db/database.ts'
import type { Scheduled } from '../../../module.ts'
import { type Actor, system } from '../../../rights/actor.ts'
import { transition } from '../../../states/transition.ts'

const perRun = 500

/** What a decided order says of the application for it. */
const events: Readonly<Record<string, string>> = {
  approval_rejected: 'order.refused',
  machine_refused: 'order.refused',
  cancelled: 'order.cancelled',
  pending_disbursement: 'order.approved',
  remitting: 'order.approved',
  loan_failed: 'order.approved',
  re_withdrawal_allowed: 'order.approved',
  funds_disbursed: 'order.approved',
  settled: 'order.approved',
}

type Application = { reReviewNo: string; reReviewStatus: string; version: number }

/** The application for an order ends with the order's decision. Call it with the order locked, once it has moved. */
export const followReReview = async (
  tx: Tx,
  { orderNo, orderStatus }: { orderNo: string; orderStatus: string },
  actor: Actor,
): Promise<boolean> => {
  const event = events[orderStatus]
  if (!event) return false
  const application = await tx.maybe(sql<Application>`
    select a.re_review_no, a.re_review_status, a.version from re_review_apply a
    where a.order_no = ${orderNo} and a.re_review_status = 'submitted' for update`)
  if (!application) return false
  const set = { finishedTime: tx.now.toISOString() }
  await transition(tx, 'reReviewApplication', application, { event, set, payload: { orderNo, orderStatus } }, actor)
  return true
}

/** Orders that were decided outside of the review floor: cancelled before payout, for one. */
const followAll: Scheduled = {
  job: 'audit.followReReviews',
  every: { seconds: 60 },
  run: async tx => {
    const decided = Object.keys(events)
    const found = await tx.rows(sql<{ orderNo: string; orderStatus: string }>`
      select o.order_no, o.order_status from re_review_apply a join loan_order o using (order_no)
      where a.re_review_status = 'submitted' and o.order_status = any(${decided}) order by o.order_no limit ${perRun} for update of o skip locked`)
    let finished = 0
    for (const order of found) if (await followReReview(tx, order, system('job:reReview.follow'))) finished++
    return { finished }
  },
}

export const followJobs: readonly Scheduled[] = [followAll]
