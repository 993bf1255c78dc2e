-- Requests that money counts from the day on which the customer paid it, not from the later one on which it arrived.
create table delayed_arrival (
  delay_no text primary key, delay_status text not null, flow_no text not null references repay_flow, order_no text not null references loan_order,
  amount numeric(18,2) not null check (amount > 0), due_date date not null, claimed_date date not null check (claimed_date >= due_date),
  maker_no text not null, maker_name text not null, created_time timestamptz not null,
  auditor_no text check (auditor_no is distinct from maker_no), auditor_name text, audit_time timestamptz, audit_reason text,
  repayment_no text references repay_record, version int not null default 0
);
create unique index delayed_arrival_pending on delayed_arrival (flow_no) where delay_status = 'pending';
create index delayed_arrival_created on delayed_arrival (created_time, delay_no);
create index delayed_arrival_order on delayed_arrival (order_no);
create trigger delayed_arrival_status_guard before update on delayed_arrival for each row when (old.delay_status is distinct from new.delay_status) execute function guard_status('delay_status');
create trigger delayed_arrival_fixed before update of flow_no, order_no, amount, due_date, claimed_date, maker_no, created_time on delayed_arrival for each row execute function refuse_change();
