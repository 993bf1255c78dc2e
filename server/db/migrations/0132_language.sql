-- The languages that staff and customers are offered; the interface has words for some of them, dictionaries for more.
create table language (
  language_code text primary key check (language_code ~ '^[a-z]{2,4}$'),
  language_name text not null,
  sort int not null check (sort > 0),
  flag_attach_no text references upload,
  language_status text not null,
  created_time timestamptz not null,
  updated_by text not null,
  updated_time timestamptz not null,
  deleted_time timestamptz,
  version int not null default 0
);
create unique index language_name_once on language (lower(language_name)) where deleted_time is null;
create unique index language_one_default on language (language_status) where language_status = 'default';
create trigger language_status_guard before update on language
  for each row when (old.language_status is distinct from new.language_status) execute function guard_status('language_status');

-- The language in which somebody works.
alter table session add column language text;

alter table user_event drop constraint user_event_event_check;
alter table user_event add constraint user_event_event_check
  check (event in ('message.new', 'perms.changed', 'session.revoked', 'dict.changed', 'language.changed'));
