-- Bills, receipts of money and their application.

create table repay_plan (
  bill_no text primary key, order_no text not null references loan_order, installment_no int not null, due_date date not null, bill_status text not null,
  principal_due numeric(18,2) not null, interest_due numeric(18,2) not null, service_fee_due numeric(18,2) not null, management_fee_due numeric(18,2) not null,
  late_fee_due numeric(18,2) not null default 0, liquidated_damages_due numeric(18,2) not null default 0,
  principal_paid numeric(18,2) not null default 0, interest_paid numeric(18,2) not null default 0, service_fee_paid numeric(18,2) not null default 0, management_fee_paid numeric(18,2) not null default 0,
  late_fee_paid numeric(18,2) not null default 0, liquidated_damages_paid numeric(18,2) not null default 0,
  principal_waived numeric(18,2) not null default 0, interest_waived numeric(18,2) not null default 0, service_fee_waived numeric(18,2) not null default 0, management_fee_waived numeric(18,2) not null default 0,
  late_fee_waived numeric(18,2) not null default 0, liquidated_damages_waived numeric(18,2) not null default 0,
  settled_time timestamptz, settled_date date, extended boolean not null default false, extension_count int not null default 0, version int not null default 0,
  unique (order_no, installment_no, extension_count),
  check (principal_paid + principal_waived <= principal_due and interest_paid + interest_waived <= interest_due and service_fee_paid + service_fee_waived <= service_fee_due
    and management_fee_paid + management_fee_waived <= management_fee_due and late_fee_paid + late_fee_waived <= late_fee_due and liquidated_damages_paid + liquidated_damages_waived <= liquidated_damages_due)
);
create index repay_plan_order on repay_plan (order_no, installment_no);
create index repay_plan_due on repay_plan (due_date) where bill_status in ('pending', 'partial');
create trigger repay_plan_status_guard before update on repay_plan for each row when (old.bill_status is distinct from new.bill_status) execute function guard_status('bill_status');

create table penalty_tick (
  bill_no text not null references repay_plan, business_date date not null, generation int not null default 0,
  late_fee numeric(18,2) not null, liquidated_damages numeric(18,2) not null, journal_no bigint, reversed boolean not null default false,
  primary key (bill_no, business_date, generation)
);

create table repay_flow (
  flow_no text primary key, channel text not null, serial_no text not null, flow_status text not null, amount numeric(18,2) not null check (amount > 0),
  applied numeric(18,2) not null default 0, refunded numeric(18,2) not null default 0, check (applied >= 0 and refunded >= 0 and applied + refunded <= amount),
  entry_time timestamptz not null, payment_code text, fund_account_no text references fund_account, payer_name text, payer_account text, isrecord boolean not null default false,
  source text not null check (source in ('callback', 'import', 'typed', 'supplement')), merchant_no text references merchant, customer_no text references customer, wait_reason text,
  created_by text not null, created_time timestamptz not null, version int not null default 0,
  unique (channel, serial_no)
);
create index repay_flow_status on repay_flow (flow_status, entry_time desc);
create index repay_flow_entry on repay_flow (entry_time desc, flow_no);
create trigger repay_flow_status_guard before update on repay_flow for each row when (old.flow_status is distinct from new.flow_status) execute function guard_status('flow_status');

create table repay_record (
  repayment_no text primary key, order_no text not null references loan_order, repay_type text not null, record_status text not null, record_seq int not null,
  amount numeric(18,2) not null, overflow_amount numeric(18,2) not null default 0, reduction_amount numeric(18,2) not null default 0, coupon_amount numeric(18,2) not null default 0,
  value_date date not null, repayment_time timestamptz not null, posted_by text not null, posted_name text not null, remark text, trial jsonb not null,
  settled_order boolean not null default false, rolled_back_time timestamptz, rolled_back_by text, request_id text not null, version int not null default 0,
  unique (order_no, record_seq)
);
create index repay_record_order on repay_record (order_no, record_seq);
create trigger repay_record_status_guard before update on repay_record for each row when (old.record_status is distinct from new.record_status) execute function guard_status('record_status');
create table repay_record_flow (repayment_no text not null references repay_record, flow_no text not null references repay_flow, write_off_amount numeric(18,2) not null, primary key (repayment_no, flow_no));
create index repay_record_flow_flow on repay_record_flow (flow_no);
create table repay_record_line (
  repayment_no text not null references repay_record, bill_no text not null references repay_plan, component text not null,
  applied numeric(18,2) not null default 0, waived numeric(18,2) not null default 0, primary key (repayment_no, bill_no, component)
);

create table overpayment (
  overpayment_no text primary key, customer_no text not null unique references customer, merchant_no text not null references merchant, overpayment_status text not null,
  credited numeric(18,2) not null default 0, refunded numeric(18,2) not null default 0, reapplied numeric(18,2) not null default 0, reserved numeric(18,2) not null default 0, version int not null default 0,
  check (credited - refunded - reapplied >= reserved and reserved >= 0)
);
create trigger overpayment_status_guard before update on overpayment for each row when (old.overpayment_status is distinct from new.overpayment_status) execute function guard_status('overpayment_status');
create table auto_write_off_config (
  config_no text primary key, merchant_no text references merchant, shortfall_limit numeric(18,2) not null default 500, principal_limit numeric(18,2) not null default 200,
  overflow_limit numeric(18,2) not null default 50000, enabled boolean not null default true, version int not null default 0
);
