-- Higher limits for a while: what was asked for whom, and what each customer holds.
create table temp_quota_task (
  quota_task_no text primary key, quota_task_status text not null, merchant_no text not null references merchant,
  quota_amount numeric(18,2) not null check (quota_amount > 0), customer_count int not null check (customer_count > 0),
  start_date date not null, validity_days int not null check (validity_days between 1 and 90), reason text not null,
  applicant_no text not null, applicant_name text not null, created_time timestamptz not null,
  checker_no text check (checker_no is distinct from applicant_no), checker_name text, audit_time timestamptz, audit_reason text,
  finish_time timestamptz, version int not null default 0
);
create index temp_quota_task_created on temp_quota_task (created_time, quota_task_no);
create trigger temp_quota_task_status_guard before update on temp_quota_task for each row when (old.quota_task_status is distinct from new.quota_task_status) execute function guard_status('quota_task_status');
create trigger temp_quota_task_fixed before update of merchant_no, quota_amount, start_date, validity_days, reason, applicant_no, created_time on temp_quota_task for each row execute function refuse_change();

create table temp_quota_grant (
  grant_no text primary key, grant_status text not null, quota_task_no text not null references temp_quota_task, customer_no text not null references customer,
  merchant_no text not null references merchant, quota_amount numeric(18,2) not null check (quota_amount > 0),
  start_time timestamptz not null, end_time timestamptz not null check (end_time > start_time),
  consent_time timestamptz, consent_source text, recording_no text,
  bound_order_no text references loan_order, used_amount numeric(18,2) not null default 0 check (used_amount between 0 and quota_amount),
  returned_amount numeric(18,2) not null default 0 check (returned_amount >= 0), used_time timestamptz,
  revoke_reason text, created_time timestamptz not null, version int not null default 0
);
comment on column temp_quota_grant.used_amount is 'What its order took beyond the limit of the customer.';
comment on column temp_quota_grant.returned_amount is 'Principal of its order that was repaid; the first of it closes the part beyond the limit.';
create unique index temp_quota_running on temp_quota_grant (customer_no) where grant_status in ('waiting', 'waiting_consent', 'effective');
create unique index temp_quota_order on temp_quota_grant (bound_order_no) where bound_order_no is not null;
create index temp_quota_grant_task on temp_quota_grant (quota_task_no);
create index temp_quota_grant_start on temp_quota_grant (start_time, grant_no);
create index temp_quota_grant_end on temp_quota_grant (end_time) where grant_status in ('waiting', 'waiting_consent', 'effective');
create trigger temp_quota_grant_status_guard before update on temp_quota_grant for each row when (old.grant_status is distinct from new.grant_status) execute function guard_status('grant_status');

create table temp_quota_row (
  quota_task_no text not null references temp_quota_task, row_no int not null, named text not null,
  customer_no text references customer, grant_no text references temp_quota_grant, fail_reason text, primary key (quota_task_no, row_no)
);
