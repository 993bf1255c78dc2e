-- Own accounts, channels and write-off limits as items that are switched on and off by transitions; a pause of a channel as a state of its own.
alter table fund_account alter column enabled drop default;
alter table fund_account alter column enabled type text using case when enabled then 'enabled' else 'disabled' end;
alter table fund_account alter column enabled set default 'enabled';
create trigger fund_account_enabled_guard before update on fund_account for each row when (old.enabled is distinct from new.enabled) execute function guard_status('enabled');
alter table channel alter column enabled drop default;
alter table channel alter column enabled type text using case when enabled then 'enabled' else 'disabled' end;
alter table channel alter column enabled set default 'enabled';
alter table channel add column pause_status text not null default 'open', add column paused_by text, add column paused_name text, add column paused_time timestamptz;
update channel set pause_status = 'paused', paused_time = now() where paused;
alter table channel drop column paused;
create trigger channel_pause_status_guard before update on channel for each row when (old.pause_status is distinct from new.pause_status) execute function guard_status('pause_status');
alter table auto_write_off_config alter column enabled drop default;
alter table auto_write_off_config alter column enabled type text using case when enabled then 'enabled' else 'disabled' end;
alter table auto_write_off_config alter column enabled set default 'enabled';
create trigger auto_write_off_config_enabled_guard before update on auto_write_off_config for each row when (old.enabled is distinct from new.enabled) execute function guard_status('enabled');

-- The merchants of an account are a field of it; the rows that queries join follow.
alter table fund_account
  add column merchant_nos text[] not null default '{}',
  add column daily_cap numeric(18,2) not null default 0 check (daily_cap >= 0),
  add column opening_balance numeric(18,2) not null default 0 check (opening_balance >= 0),
  add column opening_date date,
  -- Posted when a second person agrees to the account for the first time.
  add column opening_posted boolean not null default true,
  add column channel_balance numeric(18,2),
  add column channel_balance_time timestamptz,
  add column holder_name text,
  -- The times of `batch_times` as they are typed.
  add column sending_times text,
  add column created_time timestamptz not null default now(),
  add column updated_by text not null default 'system',
  add column updated_time timestamptz not null default now(),
  add column deleted_time timestamptz;
update fund_account set sending_times = array_to_string(batch_times, ', ') where batch_times <> '{}';
update fund_account a set merchant_nos = array(select m.merchant_no from fund_account_merchant m where m.fund_account_no = a.fund_account_no order by 1);
create function serve_merchants() returns trigger language plpgsql as $$
begin
  delete from fund_account_merchant where fund_account_no = new.fund_account_no and merchant_no <> all(new.merchant_nos);
  insert into fund_account_merchant select distinct new.fund_account_no, no from unnest(new.merchant_nos) no on conflict do nothing;
  return null;
end $$;
create trigger fund_account_serves after insert or update of merchant_nos on fund_account for each row execute function serve_merchants();
alter table fund_account drop constraint fund_account_channel_account_number_key;
create unique index fund_account_number on fund_account (channel, account_number) where deleted_time is null;
create index fund_account_updated on fund_account (updated_time, fund_account_no) where deleted_time is null;
create index gateway_attempt_account on gateway_attempt (fund_account_no, created_time);

-- Accounts that were there before were made and put in force as every account is.
insert into state_transition (machine, object_no, event, from_state, to_state, actor, request_id, at)
  select 'M69.fund_account', fund_account_no, 'item.create', '∅', 'disabled', 'system', 'migration 0270', created_time from fund_account;
insert into state_transition (machine, object_no, event, from_state, to_state, actor, request_id, at)
  select 'M69.fund_account', fund_account_no, 'item.enable', 'disabled', 'enabled', 'system', 'migration 0270', created_time from fund_account where enabled = 'enabled';
insert into state_transition (machine, object_no, event, from_state, to_state, actor, request_id, at)
  select 'M102', channel, 'channel.create', '∅', 'open', 'system', 'migration 0270', now() from channel;
insert into state_transition (machine, object_no, event, from_state, to_state, actor, request_id, at)
  select 'M102', channel, 'channel.pause', 'open', 'paused', 'system', 'migration 0270', now() from channel where pause_status = 'paused';
