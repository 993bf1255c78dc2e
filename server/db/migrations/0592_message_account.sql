-- Accounts with those who carry messages. A secret stands here sealed; accounts of the server's settings have theirs there.
create table message_account (
  account_no text primary key, enabled text not null, account_name text not null, channel_type text not null
    check (channel_type in ('sms', 'app_push', 'email', 'voice', 'phone_sms', 'whatsapp')),
  message_vendor text not null, vendor_endpoint text not null, sender_id text not null,
  texts_a_day int check (texts_a_day >= 0), unit_cost numeric(18,2) not null check (unit_cost >= 0), low_balance numeric(18,2) not null check (low_balance >= 0),
  vendor_user text, credential text, credential_time timestamptz, report_secret text, from_server boolean not null default false,
  balance numeric(18,2), balance_time timestamptz,
  created_time timestamptz not null, updated_by text not null, updated_time timestamptz not null, deleted_time timestamptz, version int not null default 0,
  check ((credential is null) = (credential_time is null))
);
create unique index message_account_name on message_account (lower(account_name)) where deleted_time is null;
create index message_account_updated on message_account (updated_time, account_no) where deleted_time is null;
create trigger message_account_enabled_guard before update on message_account for each row when (old.enabled is distinct from new.enabled) execute function guard_status('enabled');
create trigger message_account_fixed before update of account_no, channel_type, message_vendor, created_time on message_account for each row execute function refuse_change();
create index message_account_use on message (account_no, send_time) where send_time is not null;

-- Over which channels an app speaks, and when it keeps quiet.
create table message_app (
  message_app_no text primary key, enabled text not null, app_code text not null, app_name text not null, merchant_nos text[] not null,
  app_channels jsonb not null, default_language text not null check (default_language in ('zh', 'en', 'sw')),
  quiet_from text not null, quiet_until text not null,
  created_time timestamptz not null, updated_by text not null, updated_time timestamptz not null, deleted_time timestamptz, version int not null default 0
);
create unique index message_app_code on message_app (app_code) where deleted_time is null;
create index message_app_updated on message_app (updated_time, message_app_no) where deleted_time is null;
create trigger message_app_enabled_guard before update on message_app for each row when (old.enabled is distinct from new.enabled) execute function guard_status('enabled');
create trigger message_app_fixed before update of message_app_no, app_code, created_time on message_app for each row execute function refuse_change();
create index message_created on message (created_time, message_no);
create index message_app_use on message (app_code, created_time) where app_code is not null;
