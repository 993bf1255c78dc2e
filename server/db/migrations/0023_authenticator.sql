-- What is known of an authenticator while it is bound, and when it was taken away.

-- `qr_until` and `qr_left`: until when a secret that is shown may be confirmed, and how often it may be drawn anew; `bind_tries`: wrong codes so far.
-- `reset_time`: an administrator took the authenticator away; the one bound after that moves no money before `money_from`.
alter table user_mfa
  add column qr_until timestamptz, add column qr_left int not null default 0, add column bind_tries int not null default 0,
  add column reset_time timestamptz, add column money_from timestamptz;
create index user_mfa_binding on user_mfa (qr_until) where mfa_status = 'binding';

-- Codes for whoever has lost their authenticator, each good once; only a keyed hash is kept.
create table recovery_code (
  user_no text not null references user_mfa, code_hash text not null, created_time timestamptz not null, used_time timestamptz,
  primary key (user_no, code_hash)
);
