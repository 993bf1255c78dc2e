import { sql } from 'kysely'
import { contract } from '../../../../core/contract/contract.ts'
import { merchantLoanLimit } from '../../../../core/rules/machines/operation/merchant-loan-limit.ts'
import { startOfEatDay } from '../../../../core/rules/time.ts'
import { waitingFilter, waitingMaker } from '../../../configs/checked.ts'
import { historyOf } from '../../../configs/history.ts'
import type { Tx } from '../../../db/database.ts'
import { Fault, notFound } from '../../../http/fault.ts'
import { serve } from '../../../http/serve.ts'
import { listed, type Reader } from '../../../lists/listed.ts'
import { scope } from '../../../rights/scope.ts'
import type { Session } from '../../../session/session.ts'
import { allowed, limitsOrder, outstandingOf } from './take-limits.ts'

const { loanLimit } = contract
export const noun = 'merchant_loan_limit'
/** From this share on a limit is nearly used up. */
const nearly = 0.8
/** The pace by which the rest is measured. */
const paceHours = 2

/** Limits that a person sees and keeps; `merchant` is the column of the merchant's number. */
export const seenBy = (session: Session, merchant = 'l.merchant_no') =>
  scope(session, { merchant, holder: () => sql`true`, perm: loanLimit.page.perm as string })

const open = sql`('prepared', 'sent', 'unknown')`

/** What stands beside the amounts of a limit (`l`). */
const figures = (now: Date) => sql`
  left join lateral (
    select coalesce(sum(t.amount) filter (where a.attempt_status in ${open}), 0)::numeric(18,2) as reserved,
      coalesce(sum(t.amount) filter (where t.taken_time > ${now}::timestamptz - ${paceHours} * interval '1 hour'), 0)::numeric(18,2) as lately
    from merchant_loan_take t join gateway_attempt a using (external_id) where t.limit_no = l.limit_no and t.returned_time is null and t.business_date = u.business_date
  ) t on true`
const waiting = sql`
  left join lateral (
    select count(*)::int as n, coalesce(sum(lc.actual_loan_amount), 0)::numeric(18,2) as amount
    from loan_code lc join loan_order o on o.order_no = lc.order_no
    where lc.loan_code_status = 'created' and lc.wait_reason = 'merchant_limit' and ${limitsOrder('o')}
  ) w on true`

const source = ({ tx, session }: Reader) => {
  const most = allowed(tx.today).amount
  const isToday = sql`l.day_date = ${tx.today}::date`
  const state = sql`(case when l.suspend_status = 'suspended' then 'suspended'
    when coalesce(u.used_amount, 0) >= ${most} or coalesce(u.used_count, 0) >= ${allowed(tx.today).count} then 'used'
    when coalesce(u.used_amount, 0) >= ${most} * ${nearly}::numeric then 'nearly' else 'open' end)`
  const left = sql`greatest(${most} - coalesce(u.used_amount, 0), 0)`
  return {
    from: sql`${sql.table(noun)} l`,
    alias: 'l',
    key: sql`l.limit_no`,
    where: seenBy(session),
    joins: {
      m: sql`join merchant m on m.merchant_no = l.merchant_no and m.deleted_time is null`,
      g: sql`join org g on g.org_no = m.org_no`,
      p: sql`left join product p on p.product_no = l.product_no`,
      u: sql`left join merchant_loan_usage u on u.limit_no = l.limit_no and u.business_date = ${tx.today}`,
      t: figures(tx.now),
      w: waiting,
      changer: sql`left join app_user changer on changer.user_no = l.updated_by`,
    },
    columns: {
      merchantName: sql`m.merchant_name`,
      orgName: sql`g.org_name`,
      orgNo: sql`m.org_no`,
      productName: sql`p.product_name`,
      limitState: state,
      dayLimit: sql`(case when ${isToday} then l.day_limit end)`,
      dayPayouts: sql`(case when ${isToday} then l.day_payouts end)`,
      usedAmount: sql`coalesce(u.used_amount, 0)::numeric(18,2)`,
      reservedAmount: sql`coalesce(t.reserved, 0)::numeric(18,2)`,
      remainingAmount: sql`${left}::numeric(18,2)`,
      usedPercent: sql`(case when ${most} > 0 then least(coalesce(u.used_amount, 0) * 100 / ${most}, 100)::numeric(9,2)::text end)`,
      usedPayouts: sql`coalesce(u.used_count, 0)`,
      waitingCount: sql`w.n`,
      waitingAmount: sql`w.amount`,
      outstandingPrincipal: outstandingOf,
      hoursLeft: sql`(case when coalesce(t.lately, 0) > 0 then floor(${left} * ${paceHours} / t.lately)::int end)`,
      updatedBy: sql`coalesce(changer.real_name, l.updated_by)`,
      pendingApproval: waitingMaker(noun, sql`l.limit_no`),
    },
    filters: { waiting: waitingFilter({ tx, session } as Reader, noun, sql`l.limit_no`) },
  }
}

/** A change of the limit already waits for a second person. */
const waits = () => new Fault('stateConflict', 'errors.approvalWaits')

/** The lending limits within reach, with their use of today. */
export const limitPage = listed({
  list: loanLimit.page,
  source: source as never,
  blocked: async (_: Reader, rows: readonly Record<string, unknown>[]) =>
    rows.map(row => {
      if (!row.pendingApproval) return {}
      const { key: reason, params } = waits()
      return Object.fromEntries(['save', 'day', 'resume'].map(act => [`loanLimit.${act}`, { reason, params }]))
    }) as never,
} as never)

const seen = async (tx: Tx, session: Session, limitNo: string) => {
  const row = await tx.maybe(sql<{ limitNo: string }>`
    select l.limit_no from merchant_loan_limit l where l.limit_no = ${limitNo} and ${seenBy(session)}`)
  if (!row) throw notFound()
}

/** What went out hour by hour, and what waits, the oldest first. */
export const today = serve(loanLimit.today, async ({ tx, session, input: { limitNo } }) => {
  await seen(tx, session, limitNo)
  const from = startOfEatDay(tx.today)
  const byHour = await tx.rows(sql<{ hour: number; amount: string; count: number }>`
    select extract(hour from t.taken_time at time zone 'Africa/Kampala')::int as hour, sum(t.amount)::numeric(18,2)::text as amount, count(*)::int as count
    from merchant_loan_take t where t.limit_no = ${limitNo} and t.returned_time is null and t.taken_time >= ${from} group by 1 order by 1`)
  const waiting = await tx.rows(sql<{ loanCode: string; orderNo: string; amount: string; waitingSince: string }>`
    select lc.loan_code, lc.order_no, lc.actual_loan_amount as amount, lc.request_time as waiting_since
    from merchant_loan_limit l join loan_order o on ${limitsOrder('o')} join loan_code lc on lc.order_no = o.order_no
    where l.limit_no = ${limitNo} and lc.loan_code_status = 'created' and lc.wait_reason = 'merchant_limit' order by lc.request_time, lc.loan_code limit 200`)
  return { byHour, waiting }
})

export const history = serve(loanLimit.history, async ({ tx, session, input: { limitNo } }) => {
  await seen(tx, session, limitNo)
  return { list: await historyOf(tx, merchantLoanLimit, limitNo) }
})
