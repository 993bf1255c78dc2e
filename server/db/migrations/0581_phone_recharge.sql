-- Airtime for the staff, which a second person agrees to and a vendor delivers.
create table phone_recharge (
  phone_bill_no text primary key, user_no text not null references app_user, purpose_month text not null check (purpose_month ~ '^\d{4}-(0[1-9]|1[0-2])$'),
  batch_no text not null, batch_row int not null, post text not null, phone text not null, network text not null,
  amount numeric(18,2) not null check (amount between 500 and 100000 and amount = trunc(amount)), month_cap numeric(18,2) not null,
  phone_bill_status text not null, remark text, maker_no text not null references app_user, maker_name text not null, created_time timestamptz not null,
  checker_no text references app_user, checker_name text, audit_time timestamptz, audit_reason text, fund_account_no text references fund_account,
  attempt_no int not null default 0, serial_no text, fail_type text, fail_reason text, finish_time timestamptz, version int not null default 0,
  unique (user_no, purpose_month, batch_no, batch_row), check (checker_no is null or checker_no <> maker_no)
);
create index phone_recharge_created on phone_recharge (created_time, phone_bill_no);
create index phone_recharge_amount on phone_recharge (amount, phone_bill_no);
create index phone_recharge_month on phone_recharge (purpose_month, phone_bill_no);
create index phone_recharge_serial on phone_recharge (serial_no) where serial_no is not null;
create trigger phone_recharge_status_guard before update on phone_recharge for each row when (old.phone_bill_status is distinct from new.phone_bill_status) execute function guard_status('phone_bill_status');
