-- The page by which customers of an app invite others: the activity that rewards them, its words and its picture.
create table app_invite (
  invite_no text primary key, enabled text not null, app_code text not null, invite_activity text not null references activity,
  invite_title jsonb not null, invite_text jsonb not null, invite_image text references upload,
  created_time timestamptz not null, updated_by text not null, updated_time timestamptz not null, deleted_time timestamptz, version int not null default 0
);
create unique index app_invite_app on app_invite (app_code) where deleted_time is null;
create index app_invite_updated on app_invite (updated_time, invite_no) where deleted_time is null;
create trigger app_invite_enabled_guard before update on app_invite for each row when (old.enabled is distinct from new.enabled) execute function guard_status('enabled');
create trigger app_invite_fixed before update of invite_no, app_code, created_time on app_invite for each row execute function refuse_change();
