import { sql } from 'kysely'
import { contract } from '../../../../core/contract/contract.ts'
import { noteReveal } from '../../../http/defence/sensitive-reads.ts'
import { Fault, notFound } from '../../../http/fault.ts'
import { serve, serveEach } from '../../../http/serve.ts'
import { numbersOf } from '../../../lists/list.ts'
import { listed, serveListed } from '../../../lists/listed.ts'
import type { Module } from '../../../module.ts'
import { newNo } from '../../../money/numbers.ts'
import { changes } from '../../../states/changes.ts'
import { create, transition } from '../../../states/transition.ts'
import {
  lockOrder,
  noteSearch,
  orderColumns,
  orderFrom,
  orderJoins,
  orderListFilters,
  orderScope,
} from '../../order/order/index.ts'
import { dailyCount, ineligible, probe, ruleJoin, submittedToday, takeOne } from './eligibility.ts'
import { followJobs } from './follow.ts'
import { reReviewBlocks } from './re-review-blocks.ts'

const { reReview } = contract
const page = 'order:review:page'
const perm = 'order:review:apply'

/** Loans of the customer of order `o` at its merchant that were paid out before. */
const past = sql`from loan_order l where l.customer_no = o.customer_no and l.merchant_no = o.merchant_no and l.order_no <> o.order_no and l.payout_time is not null`

const rejected = listed({
  list: reReview.rejected,
  source: ({ tx, session }) => ({
    from: sql`${orderFrom} ${ruleJoin}`,
    joins: { ...orderJoins, ru: sql`left join app_user ru on ru.user_no = o.refused_by` },
    where: sql`o.order_status in ('approval_rejected', 'machine_refused') and ${orderScope(session, page)}`,
    alias: 'o',
    key: sql`o.order_no`,
    columns: {
      ...orderColumns(session.language),
      refusedByName: sql`ru.real_name`,
      refusedTime: sql`o.status_time`,
      pastLoans: sql`(select count(*)::int ${past})`,
      maxOverdueDays: sql`(select coalesce(max(l.overdue_days), 0)::int ${past})`,
      eligible: sql`(${ineligible(tx)}) is null`,
      ineligibleReason: ineligible(tx),
    },
    filters: orderListFilters(session),
  }),
  check: noteSearch,
  blocked: (at, rows) =>
    reReviewBlocks.of(
      at,
      rows.map(row => row.orderNo),
    ),
})

const records = listed({
  list: reReview.records,
  source: ({ session }) => ({
    from: sql`re_review_apply a join ${orderFrom} using (order_no)`,
    joins: { ...orderJoins, ap: sql`join app_user ap on ap.user_no = a.applicant_no` },
    where: orderScope(session, page),
    alias: 'a',
    key: sql`a.re_review_no`,
    columns: {
      merchantName: sql`m.merchant_name`,
      customerName: sql`c.customer_name`,
      loanAmount: sql`o.loan_amount`,
      applicantName: sql`ap.real_name`,
      auditorName: sql`u.real_name`,
      orderStatus: sql`o.order_status`,
    },
    filters: {
      orderNo: text => sql`a.order_no = any(${numbersOf(text)})`,
      mine: mine => (mine ? sql`a.applicant_no = ${session.userNo}` : sql`a.applicant_no <> ${session.userNo}`),
    },
  }),
})

const quota = serve(reReview.quota, async ({ tx, session: { userNo } }) => {
  const [daily, submitted] = [await dailyCount(tx, userNo), await submittedToday(tx, userNo)]
  return { submittedToday: submitted, dailyCount: daily, remainingToday: Math.max(0, daily - submitted) }
})

const insufficient = () => new Fault('quota', 'errors.dailyReviewShort')

/** One order after the other: each takes one of the day's count together with its application. */
const apply = serveEach(reReview.apply, {
  async prepare({ tx, session, input }) {
    const { userNo } = session
    const left = (await dailyCount(tx, userNo)) - (await submittedToday(tx, userNo))
    const { chosen } = await tx.one(sql<{ chosen: number }>`
      select count(*)::int as chosen from loan_order o where o.order_no = any(${input.orderNos}) and ${orderScope(session, perm)}`)
    if (chosen > left) throw insufficient()
  },
  ids: ({ orderNos }) => [...new Set(orderNos)],
  async row(orderNo, call) {
    const { tx, session, input, actor } = call
    const order = await lockOrder(tx, session, orderNo, perm)
    await reReviewBlocks.check(call, reReview.apply, orderNo)
    const { ruleNo } = await probe(tx, orderNo)
    if (!(await takeOne(tx, session.userNo))) throw insufficient()
    const reReviewNo = newNo('RV', tx.now)
    const { reason } = input
    const set = { auditorNo: null, auditStep: 1, statusTime: tx.now.toISOString(), lastSendBackReason: null }
    const payload = { reReviewNo, ruleNo, reason }
    const queued = await transition(tx, 'order', order, { event: 'reReview.apply', set, payload }, actor)
    await create(
      tx,
      'reReviewApplication',
      {
        reReviewNo,
        orderNo,
        applicantNo: session.userNo,
        reason,
        businessDate: tx.today,
        statusBefore: order.orderStatus,
        refusedBy: order.refusedBy === 'system' ? null : order.refusedBy,
        refuseCode: order.refuseCode,
        createdTime: tx.now,
        version: 0,
      },
      { event: 'reReview.apply', payload: { orderNo } },
      actor,
    )
    call.audit({
      objectType: 'order',
      objectNo: orderNo,
      orderNo,
      ...changes({ orderStatus: order.orderStatus }, { orderStatus: queued.orderStatus, reReviewNo, reason }),
    })
  },
})

/** The number that the customer gave first: who asks is in the access log before the answer is. */
const originalPhone = serve(reReview.originalPhone, async ({ tx, session, actor, input: { orderNo } }) => {
  const found = await tx.maybe(sql<{ phone: string }>`
    select c.phone from loan_order o join customer c using (customer_no)
    where o.order_no = ${orderNo} and ${orderScope(session, page)}`)
  if (!found) throw notFound()
  const noted = { objectType: 'order', objectNo: orderNo, field: 'originalPhone', kind: 'phone' as const }
  return (await noteReveal(tx, actor, noted, false)) ?? found.phone
})

/** Rejected orders that somebody asks to have reviewed once more, within a count of the day. */
export const reReviewModule = (): Module => ({
  served: [serveListed(rejected), serveListed(records), quota, apply, originalPhone],
  lists: [rejected, records],
  scheduled: followJobs,
})
