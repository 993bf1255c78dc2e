import { sql } from 'kysely'
import { invariant } from './check.ts'

/** Rules of what activities give away. */
export const activityInvariants = [
  invariant(
    'V31',
    'what an activity spent is the worth of its rewards that stand, within its budget',
    sql`
    select x.activity_no, x.budget_spent, x.budget_amount, a.amount from activity x
      left join (select activity_no, sum(award_amount) as amount from activity_award where award_status in ('held', 'given') group by 1) a using (activity_no)
    where x.budget_spent <> coalesce(a.amount, 0) or x.budget_spent > x.budget_amount`,
  ),
  invariant(
    'V31a',
    'a customer has no more rewards of an activity that stand than it gives each',
    sql`
    select a.activity_no, a.customer_no, count(*) as n, x.awards_per_customer from activity_award a join activity x using (activity_no)
    where a.award_status in ('held', 'given') group by a.activity_no, a.customer_no, x.awards_per_customer having count(*) > x.awards_per_customer`,
  ),
  invariant(
    'V31b',
    'a reward that was given is one coupon or one amount in the wallet, of its worth; one that was not is none',
    sql`
    select a.award_no, a.award_status, a.award_amount, a.coupon_no, a.reward_no from activity_award a
      left join coupon c on c.coupon_no = a.coupon_no and c.coupon_source = 'activity' and c.source_no = a.award_no and c.customer_no = a.customer_no
      left join wallet_reward r on r.reward_no = a.reward_no and r.source_no = a.award_no and r.customer_no = a.customer_no
    where case when a.award_status in ('held', 'refused') then coalesce(a.coupon_no, a.reward_no) is not null
      when a.award_kind = 'coupon' then c.face_amount is distinct from a.award_amount or a.reward_no is not null
      else r.reward_amount is distinct from a.award_amount or a.coupon_no is not null end
    union all
    select c.source_no, c.coupon_status, c.face_amount, c.coupon_no, null from coupon c
    where c.coupon_source = 'activity' and not exists (select 1 from activity_award a where a.coupon_no = c.coupon_no)`,
  ),
  invariant(
    'V31c',
    'a reward that was taken back left the wallet, and its coupon is revoked; no other did',
    sql`
    select a.award_no, a.award_status, e.n, c.revoke_reason from activity_award a left join coupon c on c.coupon_no = a.coupon_no
      left join (select reference, count(*)::int as n from wallet_entry where entry_kind = 'taken_back' group by 1) e on e.reference = a.reward_no
    where case when a.award_status = 'reversed' then (a.award_kind = 'wallet' and coalesce(e.n, 0) <> 1) or (a.award_kind = 'coupon' and c.revoke_reason is null)
      else coalesce(e.n, 0) > 0 end`,
  ),
]
