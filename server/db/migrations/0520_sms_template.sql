-- Texts of marketing (M59): written by one person, put in force by another; what is in force is frozen.
create table sms_template (
  template_no text primary key, template_status text not null, template_version int not null default 1, template_name text not null,
  merchant_no text not null references merchant, content_en text not null, content_sw text not null, content_zh text, segments int not null check (segments > 0),
  author_no text not null, enabled_by text, created_by text not null, created_time timestamptz not null, updated_by text not null, updated_time timestamptz not null,
  version int not null default 0
);
comment on column sms_template.author_no is 'Who wrote this version: somebody else puts it in force.';
create unique index sms_template_name on sms_template (merchant_no, lower(template_name));
create index sms_template_updated on sms_template (updated_time, template_no);
create trigger sms_template_status_guard before update on sms_template for each row
  when (old.template_status is distinct from new.template_status) execute function guard_status('template_status');

-- The words of a version as it was put in force: messages say which one they were made of.
create table sms_template_version (
  template_no text not null references sms_template, template_version int not null, content_en text not null, content_sw text not null, content_zh text,
  author_no text not null, enabled_by text not null, enabled_time timestamptz not null, primary key (template_no, template_version), check (author_no <> enabled_by)
);
create trigger sms_template_version_fixed before update or delete on sms_template_version for each row execute function refuse_change();
