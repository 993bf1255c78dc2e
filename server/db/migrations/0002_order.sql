-- Products, customers, orders and their review.

create table product (
  product_no text primary key, product_name text not null, merchant_no text not null references merchant,
  enabled boolean not null default true, terms jsonb not null, version int not null default 0
);

create table customer (
  customer_no text primary key, customer_name text not null, id_number text not null unique, phone text not null,
  gender text, birth_date date, marital_status text, education text, children_count int, occupation text, employer_name text,
  monthly_income numeric(18,2), payday int, address_text text, district text, residence_type text, email text,
  customer_status text not null default '0', credit_type text not null default 'revolving',
  credit_limit numeric(18,2) not null, remaining_limit numeric(18,2) not null check (remaining_limit >= 0),
  member_level text not null default 'V1', whitelisted boolean not null default false,
  register_time timestamptz not null, version int not null default 0
);
create index customer_phone on customer (phone);
create index customer_name on customer (lower(customer_name) text_pattern_ops);

create table loan_order (
  order_no text primary key, third_order_no text not null, merchant_no text not null references merchant, customer_no text not null references customer,
  order_status text not null, product_no text not null references product, terms jsonb not null,
  requested_amount numeric(18,2) not null, loan_amount numeric(18,2) not null, actual_loan_amount numeric(18,2) not null,
  approval_amount numeric(18,2), term int not null, installment_count int not null, loan_kind text not null check (loan_kind in ('first', 'repeat')),
  loan_purpose text, apply_time timestamptz not null, status_time timestamptz not null, audit_time timestamptz, approval_time timestamptz, payout_time timestamptz, payout_date date,
  settled_time timestamptz, auditor_no text references app_user, incoming_channel text, promotion_channel text, lending_channel text,
  refuse_code text, refuse_remark text, refused_by text, cancel_reason text, model_level text, model_score int, suggested_amount numeric(18,2), machine_time timestamptz, rule_hits jsonb,
  data_source text not null default 'intake', overdue boolean not null default false, overdue_days int not null default 0,
  payout_type text not null, payout_subtype text not null, wallet_account text, bank_name text, branch text, bank_card_no text, cardholder_name text not null,
  payout_verify text not null default 'not_verified', payout_holder_name text,
  audit_step int not null default 1, last_send_back_reason text, pay_code text unique, device jsonb,
  version int not null default 0,
  unique (merchant_no, third_order_no)
);
create index loan_order_status on loan_order (order_status, apply_time desc);
create index loan_order_merchant on loan_order (merchant_no, apply_time desc);
create index loan_order_apply on loan_order (apply_time desc, order_no);
create index loan_order_payout on loan_order (payout_time desc) where payout_time is not null;
create index loan_order_customer on loan_order (customer_no);
create trigger loan_order_status_guard before update on loan_order for each row when (old.order_status is distinct from new.order_status) execute function guard_status('order_status');

create table order_contact (
  contact_no text primary key, order_no text not null references loan_order, contact_source text not null default 'declared',
  relation text not null, contact_name text not null, contact_phone text not null, sort int not null default 0
);
create index order_contact_order on order_contact (order_no);
create table order_consent (order_no text not null references loan_order, consent_kind text not null, consent_time timestamptz not null, primary key (order_no, consent_kind));
create table order_payout_history (
  order_no text not null references loan_order, changed_time timestamptz not null, changed_by text not null,
  payout_type text not null, payout_subtype text not null, wallet_account text, bank_name text, branch text, bank_card_no text, cardholder_name text not null,
  primary key (order_no, changed_time)
);

create table audit_person (
  user_no text primary key references app_user, group_no text not null default 'G1',
  auto_allocation boolean not null default true, accept_first boolean not null default true, accept_repeat boolean not null default true,
  queue_cap int not null default 20, approval_cap numeric(18,2) not null default 2000000, audit_step_max int not null default 3,
  shift_override text not null default 'on' check (shift_override in ('scheduled', 'on', 'off')), ai_employee boolean not null default false, version int not null default 0
);

create table audit_task (
  audit_task_no text primary key, order_no text not null references loan_order, audit_task_status text not null, auditor_no text not null references app_user,
  audit_step int not null, allot_time timestamptz not null, open_time timestamptz, submit_time timestamptz, lease_token text, lease_until timestamptz,
  audit_result text, handle_seconds int, draft jsonb, draft_time timestamptz, version int not null default 0
);
create unique index audit_task_active on audit_task (order_no) where audit_task_status in ('assigned', 'opened');
create index audit_task_auditor on audit_task (auditor_no, audit_task_status, allot_time);
create index audit_task_order on audit_task (order_no);
create trigger audit_task_status_guard before update on audit_task for each row when (old.audit_task_status is distinct from new.audit_task_status) execute function guard_status('audit_task_status');

create table audit_question (
  question_no text primary key, question_zh text not null, question_local text not null, question_type text not null check (question_type in ('single', 'multiple', 'text')),
  options jsonb not null default '[]', required boolean not null default true, loan_kind_scope text not null default 'both', sort int not null, enabled boolean not null default true, version int not null default 0
);
create table audit_record (
  audit_record_no text primary key, order_no text not null references loan_order, audit_task_no text not null references audit_task, auditor_no text not null, audit_step int not null,
  audit_result text not null, approval_amount numeric(18,2), approval_time timestamptz, refuse_code text, send_back_reason text, face_consistency text, remark text,
  answers jsonb not null default '[]', seconds int not null, submit_time timestamptz not null
);
create index audit_record_order on audit_record (order_no, submit_time);
create trigger audit_record_fixed before update or delete on audit_record for each row execute function refuse_change();

create table refuse_code (
  refuse_code text primary key, level int not null check (level in (1, 2)), parent_code text references refuse_code,
  name_zh text not null, name_en text not null, name_sw text not null, customer_text text, need_remark boolean not null default false, cooling_days int not null default 30, enabled boolean not null default true
);
create table follow_record (
  follow_no text primary key, order_no text not null references loan_order, contact_no text, follow_result text not null, follow_remark text,
  created_by text not null, created_time timestamptz not null
);
create index follow_record_order on follow_record (order_no, created_time desc);
