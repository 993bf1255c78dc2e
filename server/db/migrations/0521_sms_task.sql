-- Rules by which customers who repaid and did not borrow again get a text on some days after.
create table unrenewed_config (
  config_no text primary key, enabled text not null, config_name text not null, merchant_nos text[] not null, loan_kind text not null check (loan_kind in ('first', 'repeat')),
  member_levels text[], send_days jsonb not null, max_overdue_days int not null check (max_overdue_days >= 0), text_time text not null, per_customer_max int not null check (per_customer_max > 0),
  effective_time timestamptz not null,
  created_time timestamptz not null, updated_by text not null, updated_time timestamptz not null, deleted_time timestamptz, version int not null default 0
);
comment on column unrenewed_config.send_days is 'Days after the loan was settled, ascending, each with its text.';
create unique index unrenewed_config_name on unrenewed_config (lower(config_name)) where deleted_time is null;
create index unrenewed_config_updated on unrenewed_config (updated_time, config_no) where deleted_time is null;
create trigger unrenewed_config_enabled_guard before update on unrenewed_config for each row when (old.enabled is distinct from new.enabled) execute function guard_status('enabled');

-- One text to many (M60). A rule makes one task a business date, whoever runs the job and how often.
create table sms_task (
  task_no text primary key, sms_task_status text not null, task_name text not null, config_no text references unrenewed_config, business_date date,
  send_time timestamptz not null, rate_per_minute int not null check (rate_per_minute > 0), matched_count int not null default 0, started_time timestamptz, ended_time timestamptz,
  created_by text not null, created_time timestamptz not null, version int not null default 0,
  check ((config_no is null) = (business_date is null))
);
create unique index sms_task_of_rule on sms_task (config_no, business_date) where config_no is not null;
create index sms_task_open on sms_task (send_time) where sms_task_status in ('created', 'sending');
create trigger sms_task_status_guard before update on sms_task for each row when (old.sms_task_status is distinct from new.sms_task_status) execute function guard_status('sms_task_status');

-- Whom a task is for, as they were when it was made: each number once.
create table sms_task_recipient (
  task_no text not null references sms_task, phone text not null, customer_no text not null references customer, merchant_no text not null references merchant,
  order_no text not null references loan_order, template_no text not null references sms_template, taken_time timestamptz, primary key (task_no, phone)
);
create index sms_task_recipient_waiting on sms_task_recipient (task_no, phone) where taken_time is null;

-- A number gets one text of a task, whatever is tried again.
create unique index message_task on message (object_no, recipient) where object_type = 'sms_task';
