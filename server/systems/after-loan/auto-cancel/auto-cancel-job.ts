import { type RawBuilder, sql } from 'kysely'
import type { Tx } from '../../../db/database.ts'
import { newRequestId } from '../../../http/request.ts'
import { eachItem } from '../../../jobs/scheduler.ts'
import type { Scheduled } from '../../../module.ts'
import { system } from '../../../rights/actor.ts'
import { orderApproval } from '../../order/order/index.ts'
import { endByClock } from '../payout/unpaid.ts'
import { nearestRule } from '../rule/rule-place.ts'

type Frag = RawBuilder<unknown>

/** Most orders that one run ends. */
const atOnce = 200

/** Orders `o` that are approved and not on their way: nothing of theirs was sent, or all of it failed. */
export const isWaiting: Frag = sql`o.order_status in ('pending_disbursement', 'loan_failed', 're_withdrawal_allowed')`

/** The hours after which an order `o` ends, by the state it waits in; null for never. */
export const hoursOf = (pending: Frag, failed: Frag, reWithdrawal: Frag): Frag =>
  sql`case o.order_status when 'pending_disbursement' then ${pending} when 'loan_failed' then ${failed} when 're_withdrawal_allowed' then ${reWithdrawal} end`

/** Hours since an order `o` came into its state. */
export const waitedHours = (tx: Tx): Frag => sql`extract(epoch from (${tx.now}::timestamptz - o.status_time)) / 3600`

type Due = { orderNo: string; configNo: string }

const due = (tx: Tx): Promise<Due[]> =>
  tx.rows(sql<Due>`
    select o.order_no, r.config_no from loan_order o
      join lateral ${nearestRule('auto_cancel_config', sql`c.enabled = 'enabled'`)} r on true
    where ${isWaiting} and ${waitedHours(tx)} >= ${hoursOf(sql`r.pending_hours`, sql`r.failed_hours`, sql`r.re_withdrawal_hours`)}
      and ${orderApproval} is null
    order by o.order_no limit ${atOnce}`)

/** Cancels what has waited longer than its rule allows. What waits for a second person is left until they have decided. */
export const cancelJob: Scheduled = {
  job: 'payout.autoCancel',
  every: { seconds: 600 },
  run: async tx => {
    const actor = system(newRequestId())
    let cancelled = 0
    const parked = await eachItem(
      tx,
      await due(tx),
      ({ orderNo }) => orderNo,
      async (inner, one) => {
        const payload = { reason: 'waited_too_long', configNo: one.configNo }
        if (await endByClock(inner, one.orderNo, payload, actor)) cancelled++
      },
    )
    return { cancelled, parked: parked.length }
  },
}
