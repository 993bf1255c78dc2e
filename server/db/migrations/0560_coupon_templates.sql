-- What coupons there are, how they are given to many at once, and the codes behind which they wait.
create table coupon_template (
  coupon_template_no text primary key, enabled text not null, coupon_name text not null,
  coupon_type text not null check (coupon_type in ('increase_loan_limit_coupon', 'discount_coupon', 'interest_discount_coupon')),
  coupon_repay_type text check (coupon_repay_type in ('settle', 'partial', 'extension', 'generic')),
  merchant_nos text[] not null check (cardinality(merchant_nos) > 0),
  face_amount numeric(18,2) not null check (face_amount > 0), min_order_amount numeric(18,2) not null default 0 check (min_order_amount >= 0),
  validity_days int not null check (validity_days between 1 and 365), issue_cap_per_customer int not null check (issue_cap_per_customer > 0),
  budget_amount numeric(18,2) not null check (budget_amount > 0),
  issued_amount numeric(18,2) not null default 0 check (issued_amount >= 0), issued_count int not null default 0,
  created_time timestamptz not null, updated_by text not null, updated_time timestamptz not null, deleted_time timestamptz, version int not null default 0,
  constraint coupon_template_budget check (issued_amount <= budget_amount),
  check ((coupon_type = 'increase_loan_limit_coupon') = (coupon_repay_type is null))
);
create unique index coupon_template_name on coupon_template (coupon_name) where deleted_time is null;
create index coupon_template_updated on coupon_template (updated_time, coupon_template_no) where deleted_time is null;
create trigger coupon_template_enabled_guard before update on coupon_template for each row when (old.enabled is distinct from new.enabled) execute function guard_status('enabled');

create table promo_code (
  promo_code text primary key check (promo_code ~ '^[A-HJ-NP-Z2-9]{6,12}$'), coupon_template_no text not null references coupon_template,
  max_uses int not null check (max_uses > 0), used_count int not null default 0 check (used_count between 0 and max_uses),
  start_time timestamptz not null, end_time timestamptz not null check (end_time > start_time),
  stopped_time timestamptz, stopped_by text, maker_name text not null, created_time timestamptz not null, version int not null default 0
);
create index promo_code_created on promo_code (created_time, promo_code);
create index promo_code_template on promo_code (coupon_template_no);

create table coupon_issue_batch (
  issue_batch_no text primary key, issue_batch_status text not null, coupon_template_no text not null references coupon_template,
  start_time timestamptz not null, reason text not null, issue_count int not null check (issue_count > 0), total_amount numeric(18,2) not null,
  issued_ok int not null default 0, issued_failed int not null default 0,
  maker_no text not null, maker_name text not null, checker_name text, created_time timestamptz not null, finish_time timestamptz, version int not null default 0
);
create index coupon_issue_batch_created on coupon_issue_batch (created_time, issue_batch_no);
create index coupon_issue_batch_template on coupon_issue_batch (coupon_template_no);
create trigger coupon_issue_batch_status_guard before update on coupon_issue_batch for each row when (old.issue_batch_status is distinct from new.issue_batch_status) execute function guard_status('issue_batch_status');

-- The customers of a batch, as they were named, and what became of each.
create table coupon_batch_row (
  issue_batch_no text not null references coupon_issue_batch, row_no int not null, named text not null,
  customer_no text references customer, coupon_no text, fail_reason text, primary key (issue_batch_no, row_no)
);

alter table coupon
  add column coupon_template_no text references coupon_template,
  add column coupon_repay_type text,
  add column min_order_amount numeric(18,2) not null default 0,
  add column merchant_no text references merchant,
  add column coupon_source text not null default 'system' check (coupon_source in ('system', 'batch', 'promo_code', 'service', 'activity')),
  add column source_no text,
  add column used_time timestamptz,
  add column used_amount numeric(18,2),
  add column revoke_reason text;
update coupon c set merchant_no = coalesce(
  (select o.merchant_no from loan_order o where o.order_no = c.bound_order_no),
  (select min(m.merchant_no) from merchant_customer m where m.customer_no = c.customer_no));
update coupon set coupon_repay_type = 'generic' where coupon_type <> 'increase_loan_limit_coupon';
create index coupon_template_of on coupon (coupon_template_no);
create index coupon_created on coupon (created_time, coupon_no);
create index coupon_expire on coupon (expire_time, coupon_no);
create index coupon_face on coupon (face_amount, coupon_no);
-- A batch gives a customer one coupon, however often its job begins.
create unique index coupon_once_per_batch on coupon (source_no, customer_no) where coupon_source = 'batch';
