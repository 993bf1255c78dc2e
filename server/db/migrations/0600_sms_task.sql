-- Numbered sets of customers: refreshed by rule each morning, or brought as a file. A group is read when it is used.
create table user_group (
  user_group_no text primary key, user_group_name text not null, user_group_kind text not null check (user_group_kind in ('rule', 'import')),
  rule_key text unique, merchant_nos text[] not null default '{}', member_count int not null default 0, refresh_time timestamptz, expire_time timestamptz,
  created_by text not null, created_time timestamptz not null, version int not null default 0,
  check ((rule_key is not null) = (user_group_kind = 'rule'))
);
create unique index user_group_name on user_group (lower(user_group_name));
create index user_group_created on user_group (created_time, user_group_no);
create table user_group_member (
  user_group_no text not null references user_group, merchant_no text not null references merchant, phone text not null,
  customer_no text not null references customer, member_no text unique, import_no text, primary key (user_group_no, merchant_no, phone)
);
comment on column user_group_member.member_no is 'Of one whom somebody brought; those of rules come and go.';
create index merchant_customer_of on merchant_customer (merchant_no, phone);

-- What texts of tasks may cost in a month: taken before a task begins, given back for what it did not send.
create table sms_budget (
  budget_month text primary key, taken_amount numeric(18,2) not null default 0 check (taken_amount >= 0)
);

-- Tasks that people make: of one merchant, with one text, for a group or a selection. Those of rules are of the first merchant of theirs.
alter table sms_task
  add column merchant_no text references merchant, add column template_no text references sms_template, add column template_version int,
  add column language_mode text not null default 'customer' check (language_mode in ('customer', 'fixed')), add column language text check (language in ('zh', 'en', 'sw')),
  add column audience_source text not null default 'rule' check (audience_source in ('rule', 'group', 'filter')), add column audience jsonb,
  add column user_group_no text references user_group,
  -- Its recipients are written some at a time; it begins once all are there, and a second person agreed where one has to.
  add column fill_cursor text, add column filled_time timestamptz, add column awaits_approval boolean not null default false, add column held_back text,
  add column part_price numeric(18,2), add column budget_month text references sms_budget, add column taken_amount numeric(18,2) not null default 0 check (taken_amount >= 0),
  add column cost_estimate numeric(18,2), add column parts_estimate int, add column retries int not null default 0,
  add column blocked_count int not null default 0, add column recipient_count int not null default 0, add column accepted_count int not null default 0,
  add column refused_count int not null default 0, add column delivered_count int not null default 0, add column failed_count int not null default 0,
  add column unknown_count int not null default 0, add column cancelled_count int not null default 0, add column handled_count int not null default 0,
  add column segments_total int not null default 0, add column cost_actual numeric(18,2), add column opt_out_count int not null default 0,
  add column applied_count int not null default 0, add column paid_out_count int not null default 0, add column paid_out_amount numeric(18,2) not null default 0;
update sms_task t set merchant_no = (select c.merchant_nos[1] from unrenewed_config c where c.config_no = t.config_no),
  filled_time = t.created_time, recipient_count = t.matched_count;
alter table sms_task alter column merchant_no set not null;
create index sms_task_created on sms_task (created_time, task_no);
create index sms_task_sent on sms_task (send_time, task_no);
create index sms_task_template on sms_task (template_no) where template_no is not null;
create index sms_task_group on sms_task (user_group_no) where user_group_no is not null;

-- Who is left out when a task is made stands beside the others, with the reason.
alter table sms_task_recipient alter column order_no drop not null, add column block_reason text;
create index sms_task_recipient_blocked on sms_task_recipient (task_no, block_reason, phone) where block_reason is not null;
