-- By which account each payout leaves, and the pause of a channel that people make and lift.
create table loan_route (
  route_no text primary key, enabled text not null, route_name text not null, priority int not null check (priority > 0),
  merchant_nos text[], product_nos text[], payout_type text not null check (payout_type in ('wallet', 'bank')), network text check (network in ('mtn', 'airtel')),
  amount_min numeric(18,2), amount_max numeric(18,2), loan_kind text check (loan_kind in ('first', 'repeat')),
  targets jsonb not null, fallback boolean not null, effective_date date,
  created_time timestamptz not null default now(), updated_by text not null, updated_time timestamptz not null, deleted_time timestamptz, version int not null default 0,
  check (amount_min <= amount_max)
);
create unique index loan_route_priority on loan_route (priority) where deleted_time is null;
create index loan_route_updated on loan_route (updated_time, route_no) where deleted_time is null;
create trigger loan_route_enabled_guard before update on loan_route for each row when (old.enabled is distinct from new.enabled) execute function guard_status('enabled');

-- A route decides until a send is made, and again after a failure that another account mends; an account that a person chose stays.
alter table loan_code add column account_fixed boolean not null default false, add column route_no text references loan_route;
update loan_code set account_fixed = attempt_no > 0;
create index loan_code_route on loan_code (route_no, request_time) where route_no is not null;

-- So many sends without an outcome in a row pause a channel by itself.
alter table channel add column pause_after_unknown int not null default 5 check (pause_after_unknown between 1 and 50);
create index gateway_attempt_channel on gateway_attempt (channel, sent_time) where sent_time is not null;
