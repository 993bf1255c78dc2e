-- People as administrators keep them: who may sign in, until when, and where they can be reached.
alter table app_user
  add column freeze_time timestamptz, add column freeze_reason text check (freeze_reason in ('manual', 'left', 'expired', 'security')),
  add column base_salary numeric(18,2) check (base_salary >= 0), add column internal_user boolean not null default true,
  add column email_verified boolean not null default false, add column phone_verified boolean not null default false,
  add column valid_until date, add column last_day date;
update app_user set freeze_time = now(), freeze_reason = case employee_status when 'left' then 'left' else 'manual' end where user_status = 'frozen';

-- One person, however the name is typed.
create unique index app_user_login on app_user (lower(login_id));
create unique index app_user_job_no on app_user (lower(job_no)) where job_no is not null;
create unique index app_user_extension on app_user (extension_no) where extension_no is not null;
create unique index app_user_phone on app_user (phone) where phone_verified;
create index app_user_dept on app_user (dept_no);

create trigger app_user_user_status_guard before update on app_user for each row when (old.user_status is distinct from new.user_status) execute function guard_status('user_status');
create trigger app_user_employee_status_guard before update on app_user for each row when (old.employee_status is distinct from new.employee_status) execute function guard_status('employee_status');

-- Those who were there before began as everybody does; what became of them since is one event more.
insert into state_transition (machine, object_no, event, from_state, to_state, actor, request_id, at)
  select 'M04', user_no, 'user.add', '∅', 'normal', 'system', 'migration 0120', created_time from app_user
  union all select 'M06', user_no, 'employee.add', '∅', 'on_job', 'system', 'migration 0120', created_time from app_user;
insert into state_transition (machine, object_no, event, from_state, to_state, actor, request_id, at)
  select 'M04', user_no, 'user.freeze', 'normal', 'frozen', 'system', 'migration 0120', now() from app_user where user_status = 'frozen'
  union all select 'M06', user_no, 'employee.leave', 'on_job', 'left', 'system', 'migration 0120', now() from app_user where employee_status = 'left';

-- Where a one-time link was sent: who opens it has shown that the channel is theirs.
alter table sign_in_link add column channel text check (channel in ('email', 'phone'));
