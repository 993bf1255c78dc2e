-- Bills that are put off: the price that was quoted for it, and the bill that takes the place of the old one once it is paid.
create table extension (
  bill_extension_no text primary key, extension_status text not null, order_no text not null references loan_order, bill_no text not null references repay_plan, successor_no text references repay_plan,
  business_date date not null, extension_fee numeric(18,2) not null check (extension_fee >= 0), amount numeric(18,2) not null check (amount >= extension_fee),
  due_date date not null, new_due_date date not null check (new_due_date > due_date), extension_count int not null check (extension_count between 1 and extensions_allowed), extensions_allowed int not null,
  repayment_no text references repay_record, created_by text not null, created_name text not null, created_time timestamptz not null, version int not null default 0
);
comment on column extension.business_date is 'The day whose end a quote does not outlive.';
create unique index extension_quoted on extension (order_no) where extension_status = 'quoted';
create unique index extension_effective on extension (bill_no) where extension_status = 'effective';
create index extension_order on extension (order_no, created_time);
create index extension_repayment on extension (repayment_no) where repayment_no is not null;
create trigger extension_status_guard before update on extension for each row when (old.extension_status is distinct from new.extension_status) execute function guard_status('extension_status');

-- A successor that was taken back leaves its place to the next one.
alter table repay_plan drop constraint repay_plan_order_no_installment_no_extension_count_key;
create unique index repay_plan_place on repay_plan (order_no, installment_no, extension_count) where bill_status <> 'cancelled';

alter table repay_record add column extension_fee numeric(18,2) not null default 0 check (extension_fee >= 0);
