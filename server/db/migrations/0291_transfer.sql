create table transfer_apply (
  transfer_no text primary key, from_account_no text not null references fund_account, to_account_no text not null references fund_account, transfer_amount numeric(18,2) not null,
  transfer_purpose text not null, transfer_status text not null, approval_needed int not null check (approval_needed in (1, 2)), round int not null default 1,
  checker_cap numeric(18,2) not null, dual_cap numeric(18,2) not null, from_balance_then numeric(18,2) not null, to_balance_then numeric(18,2) not null,
  remark text, audit_reason text, apply_time timestamptz not null, submit_time timestamptz not null, maker_no text not null, maker_name text not null,
  payer_user_no text, attempt_no int not null default 0, serial_no text, fail_type text, fail_reason text, pay_time timestamptz, arrive_time timestamptz, version int not null default 0,
  check (from_account_no <> to_account_no), check (transfer_amount > 0 and transfer_amount = trunc(transfer_amount)), check (payer_user_no is null or payer_user_no <> maker_no)
);
create index transfer_apply_time on transfer_apply (apply_time, transfer_no);
create index transfer_apply_amount on transfer_apply (transfer_amount, transfer_no);
create index transfer_apply_from on transfer_apply (from_account_no) where transfer_status in ('pending', 'approved');
create trigger transfer_apply_status_guard before update on transfer_apply for each row when (old.transfer_status is distinct from new.transfer_status) execute function guard_status('transfer_status');

create table transfer_approval (
  transfer_no text not null references transfer_apply, round int not null, user_no text not null, real_name text not null, maker_no text not null, approved_time timestamptz not null, remark text,
  primary key (transfer_no, round, user_no), check (user_no <> maker_no)
);
create trigger transfer_approval_fixed before update or delete on transfer_approval for each row execute function refuse_change();
