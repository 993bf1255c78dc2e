import { sql } from 'kysely'
import { reReviewCounts, reReviewRules } from '../../../core/contract/audit/re-review-config.ts'
import type { Machine } from '../../../core/rules/machines/machine.ts'
import type { Tx } from '../../db/database.ts'
import { system } from '../../rights/actor.ts'
import { create, transition } from '../../states/transition.ts'
import { lockOrder } from '../../systems/order/order/index.ts'
import { userNoOf } from '../staff.ts'

const actor = system('demo re-reviews')
const hour = 3_600_000

const reasons = [
  'New payslip brought',
  'Employer confirmed by phone',
  'Paid back at another app',
  'Wrong number corrected',
]

type Found = { orderNo: string; refuseCode: string | null; refusedBy: string | null; orderStatus: string }

/** A setting with its history: made, and put in force. */
const inForce = async (tx: Tx, machine: Machine, given: Record<string, unknown>) => {
  const row = { ...given, createdTime: tx.now, updatedTime: tx.now }
  await create(tx, machine, row, { event: 'item.create' }, actor)
  await transition(tx, machine, { ...row, enabled: 'disabled', version: 0 }, { event: 'item.enable' }, actor)
}

const writeRules = async (tx: Tx) => {
  const rules = [
    {
      ...{ ruleNo: 'RR1', merchantNo: null, fromStatuses: ['approval_rejected', 'machine_refused'] },
      ...{ windowDays: 30, excludedCodes: ['R401'], excludedLevels: ['E'] },
    },
    {
      ...{ ruleNo: 'RR2', merchantNo: 'M2', fromStatuses: ['approval_rejected'] },
      ...{ windowDays: 7, excludedCodes: ['R302', 'R401'], excludedLevels: [] },
    },
  ]
  for (const rule of rules) await inForce(tx, reReviewRules.machine, { ...rule, perOrderMax: 1 })
  const counts = [
    { countRuleNo: 'RC1', roleNo: 'auditLead', userNo: null, dailyCount: 20 },
    { countRuleNo: 'RC2', roleNo: 'customerService', userNo: null, dailyCount: 5 },
    { countRuleNo: 'RC3', roleNo: null, userNo: userNoOf('cs1'), dailyCount: 0 },
  ]
  for (const count of counts) await inForce(tx, reReviewCounts.machine, count)
  await tx.flush()
}

const ordersIn = (tx: Tx, statuses: readonly string[], n: number) =>
  tx.rows(sql<Found>`
    select order_no, refuse_code, refused_by, order_status from loan_order
    where order_status = any(${[...statuses]}) and merchant_no = 'M1' and coalesce(refuse_code, '') <> 'R401' order by status_time desc, order_no limit ${n}`)

const applicationOf = (tx: Tx, order: Found, n: number, hoursAgo: number) => {
  const createdTime = new Date(tx.now.getTime() - hoursAgo * hour)
  return {
    reReviewNo: `RV2611${String(n).padStart(6, '0')}`,
    orderNo: order.orderNo,
    applicantNo: userNoOf(n % 2 ? 'audit.lead' : 'cs2'),
    reason: reasons[n % reasons.length],
    businessDate: createdTime.toISOString().slice(0, 10),
    statusBefore: 'approval_rejected',
    refusedBy: order.refusedBy === 'system' ? null : order.refusedBy,
    refuseCode: order.refuseCode,
    createdTime,
    version: 0,
  }
}

/** Applications of the last days that are decided by now. */
const writeDecided = async (tx: Tx) => {
  const ends = [
    { statuses: ['settled', 'funds_disbursed'], event: 'order.approved' },
    { statuses: ['approval_rejected'], event: 'order.refused' },
    { statuses: ['cancelled'], event: 'order.cancelled' },
  ] as const
  let n = 0
  for (const { statuses, event } of ends)
    for (const order of await ordersIn(tx, statuses, 3)) {
      const row = applicationOf(tx, order, ++n, 30 + n * 20)
      await create(tx, 'reReviewApplication', row, { event: 'reReview.apply' }, actor)
      const set = { finishedTime: new Date(row.createdTime.getTime() + 5 * hour).toISOString() }
      await transition(tx, 'reReviewApplication', { ...row, reReviewStatus: 'submitted' }, { event, set }, actor)
    }
}

/** What the audit lead asked for today waits for its second look. */
const writeToday = async (tx: Tx) => {
  const lead = userNoOf('audit.lead')
  const orders = await tx.rows(sql<Found>`
    select order_no, refuse_code, refused_by, order_status from loan_order o
    where order_status = 'approval_rejected' and merchant_no = 'M1' and coalesce(refuse_code, '') <> 'R401'
      and not exists (select 1 from re_review_apply a where a.order_no = o.order_no) order by status_time desc, order_no limit 3`)
  for (const [index, order] of orders.entries()) {
    const locked = await lockOrder(tx, null, order.orderNo)
    const set = { auditorNo: null, auditStep: 1, statusTime: tx.now.toISOString(), lastSendBackReason: null }
    await transition(tx, 'order', locked, { event: 'reReview.apply', set }, actor)
    const row = {
      ...applicationOf(tx, order, 100 + index, 0),
      applicantNo: lead,
      businessDate: tx.today,
      createdTime: tx.now,
    }
    await create(tx, 'reReviewApplication', row, { event: 'reReview.apply' }, actor)
  }
}

/** Rejected orders that somebody asked for again: the rules, three that wait, and some that were decided. */
export const writeReReviews = async (tx: Tx): Promise<void> => {
  await writeRules(tx)
  await writeDecided(tx)
  await writeToday(tx)
  await tx.flush()
  await tx.exec(sql`
    insert into re_review_quota select applicant_no, business_date, count(*) from re_review_apply group by applicant_no, business_date`)
}
