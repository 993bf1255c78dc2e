import { type RawBuilder, sql } from 'kysely'
import type { Tx } from '../../../db/database.ts'

type Frag = RawBuilder<unknown>

/** The rule in force for the merchant of order `o`, as `rr`: its own, or that of all merchants. */
export const ruleJoin: Frag = sql`left join lateral (
  select r.* from re_review_rule r
  where r.enabled = 'enabled' and r.deleted_time is null and (r.merchant_no = o.merchant_no or r.merchant_no is null)
  order by r.merchant_no nulls last limit 1) rr on true`

/** Why order `o` under rule `rr` may not be asked for now; null where it may. An order waits in its refusal since `status_time`. */
export const ineligible = (tx: Tx): Frag => sql`case
  when rr.rule_no is null then 'no_rule'
  when o.order_status <> all(rr.from_statuses) then 'status'
  when o.status_time < ${tx.now}::timestamptz - rr.window_days * interval '1 day' then 'too_old'
  when o.refuse_code = any(rr.excluded_codes) then 'code'
  when o.model_level = any(rr.excluded_levels) then 'level'
  when exists (select 1 from re_review_apply a where a.order_no = o.order_no and a.business_date = ${tx.today}) then 'today'
  when (select count(*) from re_review_apply a where a.order_no = o.order_no) >= rr.per_order_max then 'times'
end`

export type Probe = { ruleNo: string | null; reason: string | null }

/** The rule of an order, and why it may not be asked for. */
export const probe = (tx: Tx, orderNo: string): Promise<Probe> =>
  tx.one(sql<Probe>`
    select rr.rule_no, ${ineligible(tx)} as reason from loan_order o ${ruleJoin} where o.order_no = ${orderNo}`)

/** How many orders a person may ask for on a day: their own count before that of a role, of several roles the highest. */
export const dailyCount = async (tx: Tx, userNo: string): Promise<number> =>
  (
    await tx.one(sql<{ n: number }>`
      select coalesce(
        (select c.daily_count from re_review_count_rule c where c.user_no = ${userNo} and c.enabled = 'enabled' and c.deleted_time is null),
        (select max(c.daily_count) from re_review_count_rule c join user_role held using (role_no)
          where held.user_no = ${userNo} and c.enabled = 'enabled' and c.deleted_time is null), 0)::int as n`)
  ).n

/** Applications that a person made today. */
export const submittedToday = async (tx: Tx, userNo: string): Promise<number> =>
  (
    await tx.one(sql<{ n: number }>`
      select coalesce((select q.submitted from re_review_quota q where q.user_no = ${userNo} and q.business_date = ${tx.today}), 0)::int as n`)
  ).n

/** Takes one of today's count; false where nothing is left of it. It is not given back. */
export const takeOne = async (tx: Tx, userNo: string): Promise<boolean> => {
  const most = await dailyCount(tx, userNo)
  await tx.exec(
    sql`insert into re_review_quota (user_no, business_date) values (${userNo}, ${tx.today}) on conflict do nothing`,
  )
  const taken = await tx.maybe(sql`
    update re_review_quota set submitted = submitted + 1
    where user_no = ${userNo} and business_date = ${tx.today} and submitted < ${most} returning 1`)
  return taken !== undefined
}
