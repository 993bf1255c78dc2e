-- Choices on the forms of telemarketing and customer service; the flags say what a choice leads to, empty where a type has no such flag.
create table base_option (
  option_no text primary key, enabled text not null, base_type text not null, parent_code text, option_code text not null,
  name_zh text not null, name_en text not null, name_sw text not null, sort int not null check (sort > 0), system boolean not null default false,
  callable boolean, retry_delay_minutes int check (retry_delay_minutes between 5 and 10080), max_attempts int check (max_attempts between 1 and 20),
  terminal_effect text check (terminal_effect in ('none', 'abandon', 'blacklist')), need_approval boolean,
  target_editable boolean, internal boolean, fits text[],
  created_time timestamptz not null, updated_by text not null, updated_time timestamptz not null, deleted_time timestamptz, version int not null default 0,
  check (retry_delay_minutes is null or coalesce(terminal_effect, 'none') = 'none')
);
create unique index base_option_code on base_option (base_type, coalesce(parent_code, ''), option_code) where deleted_time is null;
create unique index base_option_zh on base_option (base_type, coalesce(parent_code, ''), name_zh) where deleted_time is null;
create unique index base_option_en on base_option (base_type, coalesce(parent_code, ''), name_en) where deleted_time is null;
create unique index base_option_sw on base_option (base_type, coalesce(parent_code, ''), name_sw) where deleted_time is null;
create index base_option_sorted on base_option (base_type, sort, option_no) where deleted_time is null;
create trigger base_option_enabled_guard before update on base_option for each row when (old.enabled is distinct from new.enabled) execute function guard_status('enabled');
