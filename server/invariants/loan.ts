import { sql } from 'kysely'
import { invariant } from './check.ts'

/** What each status of an order says about its codes, bills and balances: one row per order that says otherwise. */
const consistency = sql`
  with codes as (
    select order_no, count(*) filter (where loan_code_status in ('created', 'remitting', 'unknown', 'success', 'reversing')) as open,
      count(*) filter (where loan_code_status = 'created') as created, count(*) filter (where loan_code_status in ('remitting', 'unknown')) as sent,
      count(*) filter (where loan_code_status in ('success', 'reversing')) as paid, count(*) filter (where loan_code_status = 'success') as success
    from loan_code group by order_no),
  bills as (
    select order_no, count(*) filter (where bill_status <> 'cancelled') as live, count(*) filter (where bill_status in ('pending', 'partial')) as open,
      coalesce(sum(case bill_status when 'extended' then principal_paid + principal_waived else principal_due end) filter (where bill_status <> 'cancelled'), 0) as principal
    from repay_plan group by order_no),
  balances as (
    select split_part(account_code, ':', 2) as order_no, sum(abs(balance)) as owed, sum(balance) filter (where account_code like 'principal:%') as principal
    from ledger_balance where account_code ~ '^(principal|interest_rcv|fee_rcv|penalty_rcv):' group by 1)
  select o.order_no, o.order_status, coalesce(c.open, 0) as open_codes, coalesce(b.live, 0) as live_bills, coalesce(b.open, 0) as open_bills, coalesce(s.owed, 0) as receivable
  from loan_order o left join codes c using (order_no) left join bills b using (order_no) left join balances s using (order_no)
  where not case
    when o.order_status in ('machine_reviewing', 'to_be_allocated', 'pending_review', 'machine_refused', 'approval_rejected', 'loan_failed', 're_withdrawal_allowed', 'cancelled')
      then coalesce(c.open, 0) = 0 and coalesce(b.live, 0) = 0 and coalesce(s.owed, 0) = 0
    when o.order_status = 'pending_disbursement' then coalesce(c.open, 0) = 1 and c.created = 1 and coalesce(b.live, 0) = 0 and coalesce(s.owed, 0) = 0
    when o.order_status = 'remitting' then coalesce(c.open, 0) = 1 and c.sent = 1 and coalesce(b.live, 0) = 0 and coalesce(s.owed, 0) = 0
    when o.order_status = 'funds_disbursed' then coalesce(c.open, 0) = 1 and c.paid = 1 and coalesce(b.open, 0) > 0 and b.principal = o.loan_amount
    when o.order_status = 'settled' then coalesce(c.open, 0) = 1 and c.success = 1 and coalesce(b.live, 0) > 0 and b.open = 0 and coalesce(s.owed, 0) = 0
    else false end`

/** Rules of loans: plans, payments and the ledger agree. */
export const loanInvariants = [
  invariant('V15', 'order, loan code, bills and balances tell the same story (L13)', consistency),
  invariant(
    'V15a',
    'an open bill owes something and a closed one nothing',
    sql`
    select bill_no, bill_status, left_over from (
      select bill_no, bill_status, principal_due + interest_due + service_fee_due + management_fee_due + late_fee_due + liquidated_damages_due
        - principal_paid - interest_paid - service_fee_paid - management_fee_paid - late_fee_paid - liquidated_damages_paid
        - principal_waived - interest_waived - service_fee_waived - management_fee_waived - late_fee_waived - liquidated_damages_waived as left_over
      from repay_plan) b
    where (bill_status in ('pending', 'partial') and left_over <= 0) or (bill_status = 'paid' and left_over <> 0) or left_over < 0`,
  ),
  invariant(
    'V4c',
    'a receipt that staff typed counts only with its proof',
    sql`
    select flow_no, flow_status, source from repay_flow
    where proof is null and flow_status in ('available', 'partly_used', 'exhausted')`,
  ),
  invariant(
    'V4a',
    'a flow is used as far as its records say',
    sql`
    select f.flow_no, f.flow_status, f.applied, coalesce(u.used, 0) as used from repay_flow f
    left join (
      select rf.flow_no, sum(rf.write_off_amount) as used from repay_record_flow rf join repay_record r using (repayment_no) where r.record_status = 'posted' group by 1) u using (flow_no)
    where (f.applied <> coalesce(u.used, 0) and not exists (select 1 from journal_line l join journal j using (journal_no) where l.flow_no = f.flow_no and j.posting_code = 'P1d'))
      or f.flow_status <> case when f.flow_status in ('draft', 'supplement_review', 'unproven', 'void') then f.flow_status
        when f.applied + f.refunded = 0 then 'available' when f.applied + f.refunded < f.amount then 'partly_used' else 'exhausted' end`,
  ),
  invariant(
    'V3',
    'what records applied is what bills carry',
    sql`
    select coalesce(b.order_no, r.order_no) as order_no, b.paid, r.applied, b.waived, r.forgiven
    from (
      select order_no, sum(principal_paid + interest_paid + service_fee_paid + management_fee_paid + late_fee_paid + liquidated_damages_paid) as paid,
        sum(principal_waived + interest_waived + service_fee_waived + management_fee_waived + late_fee_waived + liquidated_damages_waived) as waived
      from repay_plan group by order_no) b
    full join (
      select r.order_no, sum(l.applied) as applied, sum(l.waived) as forgiven from repay_record r join repay_record_line l using (repayment_no)
      where r.record_status = 'posted' group by 1) r using (order_no)
    where coalesce(b.paid, 0) <> coalesce(r.applied, 0) or coalesce(b.waived, 0) <> coalesce(r.forgiven, 0)`,
  ),
  invariant(
    'V3e',
    'a record is its flows, and what it applied, took as a fee and held over',
    sql`
    select r.repayment_no, r.amount, r.overflow_amount, r.reduction_amount, r.coupon_amount, l.applied, l.waived, f.used from repay_record r
    left join (select repayment_no, sum(applied) as applied, sum(waived) as waived from repay_record_line group by 1) l using (repayment_no)
    left join (select repayment_no, sum(write_off_amount) as used from repay_record_flow group by 1) f using (repayment_no)
    where r.amount <> coalesce(l.applied, 0) + r.extension_fee + r.overflow_amount or r.reduction_amount + r.coupon_amount <> coalesce(l.waived, 0)
      or (r.trial ->> 'source' = 'flows' and r.amount <> coalesce(f.used, 0))`,
  ),
  invariant(
    'V7',
    'a bill is charged once per date, and not after it was settled',
    sql`
    select bill_no, business_date, count(*) as charges from penalty_tick where not reversed group by 1, 2 having count(*) > 1
    union all
    select t.bill_no, t.business_date, 0 from penalty_tick t join repay_plan b using (bill_no)
    where not t.reversed and (t.business_date <= b.due_date or t.business_date > b.settled_date)`,
  ),
  invariant(
    'V7a',
    'the penalty of a bill is the sum of its charges',
    sql`
    select b.bill_no, b.late_fee_due, t.late_fee, b.liquidated_damages_due, t.damages from repay_plan b
    left join (select bill_no, sum(late_fee) as late_fee, sum(liquidated_damages) as damages from penalty_tick where not reversed group by 1) t using (bill_no)
    where b.bill_status <> 'cancelled' and (b.late_fee_due <> coalesce(t.late_fee, 0) or b.liquidated_damages_due <> coalesce(t.damages, 0))`,
  ),
  invariant(
    'V3f',
    'a bill that was put off has one successor of its place, and the record that paid for it',
    sql`
    select b.bill_no, b.bill_status, x.bill_extension_no, s.bill_no as successor_no, r.repayment_no from repay_plan b
    full join (select * from extension where extension_status = 'effective') x using (bill_no)
    left join repay_plan s on s.bill_no = x.successor_no and s.order_no = b.order_no and s.installment_no = b.installment_no and s.extension_count = b.extension_count + 1
      and s.bill_status <> 'cancelled' and s.due_date = x.new_due_date and s.principal_due = b.principal_due - b.principal_paid - b.principal_waived
    left join repay_record r on r.repayment_no = x.repayment_no and r.record_status = 'posted' and r.repay_type = 'extension' and r.extension_fee = x.extension_fee
    where (b.bill_status = 'extended' or x.bill_extension_no is not null) and (b.bill_status is distinct from 'extended' or s.bill_no is null or r.repayment_no is null)`,
  ),
  invariant(
    'V7b',
    'a charge was reversed when, and only when, its journal was',
    sql`
    select t.bill_no, t.business_date, t.generation, t.reversed from penalty_tick t
    where t.reversed <> exists (select 1 from journal r where r.reverses_journal_no = t.journal_no)`,
  ),
  invariant(
    'V7c',
    'no business date is missing between two day-ends',
    sql`
    select slot, before from (select slot, lag(slot) over (order by slot) as before from job_run where job = 'day.roll') s
    where before is not null and slot::date <> before::date + 1`,
  ),
  invariant(
    'V27a',
    'records of an order are rolled back from the newest',
    sql`
    select r.order_no, r.repayment_no, later.repayment_no as later_no from repay_record r join repay_record later using (order_no)
    where r.record_status = 'rolled_back' and later.record_seq > r.record_seq and later.repayment_time < r.rolled_back_time
      and (later.record_status = 'posted' or later.rolled_back_time > r.rolled_back_time)`,
  ),
  invariant(
    'V15b',
    'an overdue order has an overdue bill',
    sql`
    select o.order_no, o.order_status, o.overdue_days from loan_order o
    where o.overdue and not (o.order_status = 'funds_disbursed' and exists (
      select 1 from repay_plan b where b.order_no = o.order_no and b.bill_status in ('pending', 'partial') and b.due_date < (
        select max((at at time zone 'Africa/Kampala')::date) from state_transition)))`,
  ),
  invariant(
    'V20',
    'a credit limit is never overdrawn or overfilled',
    sql`
    select customer_no, remaining_limit, credit_limit from customer where remaining_limit < 0 or remaining_limit > credit_limit`,
  ),
  invariant(
    'V19',
    'a used coupon belongs to one payout, or to one posted record that it took its amount off; others belong to none',
    sql`
    select c.coupon_no, c.bound_order_no, c.used_amount, r.n, r.amount from coupon c left join loan_order o on o.order_no = c.bound_order_no
      left join (select coupon_no, order_no, count(*)::int as n, sum(coupon_amount) as amount from repay_record where record_status = 'posted' and coupon_no is not null group by 1, 2) r
        on r.coupon_no = c.coupon_no
    where case when c.coupon_status <> 'used' then r.n is not null
      when c.coupon_type = 'increase_loan_limit_coupon' then o.payout_time is null
      else coalesce(r.n, 0) <> 1 or r.order_no <> c.bound_order_no or r.amount <> c.used_amount or r.amount > c.face_amount end`,
  ),
  invariant(
    'V19b',
    'a frozen coupon waits for an order that goes on',
    sql`
    select c.coupon_no, o.order_no, o.order_status from coupon c join loan_order o on o.order_no = c.bound_order_no
    where c.coupon_status = 'frozen' and o.order_status in ('machine_refused', 'approval_rejected', 'cancelled', 'settled')`,
  ),
  invariant(
    'V19c',
    'what a kind of coupon was given for is the worth of its coupons, and within its budget',
    sql`
    select t.coupon_template_no, t.issued_amount, t.budget_amount, c.amount from coupon_template t
      left join (select coupon_template_no, sum(face_amount) as amount, count(*)::int as n from coupon group by 1) c using (coupon_template_no)
    where t.issued_amount <> coalesce(c.amount, 0) or t.issued_count <> coalesce(c.n, 0) or t.issued_amount > t.budget_amount`,
  ),
  invariant(
    'V29',
    'what a limit was used of on a day is what payouts took of it and did not give back',
    sql`
    select limit_no, business_date, u.used_amount, t.amount, u.used_count, t.n from merchant_loan_usage u
      full join (select limit_no, business_date, sum(amount) as amount, count(*) as n from merchant_loan_take where returned_time is null group by 1, 2) t
      using (limit_no, business_date)
    where coalesce(u.used_amount, 0) <> coalesce(t.amount, 0) or coalesce(u.used_count, 0) <> coalesce(t.n, 0)`,
  ),
  invariant(
    'V29a',
    'a payout that failed holds nothing of a limit',
    sql`
    select t.limit_no, t.external_id, a.attempt_status from merchant_loan_take t join gateway_attempt a using (external_id)
    where t.returned_time is null and a.attempt_status = 'failed'`,
  ),
  invariant(
    'V25',
    'what a person has used of the re-review quota of a day is what they applied for on it',
    sql`
    select user_no, business_date, q.submitted, a.n from re_review_quota q
      full join (select applicant_no as user_no, business_date, count(*)::int as n from re_review_apply group by 1, 2) a using (user_no, business_date)
    where coalesce(q.submitted, 0) <> coalesce(a.n, 0)`,
  ),
]
