-- What was known at the end of a business date. Rows are written once, by the job of the next morning.
create table ledger_day (
  business_date date not null, value_date date not null, posting_code text not null, reversal boolean not null, account_kind text not null, component text,
  merchant_no text, product_no text, loan_kind text, lender_name text, fund_account_no text, channel text,
  debit numeric(18,2) not null check (debit >= 0), credit numeric(18,2) not null check (credit >= 0), journals int not null check (journals > 0)
);
comment on column ledger_day.posting_code is 'Of a reversal, the code of what it takes back.';
comment on column ledger_day.journals is 'How many journals have a line here: a figure counts them at one account kind of its code.';
create index ledger_day_date on ledger_day (business_date, account_kind);
create index ledger_day_value on ledger_day (value_date, account_kind);

create table order_day (
  business_date date not null, order_no text not null, merchant_no text not null, product_no text not null, loan_kind text not null, lender_name text,
  track text not null, app_name text not null, incoming_channel text, customer_no text not null, order_status text not null,
  overdue_days int not null check (overdue_days >= 0), case_level text, original_overdue_days int not null check (original_overdue_days >= overdue_days),
  extended boolean not null, in_bad_debt boolean not null default false,
  principal numeric(18,2) not null, interest numeric(18,2) not null, fee numeric(18,2) not null, penalty numeric(18,2) not null,
  primary key (business_date, order_no)
);
comment on table order_day is 'Orders on loan at the end of a day, and those that stopped being on loan during it.';
create index order_day_order on order_day (order_no);

create table staff_day (
  business_date date not null, user_no text not null, staff_type text not null, metric_key text not null, value numeric(18,2) not null,
  group_no text, dept_no text not null, principal_merchant_no text not null,
  primary key (business_date, user_no, staff_type, metric_key)
);
comment on column staff_day.metric_key is 'The figure of the reports that it counts for.';

create trigger ledger_day_fixed before update or delete on ledger_day for each row execute function refuse_change();
create trigger ledger_day_kept before truncate on ledger_day for each statement execute function refuse_emptying();
create trigger order_day_fixed before update or delete on order_day for each row execute function refuse_change();
create trigger order_day_kept before truncate on order_day for each statement execute function refuse_emptying();
create trigger staff_day_fixed before update or delete on staff_day for each row execute function refuse_change();
create trigger staff_day_kept before truncate on staff_day for each statement execute function refuse_emptying();
revoke update, delete, truncate on ledger_day, order_day, staff_day from public, current_user;

-- Events of a day, of a history that only grows.
create index state_transition_at on state_transition using brin (at);
