-- The payer of money that belongs to nobody known: one for each merchant.
alter table customer add column technical boolean not null default false;

create table client_refund (
  refund_no text primary key, overpayment_no text not null references overpayment, customer_no text not null references customer, merchant_no text not null references merchant,
  order_no text references loan_order, refund_source text not null, refund_amount numeric(18,2) not null check (refund_amount >= 20 and refund_amount = trunc(refund_amount)),
  refund_status text not null, audit_status text not null, verify_status text not null,
  channel text not null references channel, payee_name text not null, payee_account text not null, payee_bank text, source_account text, same_payer boolean not null,
  holder_name text, match_score numeric(5,2), ignore_verification boolean not null default false, ignore_reason text, ignore_seen text[] not null default '{}',
  ignored_by text, ignored_name text, ignored_time timestamptz,
  refund_reason text not null, remark text, apply_time timestamptz not null, submit_time timestamptz not null,
  maker_no text not null, maker_name text not null, asked_by text[] not null,
  auditor_no text, auditor_name text, audit_time timestamptz, audit_reason text,
  payer_user_no text, payer_user_name text, fund_account_no text references fund_account, attempt_no int not null default 0,
  fail_type text, fail_reason text, serial_no text, success_time timestamptz, version int not null default 0,
  check (refund_status in ('created', 'closed') or audit_status = 'approved'),
  -- Nobody approves or pays what they asked for, and nobody approves an account that they accepted alone.
  check (auditor_no is null or auditor_no <> all(asked_by)),
  check (payer_user_no is null or payer_user_no <> all(asked_by)),
  check (audit_status <> 'approved' or verify_status = 'passed' or (ignore_verification and ignored_by <> auditor_no))
);
create unique index client_refund_open on client_refund (customer_no) where refund_status in ('created', 'in_progress', 'failure');
create index client_refund_apply on client_refund (apply_time, refund_no);
create index client_refund_success on client_refund (success_time, refund_no);
create index client_refund_amount on client_refund (refund_amount, refund_no);
create index client_refund_audit_time on client_refund (audit_time, refund_no);
create index client_refund_account on client_refund (payee_account);
create index client_refund_customer on client_refund (customer_no, apply_time);
create trigger client_refund_status_guard before update on client_refund for each row when (old.refund_status is distinct from new.refund_status) execute function guard_status('refund_status');
create trigger client_refund_audit_guard before update on client_refund for each row when (old.audit_status is distinct from new.audit_status) execute function guard_status('audit_status');
create trigger client_refund_verify_guard before update on client_refund for each row when (old.verify_status is distinct from new.verify_status) execute function guard_status('verify_status');
create index overpayment_refundable on overpayment ((credited - refunded - reapplied - reserved), overpayment_no);
create index overpayment_credited on overpayment (credited, overpayment_no);
