-- Numbers and addresses under which customers reach us: what an app shows, and which of them take complaints.
create table hotline (
  hotline_no text primary key, enabled text not null, display_name jsonb not null,
  hotline_type text not null check (hotline_type in ('phone', 'whatsapp', 'email')), contact_value text not null,
  merchant_no text references merchant, app_codes text[] not null check (cardinality(app_codes) > 0),
  languages text[] not null check (cardinality(languages) > 0), work_days text[] not null check (cardinality(work_days) > 0),
  opens_at text not null, closes_at text not null, complaint boolean not null, answered_here boolean,
  sort int not null check (sort > 0),
  created_time timestamptz not null, updated_by text not null, updated_time timestamptz not null, deleted_time timestamptz, version int not null default 0,
  check (opens_at < closes_at),
  check ((hotline_type = 'phone') = (answered_here is not null))
);
create index hotline_updated on hotline (updated_time, hotline_no) where deleted_time is null;
create index hotline_apps on hotline using gin (app_codes) where deleted_time is null;
create trigger hotline_enabled_guard before update on hotline for each row when (old.enabled is distinct from new.enabled) execute function guard_status('enabled');
