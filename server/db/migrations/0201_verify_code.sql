-- Codes of six digits that prove a phone number or an e-mail address (M09). The code itself is kept as a keyed hash alone.
create table verify_code (
  code_no text primary key, code_status text not null, version int not null default 0,
  scene text not null check (scene in ('register', 'login', 'reset_password', 'bind_account', 'withdraw', 'staff_login')),
  challenge_id text, user_no text references app_user, merchant_no text references merchant, app_code text,
  channel_type text not null check (channel_type in ('sms', 'email')), phone text, email text, network text,
  code_hash text not null, language text not null, tries int not null default 0, ip text,
  send_time timestamptz not null, expires_time timestamptz not null, used_time timestamptz,
  -- The way by which it goes now; routes that are to be tried after it.
  message_no text references message, moves int not null default 0,
  check (phone is not null or email is not null)
);
create trigger verify_code_status_guard before update on verify_code for each row
  when (old.code_status is distinct from new.code_status) execute function guard_status('code_status');
create index verify_code_send on verify_code (send_time, code_no);
create index verify_code_phone on verify_code (phone, send_time);
create index verify_code_ip on verify_code (ip, send_time);
create index verify_code_user on verify_code (user_no, send_time);
create index verify_code_message on verify_code (message_no);
create unique index verify_code_live on verify_code (challenge_id) where code_status = 'sent';
create index verify_code_open on verify_code (expires_time) where code_status = 'sent';

-- A phone may be sent codes above its hourly limit for a while: once per business date.
create table verify_code_lift (
  phone text not null, business_date date not null, until_time timestamptz not null, reason text not null,
  created_by text not null references app_user, created_time timestamptz not null, primary key (phone, business_date)
);
