-- Who may sign in without an authenticator, and how somebody signs in for the first time.

-- Policy of the organization: its people may sign in before they have bound an authenticator.
alter table org add column sign_in_unbound boolean not null default false;

-- How far a sign-in is whose password was right: `bind` and `binding` want an authenticator first.
alter table login_challenge
  add column user_no text references app_user, add column step text check (step in ('bind', 'binding', 'done', 'failed'));

-- A link with which a person sets the own password, once; only its hash is kept.
create table sign_in_link (
  link_hash text primary key, user_no text not null references app_user, created_time timestamptz not null,
  expires_time timestamptz not null, used_time timestamptz
);
create index sign_in_link_user on sign_in_link (user_no) where used_time is null;
