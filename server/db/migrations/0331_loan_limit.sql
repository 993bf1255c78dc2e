-- What a merchant may pay out on a day: in all, of a product, of first or repeat loans. Payouts take from it when their money is reserved.
create table merchant_loan_limit (
  limit_no text primary key, merchant_no text not null references merchant on delete cascade, product_no text references product, loan_kind text check (loan_kind in ('first', 'repeat')),
  daily_limit numeric(18,2) check (daily_limit >= 0), daily_payouts int check (daily_payouts >= 0), outstanding_limit numeric(18,2) check (outstanding_limit >= 0),
  day_date date, day_limit numeric(18,2) check (day_limit >= 0), day_payouts int check (day_payouts >= 0),
  suspend_status text not null, suspend_reason text,
  created_time timestamptz not null, updated_by text not null, updated_time timestamptz not null, version int not null default 0,
  check ((day_date is null) = (day_limit is null))
);
create unique index merchant_loan_limit_of on merchant_loan_limit (merchant_no, coalesce(product_no, ''), coalesce(loan_kind, ''));
create trigger merchant_loan_limit_guard before update on merchant_loan_limit for each row when (old.suspend_status is distinct from new.suspend_status) execute function guard_status('suspend_status');

-- How much of a limit a business date has used: the sum of what its payouts took and did not give back.
create table merchant_loan_usage (
  limit_no text not null references merchant_loan_limit on delete cascade, business_date date not null,
  used_amount numeric(18,2) not null default 0 check (used_amount >= 0), used_count int not null default 0 check (used_count >= 0),
  primary key (limit_no, business_date)
);
create table merchant_loan_take (
  take_no bigint generated always as identity primary key,
  external_id text not null references gateway_attempt on delete cascade, limit_no text not null references merchant_loan_limit on delete cascade, business_date date not null,
  amount numeric(18,2) not null check (amount > 0), taken_time timestamptz not null, returned_time timestamptz
);
create unique index merchant_loan_take_held on merchant_loan_take (external_id, limit_no) where returned_time is null;
create index merchant_loan_take_day on merchant_loan_take (limit_no, business_date);
create index loan_code_waiting on loan_code (order_no) where loan_code_status = 'created' and wait_reason = 'merchant_limit';

-- What the merchants of an organization may pay out on a day together.
alter table org add column loan_daily_limit numeric(18,2) check (loan_daily_limit >= 0);

-- A merchant has a limit from its beginning: nothing for one that people open, none yet for one that an installation writes as open.
create function merchant_limit_begins() returns trigger language plpgsql as $$
declare no text := 'LL-' || new.merchant_no;
begin
  insert into merchant_loan_limit (limit_no, merchant_no, daily_limit, suspend_status, created_time, updated_by, updated_time)
    values (no, new.merchant_no, case when new.enabled = 'enabled' then null else 0 end, 'open', new.created_time, 'system', new.created_time);
  insert into state_transition (machine, object_no, event, from_state, to_state, actor, request_id, at)
    values ('M103', no, 'limit.create', '∅', 'open', 'system', 'installation', new.created_time);
  return null;
end $$;
create trigger merchant_limit_begins after insert on merchant for each row execute function merchant_limit_begins();
insert into merchant_loan_limit (limit_no, merchant_no, daily_limit, suspend_status, created_time, updated_by, updated_time)
  select 'LL-' || merchant_no, merchant_no, null, 'open', now(), 'system', now() from merchant order by merchant_no;
insert into state_transition (machine, object_no, event, from_state, to_state, actor, request_id, at)
  select 'M103', limit_no, 'limit.create', '∅', 'open', 'system', 'migration', now() from merchant_loan_limit order by limit_no;
