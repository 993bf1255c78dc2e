-- What people prove again before money moves.

-- The authenticator of each person, one factor: `sealed_secret` opens only with the key of this installation, `last_step` is the newest code that was used.
create table user_mfa (
  user_no text primary key references app_user,
  mfa_status text not null check (mfa_status in ('unbound', 'binding', 'bound')),
  sealed_secret text, last_step bigint not null default 0, bound_time timestamptz,
  version int not null default 0
);
create trigger user_mfa_status_guard before update on user_mfa for each row when (old.mfa_status is distinct from new.mfa_status) execute function guard_status('mfa_status');

-- A proof: good for its session, until its time, and for one operation code, which is that of the first call that succeeds with it.
create table step_up (
  token_hash text primary key, session_no text not null references session, perm text,
  created_time timestamptz not null, expires_time timestamptz not null
);
create index step_up_age on step_up (expires_time);
