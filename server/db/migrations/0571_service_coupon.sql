-- Which coupons agents may ask for, and what they asked for.
create table cs_coupon_config (
  service_config_no text primary key, enabled text not null, config_name text not null, coupon_template_no text not null references coupon_template,
  merchant_nos text[] not null check (cardinality(merchant_nos) > 0), amount_free boolean not null,
  amount_min numeric(18,2) check (amount_min > 0), amount_max numeric(18,2) check (amount_max >= amount_min), check (amount_free = (amount_min is not null) and amount_free = (amount_max is not null)),
  count_max int not null check (count_max between 1 and 10), per_agent_daily int not null check (per_agent_daily between 0 and 100),
  per_customer30_days int not null check (per_customer30_days between 1 and 10), monthly_budget numeric(18,2) not null check (monthly_budget >= 0),
  min_reason_length int not null check (min_reason_length between 0 and 200),
  created_time timestamptz not null, updated_by text not null, updated_time timestamptz not null, deleted_time timestamptz, version int not null default 0
);
create unique index cs_coupon_config_name on cs_coupon_config (config_name) where deleted_time is null;
create index cs_coupon_config_updated on cs_coupon_config (updated_time, service_config_no) where deleted_time is null;
create trigger cs_coupon_config_enabled_guard before update on cs_coupon_config for each row when (old.enabled is distinct from new.enabled) execute function guard_status('enabled');

create table cs_coupon_apply (
  apply_no text primary key, coupon_apply_status text not null, service_config_no text not null references cs_coupon_config,
  customer_no text not null references customer, merchant_no text not null references merchant, order_no text references loan_order,
  face_amount numeric(18,2) not null check (face_amount > 0), coupon_count int not null check (coupon_count between 1 and 10),
  total_amount numeric(18,2) not null check (total_amount = face_amount * coupon_count), reason text not null,
  applicant_no text not null, applicant_name text not null, apply_time timestamptz not null,
  auditor_no text check (auditor_no is distinct from applicant_no or coupon_apply_status = 'rejected'), auditor_name text, audit_time timestamptz, audit_remark text, version int not null default 0
);
create index cs_coupon_apply_time on cs_coupon_apply (apply_time, apply_no);
create index cs_coupon_apply_config on cs_coupon_apply (service_config_no, apply_time);
create index cs_coupon_apply_applicant on cs_coupon_apply (applicant_no, apply_time);
create index cs_coupon_apply_customer on cs_coupon_apply (customer_no, apply_time);
create trigger cs_coupon_apply_status_guard before update on cs_coupon_apply for each row when (old.coupon_apply_status is distinct from new.coupon_apply_status) execute function guard_status('coupon_apply_status');
create trigger cs_coupon_apply_fixed before update of service_config_no, customer_no, merchant_no, order_no, face_amount, coupon_count, reason, applicant_no, apply_time on cs_coupon_apply
  for each row execute function refuse_change();
create index coupon_service on coupon (customer_no, created_time) where coupon_source = 'service';
