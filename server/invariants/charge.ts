import { sql } from 'kysely'
import { invariant } from './check.ts'

/** Rules of money that leaves for a reason other than a loan. */
export const chargeInvariants = [
  invariant(
    'V18',
    'a refund that was paid was approved by another than who asked for it, verified or accepted with a reason, and is at least 20',
    sql`
    select refund_no, refund_status, audit_status, verify_status, refund_amount from client_refund
    where (refund_status in ('in_progress', 'success', 'failure') and (
        audit_status <> 'approved' or auditor_no is null or auditor_no = any(asked_by)
        or (verify_status <> 'passed' and not (ignore_verification and ignore_reason is not null and ignored_by <> auditor_no))))
      or refund_amount < 20`,
  ),
  invariant(
    'V18a',
    'what is reserved of an overflow is its open refund',
    sql`
    select v.customer_no, v.reserved, v.overpayment_status, r.amount from overpayment v left join (
      select overpayment_no, sum(refund_amount) as amount from client_refund where refund_status in ('created', 'in_progress', 'failure') group by 1) r using (overpayment_no)
    where v.reserved <> coalesce(r.amount, 0) or (v.overpayment_status = 'locked') <> (r.amount is not null)`,
  ),
  invariant(
    'L8',
    'money promised back is that of open refunds, and what is in flight is that of refunds in progress',
    sql`
    select r.refund_no, r.refund_status, p.balance as payable, f.balance as in_flight from client_refund r
      left join ledger_balance p on p.account_code = 'refund_payable:' || r.refund_no left join ledger_balance f on f.account_code = 'refund_in_flight:' || r.refund_no
    where -coalesce(p.balance, 0) <> case when r.refund_status in ('created', 'in_progress', 'failure') then r.refund_amount else 0 end
      or coalesce(f.balance, 0) <> case when r.refund_status = 'in_progress' then r.refund_amount else 0 end
    union all
    select account_code, null, balance, null from ledger_balance
    where split_part(account_code, ':', 1) in ('refund_payable', 'refund_in_flight') and balance <> 0
      and not exists (select 1 from client_refund r where r.refund_no = split_part(account_code, ':', 2))`,
  ),
  invariant(
    'L8b',
    'money between own accounts that is in flight is that of transfers being paid',
    sql`
    select t.transfer_no, t.transfer_status, t.transfer_amount, b.balance from transfer_apply t
      left join ledger_balance b on b.account_code = 'transfer_in_flight:' || t.transfer_no
    where coalesce(b.balance, 0) <> case when t.transfer_status = 'paying' then t.transfer_amount else 0 end
    union all
    select account_code, null, null, balance from ledger_balance
    where split_part(account_code, ':', 1) = 'transfer_in_flight' and balance <> 0
      and not exists (select 1 from transfer_apply t where t.transfer_no = split_part(account_code, ':', 2))`,
  ),
  invariant(
    'V12b',
    'a transfer was approved by as many as it needed, and paid by another than its maker',
    sql`
    select t.transfer_no, t.transfer_status, t.approval_needed, count(a.user_no) as approvals from transfer_apply t
      left join transfer_approval a on a.transfer_no = t.transfer_no and a.round = t.round
    group by t.transfer_no
    having (t.transfer_status in ('approved', 'paying', 'paid', 'pay_failed') and count(a.user_no) < t.approval_needed)
      or t.payer_user_no = t.maker_no or bool_or(a.user_no = t.maker_no)`,
  ),
]
