-- Payouts over a bank: files of payments, and when an account has one made by itself.

-- One payout file. Its number is the MsgId that the bank knows it by; its state follows from its attempts. What the file says never changes.
create table bank_batch (
  batch_no text primary key check (length(batch_no) <= 35), fund_account_no text not null references fund_account, execution_date date not null,
  payment_count int not null check (payment_count > 0), amount numeric(18,2) not null check (amount > 0 and amount = trunc(amount)),
  file_text text not null, file_sha256 text not null, send_way text not null check (send_way in ('folder', 'hand')),
  created_by text not null, created_by_name text not null, created_time timestamptz not null, sent_time timestamptz, answered_time timestamptz
);
create index bank_batch_created on bank_batch (created_time, batch_no);
create index bank_batch_amount on bank_batch (amount, batch_no);
create trigger bank_batch_file_fixed before update on bank_batch for each row
  when ((old.batch_no, old.fund_account_no, old.execution_date, old.payment_count, old.amount, old.file_text, old.file_sha256)
    is distinct from (new.batch_no, new.fund_account_no, new.execution_date, new.payment_count, new.amount, new.file_text, new.file_sha256))
  execute function refuse_change();

-- The file that a send left with. A code has one running send (gateway_attempt_running), so it is in at most one live file.
alter table gateway_attempt add column batch_no text references bank_batch deferrable initially deferred;
create index gateway_attempt_batch on gateway_attempt (batch_no) where batch_no is not null;

-- Where a bank account of ours is kept, and the EAT times (HH:MM) at which its payout file is made.
alter table fund_account add column if not exists bank_name text, add column if not exists branch text;
alter table fund_account add column batch_times text[] not null default '{}';
