-- Order intake: how many and which orders a merchant takes from a channel, and what came of each application.
create table acquire_rule (
  acquire_no text primary key, enabled text not null, acquire_name text not null,
  merchant_no text not null references merchant on delete cascade, incoming_channel text not null,
  product_nos text[] not null check (cardinality(product_nos) > 0), loan_kind text check (loan_kind in ('first', 'repeat')),
  accept_from text not null check (accept_from ~ '^\d\d:\d\d$'), accept_to text not null check (accept_to ~ '^\d\d:\d\d$'),
  daily_cap int not null check (daily_cap >= 0), hour_cap int check (hour_cap >= 0),
  first_share int not null check (first_share between 0 and 100), dedupe_days int not null check (dedupe_days between 0 and 90),
  -- Another cap on one business date.
  today_cap int check (today_cap >= 0), today_cap_date date,
  created_time timestamptz not null, updated_by text not null, updated_time timestamptz not null, deleted_time timestamptz, version int not null default 0,
  check (accept_from < accept_to), check ((today_cap is null) = (today_cap_date is null))
);
create unique index acquire_rule_name on acquire_rule (merchant_no, lower(acquire_name)) where deleted_time is null;
create index acquire_rule_of on acquire_rule (merchant_no, lower(incoming_channel)) where deleted_time is null;
create index acquire_rule_updated on acquire_rule (updated_time, acquire_no) where deleted_time is null;
create trigger acquire_rule_enabled_guard before update on acquire_rule for each row when (old.enabled is distinct from new.enabled) execute function guard_status('enabled');

-- Orders that a rule let in: of a business date (hour -1), and of each of its hours.
create table acquire_counter (
  acquire_no text not null references acquire_rule on delete cascade, business_date date not null, hour int not null check (hour between -1 and 23),
  accepted int not null default 0 check (accepted >= 0), primary key (acquire_no, business_date, hour)
);

-- One row for each application under its number and content; what nobody proved theirs is one row a minute for the merchant that it names.
create table acquire_log (
  intake_no text primary key, merchant_no text not null references merchant on delete cascade, intake_key text not null,
  acquire_no text references acquire_rule on delete set null, incoming_channel text, third_order_no text,
  order_no text references loan_order on delete cascade, customer_no text references customer, loan_kind text,
  intake_time timestamptz not null, intake_result text not null check (intake_result in ('accepted', 'refused', 'error')),
  intake_code text not null, payload_hash text not null, payload text, latency_ms int not null default 0, try_count int not null default 1,
  check ((intake_result = 'accepted') = (order_no is not null)), check ((intake_code = '0') = (order_no is not null))
);
create unique index acquire_log_key on acquire_log (merchant_no, intake_key);
create unique index acquire_log_order on acquire_log (order_no) where order_no is not null;
create index acquire_log_time on acquire_log (intake_time, intake_no);
create index acquire_log_latency on acquire_log (latency_ms, intake_no);
create index acquire_log_of on acquire_log (merchant_no, intake_time);
create index acquire_log_rule on acquire_log (acquire_no, intake_time) where acquire_no is not null;
create index acquire_log_third on acquire_log (third_order_no) where third_order_no is not null;
create index acquire_log_kept on acquire_log (intake_time) where payload is not null;
-- An application that was taken stays what it is.
create trigger acquire_log_taken before update of merchant_no, intake_key, third_order_no, order_no, intake_result, intake_code, payload_hash on acquire_log
  for each row when (old.intake_result = 'accepted') execute function refuse_change();
