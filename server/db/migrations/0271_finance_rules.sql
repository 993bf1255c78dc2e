-- How far a receipt may miss what is due, and how long an approved loan may wait: for all merchants, one merchant, or one of its products.
alter table auto_write_off_config alter column overflow_limit drop not null;
alter table auto_write_off_config
  add column product_no text references product,
  add column auto_partial boolean not null default true,
  add column created_time timestamptz not null default now(),
  add column updated_by text not null default 'system',
  add column updated_time timestamptz not null default now(),
  add column deleted_time timestamptz,
  add constraint auto_write_off_config_amounts check (shortfall_limit >= 0 and principal_limit >= 0 and principal_limit <= shortfall_limit and overflow_limit >= 0);
create unique index auto_write_off_config_place on auto_write_off_config (coalesce(merchant_no, ''), coalesce(product_no, '')) where deleted_time is null;
create index auto_write_off_config_updated on auto_write_off_config (updated_time, config_no) where deleted_time is null;
insert into state_transition (machine, object_no, event, from_state, to_state, actor, request_id, at)
  select 'M69.auto_write_off_config', config_no, 'item.create', '∅', 'disabled', 'system', 'migration 0271', created_time from auto_write_off_config;
insert into state_transition (machine, object_no, event, from_state, to_state, actor, request_id, at)
  select 'M69.auto_write_off_config', config_no, 'item.enable', 'disabled', 'enabled', 'system', 'migration 0271', created_time from auto_write_off_config where enabled = 'enabled';

create table auto_cancel_config (
  config_no text primary key, enabled text not null, merchant_no text references merchant, product_no text references product,
  pending_hours int check (pending_hours between 1 and 720), failed_hours int check (failed_hours between 1 and 720), re_withdrawal_hours int check (re_withdrawal_hours between 1 and 720),
  created_time timestamptz not null, updated_by text not null, updated_time timestamptz not null, deleted_time timestamptz, version int not null default 0
);
create unique index auto_cancel_config_place on auto_cancel_config (coalesce(merchant_no, ''), coalesce(product_no, '')) where deleted_time is null;
create index auto_cancel_config_updated on auto_cancel_config (updated_time, config_no) where deleted_time is null;
create trigger auto_cancel_config_enabled_guard before update on auto_cancel_config for each row when (old.enabled is distinct from new.enabled) execute function guard_status('enabled');
create index state_transition_config on state_transition ((payload ->> 'configNo'), at) where payload ? 'configNo';
