import { type RawBuilder, sql } from 'kysely'
import { autoCancels } from '../../../../core/contract/after-loan/auto-cancel.ts'
import { contract } from '../../../../core/contract/contract.ts'
import type { OutputOf } from '../../../../core/contract/endpoint.ts'
import { serveConfig } from '../../../configs/serve-config.ts'
import { notFound } from '../../../http/fault.ts'
import { serve } from '../../../http/serve.ts'
import type { Module } from '../../../module.ts'
import {
  checkPlace,
  nearerRule,
  ordersSeen,
  placeOf,
  placeRefusal,
  placeSource,
  placesSeen,
  takesIn,
} from '../rule/rule-place.ts'
import { cancelJob, hoursOf, isWaiting, waitedHours } from './auto-cancel-job.ts'

const { autoCancel } = contract
const { page } = autoCancels.codes
type Frag = RawBuilder<unknown>

const config = serveConfig(autoCancels, {
  prefix: 'AN',
  unique: 'merchantNo',
  mayChange: ({ session }, { merchantNo }) => placeRefusal(session, merchantNo),
  check: async (call, form, before) => {
    if (!before) await checkPlace(call, page, form)
  },
  source: ({ tx, session }) => {
    const place = placeSource(session, page)
    const own = { merchant: sql`x.merchant_no`, product: sql`x.product_no` }
    const hours = hoursOf(sql`x.pending_hours`, sql`x.failed_hours`, sql`x.re_withdrawal_hours`)
    const waiting = (more: Frag) => sql`(
      select count(*)::int from loan_order o
      where ${isWaiting} and ${hours} is not null and ${takesIn(own.merchant, own.product)} and ${ordersSeen(session, page)} and ${more}
        and not ${nearerRule('auto_cancel_config', own, null)})`
    return {
      ...place,
      columns: {
        ...place.columns,
        waitingOrders: waiting(sql`true`),
        dueSoon: waiting(sql`${waitedHours(tx)} >= ${hours} - 24`),
      },
    }
  },
})

const preview = serve(autoCancel.preview, async ({ tx, session, input }) => {
  const place = placeOf(input)
  const { pendingHours = null, failedHours = null, reWithdrawalHours = null } = input
  const hours = hoursOf(sql`${pendingHours}::int`, sql`${failedHours}::int`, sql`${reWithdrawalHours}::int`)
  return tx.one(sql<{ orders: number; amount: string }>`
    select count(*)::int as orders, coalesce(sum(o.actual_loan_amount), 0)::numeric(18,2) as amount from loan_order o
    where ${isWaiting} and ${waitedHours(tx)} >= ${hours} and ${takesIn(place.merchant, place.product)} and ${ordersSeen(session, page)}
      and not ${nearerRule('auto_cancel_config', place, null)}`)
})

const cancelled = serve(autoCancel.cancelled, async ({ tx, session, input }) => {
  const seen = await tx.maybe(sql`
    select 1 from auto_cancel_config x where x.config_no = ${input.configNo} and x.deleted_time is null and ${placesSeen(session, page)}`)
  if (!seen) throw notFound()
  return {
    list: await tx.rows(sql<OutputOf<typeof autoCancel.cancelled>['list'][number]>`
      select o.order_no, c.customer_name, o.actual_loan_amount, t.from_state as from_status, t.at as cancel_time
      from state_transition t join loan_order o on o.order_no = t.object_no join customer c on c.customer_no = o.customer_no
      where t.machine = 'M10' and t.event = 'clock.autoCancel' and t.payload ->> 'configNo' = ${input.configNo}
        and t.at >= ${new Date(tx.now.getTime() - 30 * 86_400_000)} and ${ordersSeen(session, page)}
      order by t.at desc, o.order_no limit 100`),
  }
})

/** Approved loans that cannot be paid out do not wait for ever. */
export const autoCancelModule = (): Module => ({
  ...config,
  served: [...config.served, preview, cancelled],
  scheduled: [...config.scheduled, cancelJob],
})
