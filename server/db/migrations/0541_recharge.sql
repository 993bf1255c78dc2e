-- Money that merchants paid in for services: booked by one person, confirmed by another.
create table merchant_recharge (
  recharge_no text primary key, recharge_status text not null, merchant_no text not null references merchant on delete cascade, recharge_amount numeric(18,2) not null check (recharge_amount > 0),
  fund_account_no text not null references fund_account, serial_no text not null, payer_name text not null, bank_entry_time timestamptz not null, remark text,
  maker_no text not null, maker_name text not null, created_time timestamptz not null, submit_time timestamptz not null,
  checker_no text, checker_name text, audit_time timestamptz, audit_reason text,
  journal_no bigint, balance_after numeric(18,2), reverse_reason text, reverse_time timestamptz, version int not null default 0,
  unique (fund_account_no, serial_no)
);
create index merchant_recharge_time on merchant_recharge (created_time, recharge_no);
create index merchant_recharge_amount on merchant_recharge (recharge_amount, recharge_no);
create index merchant_recharge_bank on merchant_recharge (bank_entry_time, recharge_no);
create index merchant_recharge_merchant on merchant_recharge (merchant_no, created_time);
create trigger merchant_recharge_guard before update on merchant_recharge for each row when (old.recharge_status is distinct from new.recharge_status) execute function guard_status('recharge_status');
create trigger merchant_recharge_confirmed before update of merchant_no, recharge_amount, fund_account_no, serial_no, payer_name, bank_entry_time, journal_no, balance_after on merchant_recharge for each row
  when (old.recharge_status in ('confirmed', 'reversed')) execute function refuse_change();
