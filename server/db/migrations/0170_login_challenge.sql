-- The attempt to sign in is a record with states (M01); `used_time` is when its password or link was tried, which happens once.
-- `step`, and `sign_in_unbound` of an organization, are left to servers of the version before.
delete from login_challenge;
alter table login_challenge
  add column challenge_status text not null default 'issued' check (challenge_status in
    ('issued', 'slide_ok', 'pwd_code', 'pwd_mfa', 'pwd_bind', 'pwd_change', 'done', 'failed', 'expired')),
  add column version int not null default 0,
  -- The puzzle that waits for an answer: the hash of its nonce, where its piece belongs, until when, and how many answers were wrong.
  add column slide_required boolean not null default false,
  add column slide_hash text, add column slide_x int, add column slide_until timestamptz, add column slide_tries int not null default 0,
  add column slide_token_hash text, add column slide_token_until timestamptz,
  -- A secret was drawn for it, so that the next one is another.
  add column qr_drawn boolean not null default false;
create trigger login_challenge_status_guard before update on login_challenge for each row
  when (old.challenge_status is distinct from new.challenge_status) execute function guard_status('challenge_status');
create index login_challenge_open on login_challenge (expires_time) where challenge_status not in ('done', 'failed', 'expired');
