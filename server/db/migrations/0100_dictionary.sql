-- The words behind codes. Types and keys that the program knows are `system`: people change their labels and their order only.
create table dict_type (
  dict_type_no text primary key, enabled text not null, dict_type text not null, dict_name text not null,
  code_table_type text not null check (code_table_type in ('ordinary', 'error_code')), system boolean not null default false, type_sort int not null check (type_sort > 0),
  created_time timestamptz not null, updated_by text not null, updated_time timestamptz not null, deleted_time timestamptz, version int not null default 0
);
create unique index dict_type_code on dict_type (dict_type) where deleted_time is null;
create index dict_type_sorted on dict_type (type_sort, dict_type_no) where deleted_time is null;
create trigger dict_type_enabled_guard before update on dict_type for each row when (old.enabled is distinct from new.enabled) execute function guard_status('enabled');

create table dict_item (
  dict_item_no text primary key, enabled text not null, dict_type text not null, parent_key text, key_value text not null,
  value_type text not null check (value_type in ('text', 'json')), label text not null, label_en text, label_sw text, label_vi text,
  sort int not null check (sort > 0), remark text, system boolean not null default false,
  created_time timestamptz not null, updated_by text not null, updated_time timestamptz not null, deleted_time timestamptz, version int not null default 0
);
create unique index dict_item_key on dict_item (dict_type, coalesce(parent_key, ''), key_value) where deleted_time is null;
create index dict_item_sorted on dict_item (dict_type, sort, dict_item_no) where deleted_time is null;
create trigger dict_item_enabled_guard before update on dict_item for each row when (old.enabled is distinct from new.enabled) execute function guard_status('enabled');

-- The labels in force that are not those of the program, by language, as they were when the caches were last cleared.
create table dict_publication (
  only_one boolean primary key default true check (only_one), stamp uuid not null default gen_random_uuid(),
  words jsonb not null default '{"zh": {}, "en": {}, "sw": {}}', published_time timestamptz not null default now()
);
insert into dict_publication default values;

alter table user_event drop constraint user_event_event_check;
alter table user_event add constraint user_event_event_check check (event in ('message.new', 'perms.changed', 'session.revoked', 'dict.changed'));
