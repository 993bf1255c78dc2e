-- Rejected orders that somebody asks to have reviewed once more: which may be, how many a person may ask for, and what became of them.
create table re_review_rule (
  rule_no text primary key,
  -- Without a merchant it is for all that have no rule of their own.
  merchant_no text references merchant,
  from_statuses text[] not null check (from_statuses <> '{}' and from_statuses <@ array['approval_rejected', 'machine_refused']),
  window_days int not null check (window_days between 1 and 90),
  excluded_codes text[] not null default '{}', excluded_levels text[] not null default '{}',
  per_order_max int not null check (per_order_max between 1 and 3),
  enabled text not null, version int not null default 0, created_time timestamptz not null default now(),
  updated_by text not null default 'system', updated_time timestamptz not null default now(), deleted_time timestamptz
);
create unique index re_review_rule_merchant on re_review_rule (coalesce(merchant_no, '')) where deleted_time is null;
create index re_review_rule_updated on re_review_rule (updated_time, rule_no) where deleted_time is null;
create trigger re_review_rule_enabled_guard before update on re_review_rule for each row when (old.enabled is distinct from new.enabled) execute function guard_status('enabled');

create table re_review_count_rule (
  count_rule_no text primary key,
  role_no text references role, user_no text references app_user,
  daily_count int not null check (daily_count between 0 and 999),
  enabled text not null, version int not null default 0, created_time timestamptz not null default now(),
  updated_by text not null default 'system', updated_time timestamptz not null default now(), deleted_time timestamptz,
  check ((role_no is null) <> (user_no is null))
);
create unique index re_review_count_rule_holder on re_review_count_rule (coalesce(role_no, ''), coalesce(user_no, '')) where deleted_time is null;
create index re_review_count_rule_updated on re_review_count_rule (updated_time, count_rule_no) where deleted_time is null;
create trigger re_review_count_rule_enabled_guard before update on re_review_count_rule for each row when (old.enabled is distinct from new.enabled) execute function guard_status('enabled');

-- How many applications a person has made of a day; what remains follows from the rules of the moment.
create table re_review_quota (
  user_no text not null references app_user, business_date date not null, submitted int not null default 0 check (submitted >= 0),
  primary key (user_no, business_date)
);

create table re_review_apply (
  re_review_no text primary key, order_no text not null references loan_order, re_review_status text not null,
  applicant_no text not null references app_user, reason text not null, business_date date not null,
  status_before text not null, refused_by text, refuse_code text,
  created_time timestamptz not null, finished_time timestamptz, version int not null default 0
);
create unique index re_review_apply_open on re_review_apply (order_no) where re_review_status = 'submitted';
create unique index re_review_apply_day on re_review_apply (order_no, business_date);
create index re_review_apply_created on re_review_apply (created_time, re_review_no);
create index re_review_apply_applicant on re_review_apply (applicant_no, created_time, re_review_no);
create trigger re_review_apply_status_guard before update on re_review_apply for each row when (old.re_review_status is distinct from new.re_review_status) execute function guard_status('re_review_status');

create index loan_order_refused_time on loan_order (status_time, order_no) where order_status in ('machine_refused', 'approval_rejected');

-- Who has had a hand in an order, at which step. A person who refused an order, or asked for its second look, takes no step of that look.
create view order_hand as
  select order_no, auditor_no, audit_step from audit_record
  union all select order_no, refused_by, 0 from re_review_apply where re_review_status = 'submitted' and refused_by is not null
  union all select order_no, applicant_no, 0 from re_review_apply where re_review_status = 'submitted';
