-- The credit line of each customer: what kind, until when, and whether it may be adjusted. The limits stay with the customer.

create table credit (
  credit_no text primary key, customer_no text not null unique references customer, credit_type text not null, credit_status text not null,
  credit_expiry date, adjustable boolean not null default true, created_time timestamptz not null, version int not null default 0,
  check (credit_status <> 'granted' or credit_expiry is not null)
);
create trigger credit_status_guard before update on credit for each row when (old.credit_status is distinct from new.credit_status) execute function guard_status('credit_status');
create index credit_due on credit (credit_expiry, credit_no) where credit_status = 'granted';

-- Customers so far hold a granted line, which counts from today.
insert into credit (credit_no, customer_no, credit_type, credit_status, credit_expiry, created_time)
select 'CR' || customer_no, customer_no, credit_type, 'granted', (now() at time zone 'Africa/Kampala')::date + 365, now() from customer;
insert into state_transition (machine, object_no, event, from_state, to_state, actor, request_id, at, payload)
select 'M54', c.credit_no, step.event, step.from_state, step.to_state, 'system', 'migration 0055', now(), null
from credit c cross join (values (1, 'credit.start', '∅', 'granting'), (2, 'credit.ok', 'granting', 'granted')) as step (at, event, from_state, to_state)
order by c.credit_no, step.at;
