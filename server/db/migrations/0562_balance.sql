-- What payment companies and banks say that accounts hold, line by line; a wrong line is corrected by another one.
create table balance_entry (
  balance_entry_no text primary key, fund_account_no text not null references fund_account, balance_entry_status text not null,
  last_balance numeric(18,2) not null check (last_balance >= 0), entry_date timestamptz not null, balance_source text not null check (balance_source in ('typed', 'fetched')),
  entered_by text not null, entered_name text not null, created_time timestamptz not null,
  ledger_then numeric(18,2) not null, in_flight_then numeric(18,2) not null, difference numeric(18,2) not null check (difference = last_balance - ledger_then - in_flight_then),
  backfilled boolean not null, remark text, corrects_no text unique references balance_entry, correct_reason text, version int not null default 0
);
create unique index balance_entry_time on balance_entry (fund_account_no, entry_date) where balance_entry_status = 'entered';
create trigger balance_entry_status_guard before update on balance_entry for each row when (old.balance_entry_status is distinct from new.balance_entry_status) execute function guard_status('balance_entry_status');
create trigger balance_entry_fixed before update of fund_account_no, last_balance, entry_date, balance_source, entered_by, created_time, ledger_then, in_flight_then, difference, backfilled, corrects_no on balance_entry
  for each row execute function refuse_change();
