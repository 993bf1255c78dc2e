-- Companies, organizations and merchants as the operations head keeps them: a merchant is an item that is on or off, with its licence, which
-- customers it takes, on which conditions, and what is looked for in what comes in.
alter table company add column version int not null default 0, add column updated_by text not null default 'system', add column updated_time timestamptz not null default now();
create unique index company_name on company (lower(company_name));
create unique index company_code_any on company (lower(company_code));

alter table org
  add column org_type text not null default 'lender' check (org_type in ('lender', 'partner', 'outsourced')),
  add column version int not null default 0, add column updated_by text not null default 'system', add column updated_time timestamptz not null default now();
create unique index org_name_level on org (company_code, coalesce(parent_org_no, ''), lower(org_name));

alter table merchant alter column enabled drop default;
alter table merchant alter column enabled type text using case when enabled then 'enabled' else 'disabled' end;
alter table merchant alter column enabled set default 'enabled';
alter table merchant alter column intake_secret set default replace(gen_random_uuid()::text || gen_random_uuid()::text, '-', '');
alter table merchant
  add column brand_name text, add column legal_name text, add column licence_no text, add column licence_expiry date,
  add column physical_address text, add column support_email text, add column logo_file_no text,
  add column register_allowed boolean not null default true,
  add column drain boolean not null default false,
  add column min_contacts int, add column settled_hours int, add column no_overdue boolean not null default false,
  add column refused_here text not null default 'off', add column refused_here_days int,
  add column open_order text not null default 'off', add column same_device text not null default 'off', add column same_account text not null default 'off',
  add column created_time timestamptz not null default now(),
  add column updated_by text not null default 'system', add column updated_time timestamptz not null default now(), add column deleted_time timestamptz,
  add constraint merchant_traffic check (traffic_limit >= -1),
  add constraint merchant_filters check (refused_here in ('off', 'count', 'refuse') and open_order in ('off', 'count', 'refuse')
    and same_device in ('off', 'count', 'refuse') and same_account in ('off', 'count', 'refuse') and (refused_here = 'off' or refused_here_days is not null));
create unique index merchant_name_level on merchant (org_no, lower(merchant_name)) where deleted_time is null;
create index merchant_updated on merchant (updated_time, merchant_no) where deleted_time is null;
create trigger merchant_enabled_guard before update on merchant for each row when (old.enabled is distinct from new.enabled) execute function guard_status('enabled');

-- A merchant that is on again takes orders again.
create function merchant_opens() returns trigger language plpgsql as $$
begin
  new.drain := false;
  return new;
end $$;
create trigger merchant_opens before update on merchant for each row when (old.enabled = 'disabled' and new.enabled = 'enabled') execute function merchant_opens();

-- A merchant that an installation writes as enabled has its beginning in the history, as one that people made has.
insert into state_transition (machine, object_no, event, from_state, to_state, actor, request_id, at)
  select 'M69.merchant', merchant_no, 'item.create', '∅', 'disabled', 'system', 'migration', now() from merchant order by merchant_no;
insert into state_transition (machine, object_no, event, from_state, to_state, actor, request_id, at)
  select 'M69.merchant', merchant_no, 'item.enable', 'disabled', 'enabled', 'system', 'migration', now() from merchant where enabled = 'enabled' order by merchant_no;
create function merchant_begins() returns trigger language plpgsql as $$
begin
  insert into state_transition (machine, object_no, event, from_state, to_state, actor, request_id, at) values
    ('M69.merchant', new.merchant_no, 'item.create', '∅', 'disabled', 'system', 'installation', new.created_time),
    ('M69.merchant', new.merchant_no, 'item.enable', 'disabled', 'enabled', 'system', 'installation', new.created_time);
  return null;
end $$;
create trigger merchant_begins after insert on merchant for each row when (new.enabled = 'enabled') execute function merchant_begins();

-- Applications that a filter met and let pass, because it only counts.
create table merchant_filter_hit (
  order_no text not null references loan_order, filter text not null, merchant_no text not null references merchant, at timestamptz not null,
  primary key (order_no, filter)
);
create index merchant_filter_hit_merchant on merchant_filter_hit (merchant_no, at);
-- Other customers of a payout account, and other orders of a customer, are looked for with each application.
create index loan_order_wallet on loan_order (wallet_account, apply_time);
