-- What staff are told by the house, their leave, and the time they spend on pages of an order.

-- Words in three languages, one at least; a language left empty is read in the next of sw, en, zh. Rich text is sanitised before it is written.
create table announcement (
  announcement_no text primary key, announcement_status text not null,
  title_zh text, title_en text, title_sw text, content_zh text, content_en text, content_sw text,
  audience_type text not null default 'staff' check (audience_type in ('staff', 'app')), audience_depts text[] not null default '{}',
  need_read boolean not null default false, pinned boolean not null default false,
  start_time timestamptz not null, end_time timestamptz,
  created_by text not null, created_name text not null, created_time timestamptz not null, updated_time timestamptz not null, version int not null default 0,
  check (end_time is null or start_time <= end_time),
  check (coalesce(title_sw, title_en, title_zh) is not null), check (coalesce(content_sw, content_en, content_zh) is not null)
);
create index announcement_open on announcement (announcement_status, start_time) where announcement_status in ('scheduled', 'published', 'abolished');
create trigger announcement_status_guard before update on announcement for each row when (old.announcement_status is distinct from new.announcement_status) execute function guard_status('announcement_status');

-- Who has read it, and when: kept as long as the announcement.
create table announcement_read (
  announcement_no text not null references announcement, user_no text not null references app_user, read_time timestamptz not null,
  primary key (announcement_no, user_no)
);
create index announcement_read_user on announcement_read (user_no);
create trigger announcement_read_fixed before update or delete on announcement_read for each row execute function refuse_change();

-- Times off, in quarter hours of EAT. Whoever decides is neither the one who is off nor the one who asked for them.
create table leave_apply (
  leave_no text primary key, user_no text not null references app_user, leave_status text not null,
  leave_type text not null check (leave_type in ('annual', 'sick', 'other')),
  start_time timestamptz not null, end_time timestamptz not null, remark text,
  auditor_no text references app_user, auditor_name text, audit_remark text, audit_time timestamptz,
  created_by text not null references app_user, created_time timestamptz not null, version int not null default 0,
  check (start_time < end_time), check (auditor_no is null or (auditor_no <> user_no and auditor_no <> created_by))
);
create index leave_apply_user on leave_apply (user_no, start_time);
create index leave_apply_pending on leave_apply (created_time) where leave_status = 'pending';
create trigger leave_apply_status_guard before update on leave_apply for each row when (old.leave_status is distinct from new.leave_status) execute function guard_status('leave_status');

-- How long a page of an order was open: an enter event with its exit, or with the last sign of life of its session where none came.
create table page_stay (
  enter_no bigint primary key, exit_no bigint unique, event_id text not null, order_no text not null, session_no text not null, user_no text not null,
  enter_time timestamptz not null, exit_time timestamptz not null, seconds int not null check (seconds >= 0), estimated boolean not null default false
);
create index page_stay_order on page_stay (order_no, event_id);
create index page_stay_user on page_stay (user_no, enter_time);
create index tracking_event_enter on tracking_event (received_time) where payload ->> 'type' = 'enter';
create index tracking_event_stay on tracking_event (session_no, received_time) where payload ->> 'type' = 'exit';
